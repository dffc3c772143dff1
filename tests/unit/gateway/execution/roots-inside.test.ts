import { describe, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import type { PlannedFetch } from '../../../../gateway/planning/operation-plan.ts';
import { GatewayError } from '../../../../gateway/platform/errors.ts';
import { bodiesOf, dataOf, errorsOf, scriptedGraph } from './scripted-graph.ts';
import { lookups, planOf, root } from './scripted-plan.ts';

const run = scriptedGraph(
  buildSchema(`
    type Query { me: Person count: Int! page(size: Int): [Person] payloads: [Payload] }
    type Person { id: ID! name: String }
    type Payload { query: Query ok: Boolean }
    type Mutation { save: Payload }
  `),
);

/** Creates a fetch of the root type whose response belongs to nested objects. */
function inside(path: string, fetch: PlannedFetch): PlannedFetch {
  return { ...fetch, path: path.split('.').map((key) => ({ key })) };
}

const SAVE = root('a', 'mutation { save { ok query { __typename } } }');
const ME = inside('save.query', root('b', '{ me { id name } }', {}, [0]));
const saved = { data: { save: { ok: true, query: { __typename: 'Query' } } } };

describe('the query root type inside a payload', () => {
  it('causes no fetch when the payload is null', async () => {
    const result = await run('mutation { save { ok query { me { name } } } }', planOf([SAVE, ME]), { a: { data: { save: null } } });
    expect([dataOf(result), errorsOf(result), result.requests.length]).toEqual([{ save: null }, [], 1]);
  });

  it('has errors at its fields when their subgraph fails', async () => {
    const down = new GatewayError('SUBGRAPH_UNAVAILABLE', 'Not there.');
    const result = await run(
      'mutation { save { ok query { who: me { name } } } }',
      planOf([SAVE, inside('save.query', root('b', '{ me: me { name } }', {}, [0]))], { withArguments: { 'who:me': 'me' } }),
      { a: saved, b: down },
    );
    expect(dataOf(result)).toEqual({ save: { ok: true, query: { who: null } } });
    expect(errorsOf(result)).toEqual(['save.query.who SUBGRAPH_UNAVAILABLE']);
  });

  it('has subgraph errors with its own path as prefix', async () => {
    const errors = [{ message: 'No name.', code: 'NO_NAME', path: ['me', 'name'] }];
    const result = await run('mutation { save { query { me { name } } } }', planOf([SAVE, ME]), {
      a: saved,
      b: { data: { me: { id: '1', name: null } }, errors },
    });
    expect(dataOf(result)).toEqual({ save: { query: { me: { name: null } } } });
    expect(errorsOf(result)).toEqual(['save.query.me.name NO_NAME']);
  });

  it('becomes null when a non-nullable field is null', async () => {
    const plan = planOf([SAVE, inside('save.query', root('b', '{ count }', {}, [0]))]);
    const result = await run('mutation { save { ok query { count } } }', plan, { a: saved, b: { data: { count: null } } });
    expect(dataOf(result)).toEqual({ save: { ok: true, query: null } });
    expect(errorsOf(result)).toEqual(['save.query.count SUBGRAPH_INVALID_RESPONSE']);
  });

  it('contains the response and the entity fields that are fetched further', async () => {
    const names = lookups('c', [1], [{ at: ['save.query.me'], by: ['*Person'], request: '{ ... on Person { name } }' }]);
    const plan = planOf([SAVE, inside('save.query', root('b', '{ me { id } }', {}, [0])), names]);
    const result = await run('mutation { save { ok query { me { name } } } }', plan, {
      a: saved,
      b: { data: { me: { id: '1' } } },
      c: { data: { _entities: [{ name: 'One' }] } },
    });
    expect(dataOf(result)).toEqual({ save: { ok: true, query: { me: { name: 'One' } } } });
    expect(bodiesOf(result)[2]?.variables).toEqual({ representations: [{ __typename: 'Person', id: '1' }] });
  });

  it('is fetched once for several positions, which have separate objects', async () => {
    const payloads = [{ query: { __typename: 'Query' } }, { query: null }, { query: { __typename: 'Query' } }];
    const names = lookups('c', [1], [{ at: ['payloads.query.me'], by: ['*Person'], request: '{ ... on Person { name } }' }]);
    const plan = planOf([
      root('a', '{ payloads { query { __typename } } }'),
      inside('payloads.query', root('b', '{ me { id } }', {}, [0])),
      names,
    ]);
    const script = { a: { data: { payloads } }, b: { data: { me: { id: '1' } } }, c: { data: { _entities: [{ name: 'One' }] } } };
    const result = await run('{ payloads { query { me { id name } } } }', plan, script);
    const full = { query: { me: { id: '1', name: 'One' } } };
    expect(dataOf(result)).toEqual({ payloads: [full, { query: null }, full] });
    expect(result.requests.map(({ subgraph }) => subgraph)).toEqual(['a', 'b', 'c']);
  });
});
