import { describe, expect, it } from '@jest/globals';
import { type OperationDefinitionNode, parse, print } from 'graphql';
import { toPlannable } from '../../../../gateway/planning/plannable-document.ts';
import { nestedDocument } from '../operation/nested-document.ts';
import { refusalOf } from '../operation/refusal-of.ts';

const RESERVED = new Set(['__typename', 'id', 'name', 'as_name']);

function planned(text: string): string {
  const document = parse(text);
  return print(toPlannable(document, document.definitions[0] as OperationDefinitionNode, RESERVED).document).replaceAll(/\s+/g, ' ');
}

describe('toPlannable', () => {
  it('given nesting that no stack can hold, when rewriting, then it is refused and not a failure', () => {
    const deep = nestedDocument({ root: 'users', steps: ['friends'], leaf: 'id', levels: 50_000 });
    const error = refusalOf(() => toPlannable(deep, deep.definitions[0] as OperationDefinitionNode, RESERVED));
    expect(error.code).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  it('given fragments in a mutation that would write out without end, when rewriting, then it is refused', () => {
    const double = (index: number) => `fragment F${index} on M { ...F${index + 1} @skip(if: $a) ...F${index + 1} @skip(if: $v${index}) }`;
    const text = `mutation { ...F0 } ${Array.from({ length: 30 }, (_item, index) => double(index)).join(' ')} fragment F30 on M { touch }`;
    expect(refusalOf(() => planned(text)).message).toBe('The operation selects too much.');
  });

  it.each([
    ['{ users { id: age name } }', '{ users { as_id: age name } }'],
    ['{ users { name: age as_name_1: id id: id __typename: age } }', '{ users { as_name_2: age as_name_1: id id: id as_typename: age } }'],
    ['{ users { other: age x__alias_0: age } }', '{ users { other: age as_x__alias_0_1: age } }'],
  ])('given the alias of a reserved name in %s, when rewriting, then it has another name', (text, expected) => {
    expect(planned(text)).toBe(expected);
  });

  it.each([
    ['{ users { id age @skip(if: true) ...F @include(if: false) } } fragment F on User { age }', '{ users { id } }'],
    ['{ users { ... on User @include(if: true) { age @skip(if: false) } } }', '{ users { ... on User { age } } }'],
    ['{ users { ... { age @skip(if: true) } } }', '{ users { __typename } }'],
    ['{ users { id ...F } } fragment F on User { ...G } fragment G on User { age @skip(if: true) }', '{ users { id } }'],
    ['{ users @skip(if: true) { id } }', '{ __typename }'],
    ['query ($x: Boolean!) { a @skip(if: $x) @include(if: true) }', 'query ($x: Boolean!) { a @skip(if: $x) }'],
  ])('given conditions that are decided in %s, when rewriting, then they are gone', (text, expected) => {
    expect(planned(text)).toBe(expected);
  });

  it.each([
    ['mutation { a ...F b } fragment F on M { c ... { d } }', 'mutation { a c d b }'],
    [
      'mutation { ...F @skip(if: $x) a ...F @skip(if: $x) ...F } fragment F on M { b @include(if: $y) }',
      'mutation { b @include(if: $y) @skip(if: $x) a b @include(if: $y) }',
    ],
    ['mutation { ... @skip(if: $x) { a @skip(if: $y) } }', 'mutation { ... @skip(if: $x) { a @skip(if: $y) } }'],
    ['query { ...F } fragment F on Q { a }', '{ ...F } fragment F on Q { a }'],
  ])('given %s, when rewriting, then the fields of a mutation stand in their order and nothing else is changed', (text, expected) => {
    expect(planned(text)).toBe(expected);
  });
});
