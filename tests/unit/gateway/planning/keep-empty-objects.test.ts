import { expect, it } from '@jest/globals';
import { parse, print } from 'graphql';
import { keepEmptyObjects } from '../../../../gateway/planning/keep-empty-objects.ts';

const kept = (text: string): string => print(keepEmptyObjects(parse(text))).replaceAll(/\s+/g, ' ');

it.each([
  ['query ($x: Boolean!) { user { name @skip(if: $x) } }', 'query ($x: Boolean!) { user { name @skip(if: $x) __typename } }'],
  [
    'query ($x: Boolean!) { user { ... @include(if: $x) { name } ... { age @skip(if: $x) } } }',
    'query ($x: Boolean!) { user { ... @include(if: $x) { name } ... { age @skip(if: $x) } __typename } }',
  ],
  [
    'query ($x: Boolean!) { user { ...A } } fragment A on User { ...B } fragment B on User { name @include(if: $x) }',
    'query ($x: Boolean!) { user { ...A __typename } } fragment A on User { ...B } fragment B on User { name @include(if: $x) }',
  ],
  [
    'query ($x: Boolean!) { user { ...A @skip(if: $x) } } fragment A on User { posts { title @skip(if: $x) } }',
    'query ($x: Boolean!) { user { ...A @skip(if: $x) __typename } } fragment A on User { posts { title @skip(if: $x) __typename } }',
  ],
])('given %s, when all that is asked of an object may fall away, then its type name is asked for', (text, expected) => {
  expect(kept(text)).toBe(expected);
});

it.each([
  '{ user { name } }',
  'query ($x: Boolean!) { user { name age @skip(if: $x) } }',
  'query ($x: Boolean!) { user @skip(if: $x) { name } book @include(if: $x) { title } }',
  'query ($x: Boolean!) { user { ...A ...B } } fragment A on User { name @skip(if: $x) } fragment B on User { id }',
  'query ($x: Boolean!) { __schema { types { name @skip(if: $x) } } }',
])('given %s, when something of each object stays, then the operation is as it was', (text) => {
  expect(kept(text)).toBe(print(parse(text)).replaceAll(/\s+/g, ' '));
});
