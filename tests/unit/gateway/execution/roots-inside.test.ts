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

/** A request of the root type whose answer belongs to objects inside of the tree. */
function inside(path: string, fetch: PlannedFetch): PlannedFetch {
  return { ...fetch, path: path.split('.').map((key) => ({ key })) };
}

const SAVE = root('a', 'mutation { save { ok query { __typename } } }');
const ME = inside('save.query', root('b', '{ me { id name } }', {}, [0]));
const saved = { data: { save: { ok: true, query: { __typename: 'Query' } } } };

describe('given the root type of queries inside of a payload', () => {
  it('when the payload is null, then nothing is asked', async () => {
    const outcome = await run('mutation { save { ok query { me { name } } } }', planOf([SAVE, ME]), { a: { data: { save: null } } });
    expect([dataOf(outcome), errorsOf(outcome), outcome.requests.length]).toEqual([{ save: null }, [], 1]);
  });

  it('when the subgraph of its fields fails, then they fail where they stand', async () => {
    const down = new GatewayError('SUBGRAPH_UNAVAILABLE', 'Not there.');
    const outcome = await run(
      'mutation { save { ok query { who: me { name } } } }',
      planOf([SAVE, inside('save.query', root('b', '{ me: me { name } }', {}, [0]))], { withArguments: { 'who:me': 'me' } }),
      { a: saved, b: down },
    );
    expect(dataOf(outcome)).toEqual({ save: { ok: true, query: { who: null } } });
    expect(errorsOf(outcome)).toEqual(['save.query.who SUBGRAPH_UNAVAILABLE']);
  });

  it('when the subgraph answers with errors, then these have the path of the place', async () => {
    const errors = [{ message: 'No name.', code: 'NO_NAME', path: ['me', 'name'] }];
    const outcome = await run('mutation { save { query { me { name } } } }', planOf([SAVE, ME]), {
      a: saved,
      b: { data: { me: { id: '1', name: null } }, errors },
    });
    expect(dataOf(outcome)).toEqual({ save: { query: { me: { name: null } } } });
    expect(errorsOf(outcome)).toEqual(['save.query.me.name NO_NAME']);
  });

  it('when a field must not be null and is, then the place becomes null', async () => {
    const plan = planOf([SAVE, inside('save.query', root('b', '{ count }', {}, [0]))]);
    const outcome = await run('mutation { save { ok query { count } } }', plan, { a: saved, b: { data: { count: null } } });
    expect(dataOf(outcome)).toEqual({ save: { ok: true, query: null } });
    expect(errorsOf(outcome)).toEqual(['save.query.count SUBGRAPH_INVALID_RESPONSE']);
  });

  it('when all goes well, then the answer stands at the place, and what is asked of it further is found there', async () => {
    const names = lookups('c', [1], [{ at: ['save.query.me'], by: ['*Person'], ask: '{ ... on Person { name } }' }]);
    const plan = planOf([SAVE, inside('save.query', root('b', '{ me { id } }', {}, [0])), names]);
    const outcome = await run('mutation { save { ok query { me { name } } } }', plan, {
      a: saved,
      b: { data: { me: { id: '1' } } },
      c: { data: { _entities: [{ name: 'One' }] } },
    });
    expect(dataOf(outcome)).toEqual({ save: { ok: true, query: { me: { name: 'One' } } } });
    expect(bodiesOf(outcome)[2]?.variables).toEqual({ representations: [{ __typename: 'Person', id: '1' }] });
  });

  it('when there are several such places, then it is asked once, and each has all, with objects of its own', async () => {
    const payloads = [{ query: { __typename: 'Query' } }, { query: null }, { query: { __typename: 'Query' } }];
    const names = lookups('c', [1], [{ at: ['payloads.query.me'], by: ['*Person'], ask: '{ ... on Person { name } }' }]);
    const plan = planOf([
      root('a', '{ payloads { query { __typename } } }'),
      inside('payloads.query', root('b', '{ me { id } }', {}, [0])),
      names,
    ]);
    const script = { a: { data: { payloads } }, b: { data: { me: { id: '1' } } }, c: { data: { _entities: [{ name: 'One' }] } } };
    const outcome = await run('{ payloads { query { me { id name } } } }', plan, script);
    const full = { query: { me: { id: '1', name: 'One' } } };
    expect(dataOf(outcome)).toEqual({ payloads: [full, { query: null }, full] });
    expect(outcome.requests.map(({ subgraph }) => subgraph)).toEqual(['a', 'b', 'c']);
  });
});
