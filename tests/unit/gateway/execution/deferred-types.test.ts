import { describe, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import { GatewayError } from '../../../../gateway/platform/errors.ts';
import { dataOf } from './scripted-graph.ts';
import { allPatches, gate, runDeferred } from './scripted-deferral.ts';
import { lookups, planOf, root } from './scripted-plan.ts';

const schema = buildSchema(`
  directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
  interface Thing { id: ID! }
  type Book implements Thing { id: ID! title: String }
  type Shelf implements Thing { id: ID! width: Int }
  type Query { thing: Thing }
`);

/** Queries a subgraph that knows only the interface first. Another subgraph knows the actual types. */
const plan = planOf([
  root('a', '{ thing { __typename id } }'),
  {
    ...lookups('b', [0], [{ at: ['thing'], by: ['*Thing'], request: '{ ... on Thing { __typename ... on Book { title } } }' }]),
    deferral: 1,
  },
]);
const text = '{ thing { id ... on Book @defer(label: "book") { title } } }';
const thing = { data: { thing: { __typename: 'Thing', id: '1' } } };
const respond = (entity: object) => ({ data: { _entities: [entity] } });

describe('a value of unknown type in the initial result', () => {
  it('makes the fragment null with an error when its type cannot be fetched', async () => {
    const down = new GatewayError('SUBGRAPH_UNAVAILABLE', 'Not there.');
    const result = await runDeferred({ schema, text, plan, script: { a: thing, b: down } });
    expect(dataOf(result)).toEqual({ thing: { id: '1' } });
    const [[patch] = []] = await allPatches(result);
    expect(patch).toMatchObject({ label: 'book', path: 'thing', data: null });
    expect(patch?.errors).toContain('thing SUBGRAPH_UNAVAILABLE');
  });

  it('causes an empty last payload when its type does not match the fragment', async () => {
    const hanging = gate(respond({ __typename: 'Shelf' }));
    const result = await runDeferred({ schema, text, plan, script: { a: thing, b: hanging.respond } });
    hanging.open();
    expect(await allPatches(result)).toEqual([[]]);
    expect(result.deferred?.hasNext).toBe(false);
  });

  it('causes a patch when its type matches the fragment', async () => {
    const hanging = gate(respond({ __typename: 'Book', title: 'Momo' }));
    const result = await runDeferred({ schema, text, plan, script: { a: thing, b: hanging.respond } });
    hanging.open();
    expect(await allPatches(result)).toEqual([[{ label: 'book', path: 'thing', data: { title: 'Momo' }, errors: [] }]]);
  });

  it('causes an empty last payload when nothing depends on its type', async () => {
    const alone = planOf([root('a', '{ thing { __typename id } }')]);
    const result = await runDeferred({
      schema,
      text: '{ thing { id ... on Book @defer { title @skip(if: true) } } }',
      plan: alone,
      script: { a: thing },
    });
    expect(await allPatches(result)).toEqual([[]]);
  });
});
