import { describe, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import { dataOf, errorsOf, scriptedGraph } from './scripted-graph.ts';
import { lookups, planOf, root } from './scripted-plan.ts';

const runScripted = scriptedGraph(
  buildSchema(`
    scalar Form
    type Query { plants: [Plant] garden: Garden }
    type Garden { plant: Plant best: Plant }
    type Plant { id: ID! name: String notes: Form lists: [[Form]] plan: String log: Log }
    type Log { text: Form day: Int }
  `),
);
const PLANTS = '{ plants { __typename id name notes lists } garden { plant { name } } }';
const withCare = (by: string, ask: string) =>
  planOf([root('plants', PLANTS), lookups('care', [0], [{ at: ['plants'], by: [by], ask: `{ ...on Plant { ${ask} } }` }])]);

/** Lists in lists, as no call stack can walk through; not to be copied by the test itself. */
function nested(levels: number): unknown {
  return JSON.parse('['.repeat(levels) + ']'.repeat(levels));
}

const plant = (id: string, notes: unknown = null) => ({ __typename: 'Plant', id, name: `plant ${id}`, notes });
const DEEP = 20_000;

describe('given scalars of any form', () => {
  it('when one is nested deeper than anybody can read, then it is an invalid value at its place and the rest is answered', async () => {
    const outcome = await runScripted('{ plants { name notes } }', planOf([root('plants', PLANTS)]), {
      plants: () => ({ data: { plants: [plant('1', nested(DEEP)), plant('2', { a: [1] })] } }),
    });
    expect(dataOf(outcome)).toEqual({
      plants: [
        { name: 'plant 1', notes: null },
        { name: 'plant 2', notes: { a: [1] } },
      ],
    });
    expect(errorsOf(outcome)).toEqual(['plants.0.notes SUBGRAPH_INVALID_RESPONSE']);
  });

  it('when one such is required by another subgraph, then what needs it fails, for this object alone', async () => {
    const outcome = await runScripted('{ plants { name plan } }', withCare('Plant { id notes }', 'plan'), {
      plants: () => ({ data: { plants: [plant('1', nested(DEEP)), plant('2', [])] } }),
      care: () => ({ data: { _entities: [{ plan: 'water' }] } }),
    });
    expect(dataOf(outcome)).toEqual({
      plants: [
        { name: 'plant 1', plan: null },
        { name: 'plant 2', plan: 'water' },
      ],
    });
    expect(errorsOf(outcome)).toEqual(['plants.0.plan SUBGRAPH_INVALID_RESPONSE']);
  });

  it('when one such stands where objects are expected, then its place is null with an error', async () => {
    const outcome = await runScripted('{ plants { log { text } } garden { plant { name } } }', withCare('Plant', 'log { text }'), {
      plants: () => ({ data: { plants: [plant('1')], garden: nested(DEEP) } }),
      care: () => ({ data: { _entities: [{ log: nested(DEEP) }] } }),
    });
    expect(dataOf(outcome)).toEqual({ plants: [{ log: null }], garden: null });
    expect(errorsOf(outcome)).toEqual(['plants.0.log SUBGRAPH_INVALID_RESPONSE', 'garden SUBGRAPH_INVALID_RESPONSE']);
  });

  it('when equal objects get one answer with such a value in it, then each has the error and nothing else is lost', async () => {
    const outcome = await runScripted('{ plants { log { day text } } }', withCare('Plant', 'log { day text }'), {
      plants: () => ({ data: { plants: [plant('1'), plant('1')] } }),
      care: () => ({ data: { _entities: [{ log: { day: 1, text: nested(DEEP) } }] } }),
    });
    expect(dataOf(outcome)).toEqual({ plants: [{ log: { day: 1, text: null } }, { log: { day: 1, text: null } }] });
    expect(errorsOf(outcome)).toEqual(['plants.0.log.text SUBGRAPH_INVALID_RESPONSE', 'plants.1.log.text SUBGRAPH_INVALID_RESPONSE']);
  });

  it('when it is nested as deep as is allowed, then it is answered as it is', async () => {
    const outcome = await runScripted('{ plants { lists } }', planOf([root('plants', PLANTS)]), {
      plants: () => ({ data: { plants: [{ __typename: 'Plant', id: '1', lists: [[nested(64), { a: 1 }]] }] } }),
    });
    expect(outcome.errors).toEqual([]);
    expect(outcome.data).toContain('['.repeat(64));
  });

  it('when it is nested one level deeper, in lists or in objects, then it is an invalid value', async () => {
    const objects = JSON.parse(`${'{"a":'.repeat(64)}[]${'}'.repeat(64)}`) as unknown;
    const outcome = await runScripted('{ plants { notes } }', planOf([root('plants', PLANTS)]), {
      plants: () => ({ data: { plants: [plant('1', nested(65)), plant('2', objects), plant('3', 'flat')] } }),
    });
    expect(dataOf(outcome)).toEqual({ plants: [{ notes: null }, { notes: null }, { notes: 'flat' }] });
    expect(errorsOf(outcome)).toEqual(['plants.0.notes SUBGRAPH_INVALID_RESPONSE', 'plants.1.notes SUBGRAPH_INVALID_RESPONSE']);
  });

  it('when lists are nested without an end on the way to objects that others know more of, then their place is null with an error', async () => {
    const plan = planOf([
      root('plants', '{ plants { __typename id log { day } } garden { best { __typename id } } }'),
      lookups('care', [0], [{ at: ['garden.best', 'plants'], by: ['Plant'], ask: '{ ...on Plant { plan } }' }]),
    ]);
    const outcome = await runScripted('{ plants { plan } garden { best { plan } } }', plan, {
      plants: () => ({ data: { plants: [plant('1')], garden: { best: nested(DEEP) } } }),
      care: { data: { _entities: [{ plan: 'water' }] } },
    });
    expect(dataOf(outcome)).toEqual({ plants: [{ plan: 'water' }], garden: { best: null } });
    expect(errorsOf(outcome)).toEqual(['garden.best SUBGRAPH_INVALID_RESPONSE']);
  });
});
