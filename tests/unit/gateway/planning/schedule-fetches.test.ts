import { describe, expect, it } from '@jest/globals';
import { planOver } from '../../../support/planning/plan-text.ts';

const SUBGRAPHS = {
  a: 'type Query { one: Item two: Item } type Item @key(fields: "id") { id: ID! name: String }',
  b: 'type Item @key(fields: "id") { id: ID! maker: Maker } type Maker @key(fields: "id") { id: ID! }',
  c: 'type Item @key(fields: "id") { id: ID! size: Int } type Maker @key(fields: "id") { id: ID! title: String }',
};
const plan = planOver(SUBGRAPHS);

describe('scheduleFetches', () => {
  it('does not combine fetches of a subgraph that is excluded', () => {
    const alone = planOver(SUBGRAPHS, { coalesce: { byDefault: true, bySubgraph: { c: false } } });
    expect(alone('{ one { size maker { title } } two { size } }')).toEqual([
      '0 a: { one { id } two { id } }',
      '1 c @ one: Item(id) { size } after 0',
      '2 b @ one: Item(id) { maker { id } } after 0',
      '3 c @ two: Item(id) { size } after 0',
      '4 c @ one.maker: Maker(id) { title } after 2',
    ]);
    const nowhere = planOver(SUBGRAPHS, { coalesce: { byDefault: false, bySubgraph: { c: true } } });
    expect(nowhere('{ one { size maker { title } } two { size maker { id } } }')).toEqual([
      '0 a: { one { id } two { id } }',
      '1 b @ one: Item(id) { maker { id } } after 0',
      '2 b @ two: Item(id) { maker { id } } after 0',
      '3 c @ one & two: Item(id) { size } + @ one.maker: Maker(id) { title } after 0,1',
    ]);
  });

  it('combines equal fetches of one subgraph at several paths', () => {
    expect(plan('{ one { size } two { size } }')).toEqual(['0 a: { one { id } two { id } }', '1 c @ one & two: Item(id) { size } after 0']);
  });

  it('combines different fetches of one subgraph at several paths', () => {
    expect(plan('{ one { maker { id } } two { size } }')).toEqual([
      '0 a: { one { id } two { id } }',
      '1 b @ one: Item(id) { maker { id } } after 0',
      '2 c @ two: Item(id) { size } after 0',
    ]);
    expect(plan('{ one { size } two { size id } }')).toEqual([
      '0 a: { one { id } two { id } }',
      '1 c @ one & two: Item(id) { size } after 0',
    ]);
  });

  it('delays a fetch without dependents to a later fetch of its subgraph', () => {
    expect(plan('{ one { size maker { title } } }')).toEqual([
      '0 a: { one { id } }',
      '1 b @ one: Item(id) { maker { id } } after 0',
      '2 c @ one: Item(id) { size } + @ one.maker: Maker(id) { title } after 0,1',
    ]);
  });

  it('does not delay a fetch that others depend on', () => {
    const waiting = planOver({
      a: 'type Query { one: Item } type Item @key(fields: "id") { id: ID! }',
      b: 'type Item @key(fields: "id") { id: ID! size: Int @external cost: Cost @requires(fields: "size") } type Cost @key(fields: "id") { id: ID! }',
      c: 'type Item @key(fields: "id") { id: ID! size: Int } type Cost @key(fields: "id") { id: ID! sum: Int }',
    });
    expect(waiting('{ one { cost { sum } } }')).toEqual([
      '0 a: { one { id } }',
      '1 c @ one: Item(id) { size } after 0',
      '2 b @ one: Item(id size(for cost)) { cost { id } } after 0,1',
      '3 c @ one.cost: Cost(id) { sum } after 2',
    ]);
  });
});
