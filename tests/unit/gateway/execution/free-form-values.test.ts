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
const withCare = (by: string, request: string) =>
  planOf([root('plants', PLANTS), lookups('care', [0], [{ at: ['plants'], by: [by], request: `{ ...on Plant { ${request} } }` }])]);

/** Creates lists that are nested too deeply for any call stack. The test must not copy them. */
function nested(levels: number): unknown {
  return JSON.parse('['.repeat(levels) + ']'.repeat(levels));
}

const plant = (id: string, notes: unknown = null) => ({ __typename: 'Plant', id, name: `plant ${id}`, notes });
const DEEP = 20_000;

describe('scalars of any structure', () => {
  it('are invalid when they are nested too deeply, and the rest is returned', async () => {
    const result = await runScripted('{ plants { name notes } }', planOf([root('plants', PLANTS)]), {
      plants: () => ({ data: { plants: [plant('1', nested(DEEP)), plant('2', { a: [1] })] } }),
    });
    expect(dataOf(result)).toEqual({
      plants: [
        { name: 'plant 1', notes: null },
        { name: 'plant 2', notes: { a: [1] } },
      ],
    });
    expect(errorsOf(result)).toEqual(['plants.0.notes SUBGRAPH_INVALID_RESPONSE']);
  });

  it('fail only the field of the object that requires them when nested too deeply', async () => {
    const result = await runScripted('{ plants { name plan } }', withCare('Plant { id notes }', 'plan'), {
      plants: () => ({ data: { plants: [plant('1', nested(DEEP)), plant('2', [])] } }),
      care: () => ({ data: { _entities: [{ plan: 'water' }] } }),
    });
    expect(dataOf(result)).toEqual({
      plants: [
        { name: 'plant 1', plan: null },
        { name: 'plant 2', plan: 'water' },
      ],
    });
    expect(errorsOf(result)).toEqual(['plants.0.plan SUBGRAPH_INVALID_RESPONSE']);
  });

  it('are null with an error when they are nested too deeply instead of objects', async () => {
    const result = await runScripted('{ plants { log { text } } garden { plant { name } } }', withCare('Plant', 'log { text }'), {
      plants: () => ({ data: { plants: [plant('1')], garden: nested(DEEP) } }),
      care: () => ({ data: { _entities: [{ log: nested(DEEP) }] } }),
    });
    expect(dataOf(result)).toEqual({ plants: [{ log: null }], garden: null });
    expect(errorsOf(result)).toEqual(['plants.0.log SUBGRAPH_INVALID_RESPONSE', 'garden SUBGRAPH_INVALID_RESPONSE']);
  });

  it('cause an error for each equal object when nested too deeply in their response', async () => {
    const result = await runScripted('{ plants { log { day text } } }', withCare('Plant', 'log { day text }'), {
      plants: () => ({ data: { plants: [plant('1'), plant('1')] } }),
      care: () => ({ data: { _entities: [{ log: { day: 1, text: nested(DEEP) } }] } }),
    });
    expect(dataOf(result)).toEqual({ plants: [{ log: { day: 1, text: null } }, { log: { day: 1, text: null } }] });
    expect(errorsOf(result)).toEqual(['plants.0.log.text SUBGRAPH_INVALID_RESPONSE', 'plants.1.log.text SUBGRAPH_INVALID_RESPONSE']);
  });

  it('are returned unchanged at the maximum depth', async () => {
    const result = await runScripted('{ plants { lists } }', planOf([root('plants', PLANTS)]), {
      plants: () => ({ data: { plants: [{ __typename: 'Plant', id: '1', lists: [[nested(64), { a: 1 }]] }] } }),
    });
    expect(result.errors).toEqual([]);
    expect(result.data).toContain('['.repeat(64));
  });

  it('are invalid one level deeper, in lists and in objects', async () => {
    const objects = JSON.parse(`${'{"a":'.repeat(64)}[]${'}'.repeat(64)}`) as unknown;
    const result = await runScripted('{ plants { notes } }', planOf([root('plants', PLANTS)]), {
      plants: () => ({ data: { plants: [plant('1', nested(65)), plant('2', objects), plant('3', 'flat')] } }),
    });
    expect(dataOf(result)).toEqual({ plants: [{ notes: null }, { notes: null }, { notes: 'flat' }] });
    expect(errorsOf(result)).toEqual(['plants.0.notes SUBGRAPH_INVALID_RESPONSE', 'plants.1.notes SUBGRAPH_INVALID_RESPONSE']);
  });

  it('are null with an error when nested too deeply on the path to entities', async () => {
    const plan = planOf([
      root('plants', '{ plants { __typename id log { day } } garden { best { __typename id } } }'),
      lookups('care', [0], [{ at: ['garden.best', 'plants'], by: ['Plant'], request: '{ ...on Plant { plan } }' }]),
    ]);
    const result = await runScripted('{ plants { plan } garden { best { plan } } }', plan, {
      plants: () => ({ data: { plants: [plant('1')], garden: { best: nested(DEEP) } } }),
      care: { data: { _entities: [{ plan: 'water' }] } },
    });
    expect(dataOf(result)).toEqual({ plants: [{ plan: 'water' }], garden: { best: null } });
    expect(errorsOf(result)).toEqual(['garden.best SUBGRAPH_INVALID_RESPONSE']);
  });
});
