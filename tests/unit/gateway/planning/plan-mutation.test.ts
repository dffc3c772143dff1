import { describe, expect, it } from '@jest/globals';
import { planOver } from '../../../support/planning/plan-text.ts';

const plan = planOver({
  a: `type Query { x: Int } type Mutation { add(n: Int): Item tick: Int @shareable }
    type Item @key(fields: "id") { id: ID! n: Int }`,
  b: `type Mutation { send: Int tick: Int @shareable }
    type Item @key(fields: "id") { id: ID! size: Int }`,
});

describe('planMutation', () => {
  it('given fields of two subgraphs, when planning, then each waits for all before it', () => {
    expect(plan('mutation { add { n } send again: add { n } }')).toEqual([
      '0 mutation a: { add { n } }',
      '1 mutation b: { send } after 0',
      '2 mutation a: { again: add { n } } after 0,1',
    ]);
  });

  it('given neighbours of one subgraph, when planning, then they go in one request, in their order', () => {
    expect(plan('mutation { one: add(n: 1) { n } two: add(n: 2) { n } }')).toEqual([
      '0 mutation a: { one: add(n:1) { n } two: add(n:2) { n } }',
    ]);
  });

  it('given a neighbour whose result needs others, when planning, then the next waits for all of it', () => {
    expect(plan('mutation { one: add(n: 1) { size } two: add(n: 2) { n } }')).toEqual([
      '0 mutation a: { one: add(n:1) { id } }',
      '1 b @ one: Item(id) { size } after 0',
      '2 mutation a: { two: add(n:2) { n } } after 0,1',
    ]);
  });

  it('given the same field under two names, when planning, then it is done twice', () => {
    expect(plan('mutation { one: send two: send }')).toEqual(['0 mutation b: { one: send two: send }']);
  });

  it('given the same field twice under one name, when planning, then it is done once', () => {
    expect(plan('mutation { send ... { send } add { n } ...More } fragment More on Mutation { add { id } }')).toEqual([
      '0 mutation b: { send }',
      '1 mutation a: { add { n id } } after 0',
    ]);
  });

  it('given a field that two subgraphs have, when planning, then one of them does it', () => {
    expect(plan('mutation { tick }')).toEqual(['0 mutation a: { tick }']);
  });

  it('given a deferred effect, when planning, then it has its turn, and the next waits for its result', () => {
    expect(plan('mutation { ... @defer { add { size } } send }', { isDeferring: true })).toEqual([
      '0 mutation a: { add { id } }',
      '1 b @ add: Item(id) { size } after 0',
      '2 mutation b: { send } after 0,1',
    ]);
  });
});
