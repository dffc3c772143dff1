import { expect, it } from '@jest/globals';
import { buildSchema, parse, print } from 'graphql';
import { keepEmptyObjects } from '../../../../gateway/planning/keep-empty-objects.ts';

const schema = buildSchema(`
  interface Named { name: String }
  type User implements Named { id: ID name: String age: Int posts: [Post] }
  type Post implements Named { name: String title: String }
  type Query { user: User book: Post thing: Named }
`);

const kept = (text: string): string => print(keepEmptyObjects(parse(text), schema)).replaceAll(/\s+/g, ' ');

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
  ['{ user { ... on Named { ... on Post { title } } } }', '{ user { ... on Named { ... on Post { title } } __typename } }'],
  ['{ thing { ...A } } fragment A on User { id }', '{ thing { ...A __typename } } fragment A on User { id }'],
])('given %s, when all that is asked of an object may fall away, then its type name is asked for', (text, expected) => {
  expect(kept(text)).toBe(expected);
});

it.each([
  '{ user { name } }',
  'query ($x: Boolean!) { user { name age @skip(if: $x) } }',
  'query ($x: Boolean!) { user @skip(if: $x) { name } book @include(if: $x) { title } }',
  'query ($x: Boolean!) { user { ...A ...B } } fragment A on User { name @skip(if: $x) } fragment B on User { id }',
  '{ user { ...A } } fragment A on Named { ... on User { id } }',
  '{ thing { ... on Named { name } } }',
  'query ($x: Boolean!) { __schema { types { name @skip(if: $x) } } }',
])('given %s, when something of each object stays, then the operation is as it was', (text) => {
  expect(kept(text)).toBe(print(parse(text)).replaceAll(/\s+/g, ' '));
});
