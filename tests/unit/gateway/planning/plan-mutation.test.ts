import { describe, expect, it } from '@jest/globals';
import { planOver } from '../../../support/planning/plan-text.ts';

const plan = planOver({
  a: `type Query { x: Int } type Mutation { add(n: Int): Item tick: Int @shareable }
    type Item @key(fields: "id") { id: ID! n: Int }`,
  b: `type Mutation { send: Int tick: Int @shareable }
    type Item @key(fields: "id") { id: ID! size: Int }`,
});

describe('planMutation', () => {
  it('makes each field wait for all fields of other subgraphs before it', () => {
    expect(plan('mutation { add { n } send again: add { n } }')).toEqual([
      '0 mutation a: { add { n } }',
      '1 mutation b: { send } after 0',
      '2 mutation a: { again: add { n } } after 0,1',
    ]);
  });

  it('combines adjacent fields of one subgraph in order', () => {
    expect(plan('mutation { one: add(n: 1) { n } two: add(n: 2) { n } }')).toEqual([
      '0 mutation a: { one: add(n:1) { n } two: add(n:2) { n } }',
    ]);
  });

  it('makes the next field wait for all fetches of the one before', () => {
    expect(plan('mutation { one: add(n: 1) { size } two: add(n: 2) { n } }')).toEqual([
      '0 mutation a: { one: add(n:1) { id } }',
      '1 b @ one: Item(id) { size } after 0',
      '2 mutation a: { two: add(n:2) { n } } after 0,1',
    ]);
  });

  it('executes a field with two aliases twice', () => {
    expect(plan('mutation { one: send two: send }')).toEqual(['0 mutation b: { one: send two: send }']);
  });

  it('executes a duplicate field once', () => {
    expect(plan('mutation { send ... { send } add { n } ...More } fragment More on Mutation { add { id } }')).toEqual([
      '0 mutation b: { send }',
      '1 mutation a: { add { n id } } after 0',
    ]);
  });

  it('executes a shared field in one subgraph', () => {
    expect(plan('mutation { tick }')).toEqual(['0 mutation a: { tick }']);
  });

  it('executes a deferred root field in order, before the next one', () => {
    expect(plan('mutation { ... @defer { add { size } } send }', { isDeferring: true })).toEqual([
      '0 mutation a: { add { id } }',
      '1 b @ add: Item(id) { size } after 0',
      '2 mutation b: { send } after 0,1',
    ]);
  });
});
