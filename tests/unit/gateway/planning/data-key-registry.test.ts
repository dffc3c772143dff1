import { describe, expect, it } from '@jest/globals';
import { Kind, type FieldNode, parse } from 'graphql';
import { createQueryPlanner } from '../../../../gateway/planning/create-query-planner.ts';
import { dataKeyOf } from '../../../../gateway/planning/data-keys.ts';
import type { DataKeys } from '../../../../gateway/planning/operation-plan.ts';
import { compose, planWith } from '../../../support/planning/plan-text.ts';

const planner = createQueryPlanner(
  compose({
    a: `type Query { item(id: ID, tags: [String], filter: Filter): Item pets: [Pet!] item_0: Int constructor: Int }
      input Filter { a: Int b: Int }
      type Item { name: String size(unit: Int): Int next: Item }
      interface Pet { id: ID! }
      type Cat implements Pet { id: ID! name: String lives: Int owner: Owner }
      type Dog implements Pet { id: ID! name: String! lives: Int! owner: [Owner] }
      type Bird implements Pet { id: ID! name: String }
      type Owner { name: [String] }`,
  }),
);
const plan = planWith(planner);

function keysOf(document: string): DataKeys {
  return planner.plan({ document, conditions: {}, labels: [] }).keys;
}

function fieldOf(text: string): FieldNode {
  const [definition] = parse(`{ ${text} }`).definitions;
  const [selection] = definition?.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet.selections : [];
  if (selection?.kind !== Kind.FIELD) throw new Error('The test text contains no field.');
  return selection;
}

describe('data keys', () => {
  it('avoid generated names that are names of fields', () => {
    expect(plan('{ item(id: 1) { name } item_0 }')).toEqual(['0 a: { item_1: item(id:1) { name } item_0 }']);
  });

  it('are the field name for a field that every object inherits', () => {
    expect(dataKeyOf(keysOf('{ constructor }'), fieldOf('constructor'), 'Query', false)).toBe('constructor');
  });

  it('are equal if arguments differ only in order', () => {
    expect(plan('{ item(id: 1, filter: { a: 1, b: 2 }) { name } ... { item(filter: { b: 2, a: 1 }, id: 1) { name } } }')).toEqual([
      '0 a: { item_1: item(filter:{a: 1, b: 2},id:1) { name } }',
    ]);
  });

  it('differ if lists differ in order', () => {
    expect(plan('{ a: item(tags: ["x", "y"]) { name } b: item(tags: ["y", "x"]) { name } }')).toEqual([
      '0 a: { item_1: item(tags:["x", "y"]) { name } item_2: item(tags:["y", "x"]) { name } }',
    ]);
  });

  it('are shared by aliases of the same leaf field', () => {
    expect(plan('{ item { a: size b: size c: size(unit: 1) } }')).toEqual(['0 a: { item { size size_0: size(unit:1) } }']);
  });

  it('differ for aliases of the same object field, because one can fail alone', () => {
    expect(plan('{ a: item { name } b: item { name } }')).toEqual(['0 a: { item_1: item { name } item_2: item { name } }']);
  });

  it('differ for equal field names of different types in an interface', () => {
    const document = '{ pets { ... on Cat { name lives owner { name } } ... on Dog { name lives owner { name } } ... on Bird { name } } }';
    expect(plan(document)).toEqual([
      '0 a: { pets { __typename ... on Cat { name lives owner__1: owner { name__2: name } } ... on Dog { name__1: name lives__1: lives owner { name__2: name } } ... on Bird { name } } }',
    ]);
    expect(dataKeyOf(keysOf(document), fieldOf('name'), 'Cat', true)).toBe('name');
    expect(dataKeyOf(keysOf(document), fieldOf('name'), 'Dog', true)).toBe('name__1');
  });
});
