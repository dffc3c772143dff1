import { describe, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import { GatewayError } from '../../../../gateway/platform/errors.ts';
import type { OperationPlan, RepresentationField } from '../../../../gateway/planning/operation-plan.ts';
import { bodiesOf, dataOf, errorsOf, scriptedGraph } from './scripted-graph.ts';
import { lookups, planOf, root } from './scripted-plan.ts';

const run = scriptedGraph(
  buildSchema(`
    type Query { p: P list: [P] }
    interface P { id: ID! extra: Int more: Int }
    type A implements P { id: ID! extra: Int more: Int }
    type B implements P { id: ID! extra: Int more: Int }
  `),
);
const HEAD = '__typename id';

/** Returns the representation that is sent for an object, given its possible variants. */
async function represent(object: object, by: readonly string[]): Promise<unknown> {
  const plan = planOf([root('a', `{ p { ${HEAD} } }`), lookups('b', [0], [{ at: ['p'], by, request: '{ ...on P { extra } }' }])]);
  const result = await run('{ p { extra } }', plan, { a: () => ({ data: { p: object } }), b: { data: { _entities: [null] } } });
  const sent = bodiesOf(result)[1]?.variables['representations'];
  return Array.isArray(sent) ? sent[0] : undefined;
}

describe('the representation of an object', () => {
  it.each([
    ['without a type name', { id: '1' }],
    ['without its key', { __typename: 'A' }],
    ['of another type', { __typename: 'B', id: '1' }],
    ['of an unknown type', { __typename: 'constructor', id: '1' }],
  ])('is not sent for an object %s', async (_what, object) => {
    expect(await represent(object, ['A { id }'])).toBeUndefined();
  });

  it.each([[null], ['a"b'], [7], [1.5], [true], [{ any: [1] }], [['x']]])('contains the key %j unchanged', async (id) => {
    expect(await represent({ __typename: 'A', id }, ['A { id }'])).toEqual({ __typename: 'A', id });
    expect(await represent({ __typename: 'A', id, n: 1 }, ['A { id n }'])).toEqual({ __typename: 'A', id, n: 1 });
  });

  it('is the first one for its type, with the names that the subgraph knows', async () => {
    const paths = ['A as P { key: id }', 'B { id }', '*C { id }'];
    expect(await represent({ __typename: 'A', id: '1' }, paths)).toEqual({ __typename: 'P', key: '1' });
    expect(await represent({ __typename: 'B', id: '1' }, paths)).toEqual({ __typename: 'B', id: '1' });
    expect(await represent({ id: '1' }, paths)).toEqual({ __typename: 'C', id: '1' });
  });

  it('is in a request that is marked as made from an earlier response', async () => {
    const plan = planOf([
      root('a', `{ p { ${HEAD} } }`),
      lookups('b', [0], [{ at: ['p'], by: ['A { id }'], request: '{ ...on P { extra } }' }]),
    ]);
    const p = { __typename: 'A', id: '1' };
    const { requests } = await run('{ p { extra } }', plan, { a: { data: { p } }, b: { data: { _entities: [null] } } });
    expect(requests.map(({ isDependent }) => isDependent)).toEqual([false, true]);
  });

  it('is also available without its text, if it has one field', async () => {
    const requestFor = async (list: readonly object[], by: readonly string[]) => {
      const plan = planOf([
        root('a', `{ list { ${HEAD} } }`),
        lookups('b', [0], [{ at: ['list', '@'], by, request: '{ ...on P { extra } }' }]),
      ]);
      const result = await run('{ list { extra } }', plan, { a: () => ({ data: { list } }), b: { data: { _entities: [] } } });
      return result.requests[1]?.entities?.representations();
    };
    const list = ['1', 2, '1', 'a"b', 2].map((id) => ({ __typename: 'A', id }));
    expect(await requestFor([...list, { __typename: 'B', id: '3' }], ['A as P { key: id }'])).toEqual([
      { __typename: 'P', key: '1' },
      { __typename: 'P', key: 2 },
      { __typename: 'P', key: 'a"b' },
    ]);
    expect(await requestFor(list, ['A { id }', 'B { id }'])).toBeUndefined();
    expect(await requestFor([{ __typename: 'A', id: [1] }], ['A { id }'])).toBeUndefined();
  });

  it('contains the required fields of objects and nested lists', async () => {
    const size = { width: 3, height: 9, parts: [[{ weight: 1, name: 'x' }, null], null] };
    const path = 'A { id size { width parts { weight } } }';
    expect(await represent({ __typename: 'A', id: '1', size }, [path])).toEqual({
      __typename: 'A',
      id: '1',
      size: { width: 3, parts: [[{ weight: 1 }, null], null] },
    });
    expect(await represent({ __typename: 'A', id: '1', size: { width: 1 } }, [path])).toEqual({ __typename: 'A', id: '1', size: null });
    expect(await represent({ __typename: 'A', id: '1', size: 'x' }, [path])).toBeDefined();
  });

  it('contains only the required fields of the actual nested type', async () => {
    const path = 'A { id box { ... on Cube { edge } ... on Tin { lid } side } }';
    const box = { __typename: 'Cube', edge: 2, side: 4, lid: 5 };
    expect(await represent({ __typename: 'A', id: '1', box }, [path])).toEqual({ __typename: 'A', id: '1', box: { edge: 2, side: 4 } });
  });
});

describe('a value that only some fields require', () => {
  const down = new GatewayError('SUBGRAPH_UNAVAILABLE', 'Down.');
  const needed: RepresentationField = { name: 'weight', key: 'weight', for: ['extra'] };

  function planWith(request: string): OperationPlan {
    const last = lookups('c', [0, 1], [{ at: ['p'], by: ['A { id }'], request: `{ ...on A { ${request} } }` }]);
    const widened = last.lookups?.map((lookup) =>
      Object.assign({}, lookup, { representations: lookup.representations.map((path) => ({ ...path, fields: [...path.fields, needed] })) }),
    );
    return planOf([
      root('a', `{ p { ${HEAD} } }`),
      lookups('b', [0], [{ at: ['p'], by: ['A { id }'], request: '{ ...on A { weight } }' }]),
      { ...last, lookups: widened ?? [] },
    ]);
  }
  const a = { data: { p: { __typename: 'A', id: '1' } } };

  it('fails only those fields, with its own error, when it cannot be fetched', async () => {
    const c = {
      data: { _entities: [{ extra: 5, more: 6 }] },
      errors: [{ message: 'No weight.', code: 'CONFLICT', path: ['_entities', 0, 'extra'] }],
    };
    const result = await run('{ p { extra more } }', planWith('extra more'), { a, b: down, c });
    expect(bodiesOf(result)[2]?.variables).toEqual({ representations: [{ __typename: 'A', id: '1' }] });
    expect(dataOf(result)).toEqual({ p: { extra: null, more: 6 } });
    expect(errorsOf(result)).toEqual(['p.extra SUBGRAPH_UNAVAILABLE']);
  });

  it('prevents the fetch when all fields require it', async () => {
    const result = await run('{ p { extra } }', planWith('extra'), { a, b: down });
    expect(result.requests.map(({ subgraph }) => subgraph)).toEqual(['a', 'b']);
    expect(errorsOf(result)).toEqual(['p.extra SUBGRAPH_UNAVAILABLE']);
  });

  it('is sent when it is null', async () => {
    const c = { data: { _entities: [{ extra: 5, more: 6 }] } };
    const result = await run('{ p { extra more } }', planWith('extra more'), { a, b: { data: { _entities: [{ weight: null }] } }, c });
    expect(bodiesOf(result)[2]?.variables).toEqual({ representations: [{ __typename: 'A', id: '1', weight: null }] });
    expect(dataOf(result)).toEqual({ p: { extra: 5, more: 6 } });
  });
});
