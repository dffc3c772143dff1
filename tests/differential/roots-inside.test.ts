import { buildSubgraphSchema } from '@apollo/subgraph';
import { describe, expect, it } from '@jest/globals';
import { buildSchema, execute, parse } from 'graphql';
import { gql } from 'graphql-tag';
import { composeSubgraphs } from '../../gateway/supergraph/compose-subgraphs.ts';
import type { SubgraphExecutor } from '../../gateway/supergraph/subgraph-executor.ts';
import { withDefer } from '../support/schema/with-defer.ts';
import { applyPatches } from '../support/graphql/apply-patches.ts';
import { createEngine } from './engine.ts';

const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])';

const SUBGRAPHS = {
  accounts: `${LINK}
    type Query { me: User payloads: [Payload] }
    type Mutation { save(ok: Boolean = true): Payload }
    type Payload { ok: Boolean query: Query again: Payload }
    type User @key(fields: "id") { id: ID! name: String }`,
  shop: `${LINK}
    type Query { count(by: Int = 1): Int! items: [Item!] broken: Int best: User }
    type Item { title: String owner: User }
    type User @key(fields: "id") { id: ID! orders: Int }`,
};

const MONOLITH = `
  type Query { me: User payloads: [Payload] count(by: Int = 1): Int! items: [Item!] broken: Int best: User }
  type Mutation { save(ok: Boolean = true): Payload }
  type Payload { ok: Boolean query: Query again: Payload }
  type User { id: ID! name: String orders: Int }
  type Item { title: String owner: User }`;

const user = (id: string) => ({ __typename: 'User', id, name: `name ${id}`, orders: Number(id) * 10 });
const payload = (ok: boolean): object => ({ ok, query: () => (ok ? ROOT : null), again: () => (ok ? payload(true) : null) });
const ROOT: object = {
  me: user('1'),
  payloads: () => [payload(true), payload(false), null, payload(true)],
  save: ({ ok }: { ok: boolean }) => payload(ok),
  count: ({ by }: { by: number }) => by,
  items: [
    { title: 'one', owner: user('1') },
    { title: 'two', owner: user('2') },
  ],
  broken: () => {
    throw new Error('broken');
  },
  best: user('2'),
};

const composition = composeSubgraphs(
  Object.entries(SUBGRAPHS).map(([name, text]) => ({ name, url: `http://${name}`, files: [{ path: `${name}.graphql`, text }] })),
);
if ('errors' in composition) throw new Error(composition.errors.map(({ message }) => message).join('\n'));
const monolith = buildSchema(MONOLITH);
const engine = createEngine({ supergraphSdl: composition.supergraphSdl, schema: withDefer(monolith) });
const schemas = new Map(
  Object.entries(SUBGRAPHS).map(([name, text]) => {
    const resolvers = { User: { __resolveReference: ({ id }: { id: string }) => user(id) } };
    return [name, buildSubgraphSchema({ typeDefs: gql(text), resolvers })];
  }),
);

const executor: SubgraphExecutor = async ({ subgraph, body }) => {
  const schema = schemas.get(subgraph);
  if (schema === undefined) throw new Error(`The subgraph ${subgraph} does not exist.`);
  const { query, variables } = JSON.parse(body) as { query: string; variables: Record<string, unknown> };
  const { data, errors = [] } = await execute({ schema, document: parse(query), variableValues: variables, rootValue: ROOT });
  return {
    data: JSON.parse(JSON.stringify(data ?? null)) as Record<string, unknown> | null,
    errors: errors.map(({ message, path = [] }) => ({ message, code: 'FAILED', path })),
  };
};

describe('the root query type inside of payloads', () => {
  it.each([
    'mutation { save { ok query { items { title } } } }',
    'mutation { save { query { me { name } count(by: 3) } } }',
    'mutation { save { query { count best { id name orders } items { owner { name } } } } }',
    'mutation { save(ok: false) { ok query { count } } }',
    'mutation { a: save { query { x: count(by: 1) y: count(by: 2) } } b: save { query { count } } }',
    'mutation { save { query { broken count } } }',
    'mutation { save { again { query { payloads { ok query { items { title } me { orders } } } } } } }',
    '{ payloads { ok query { count items { title owner { id name orders } } } } }',
    '{ count payloads { query { count payloads { query { best { name } } } } } }',
    'query ($by: Int) { payloads { query { broken count(by: $by) } } }',
  ])('returns the result of a single schema for %s', async (text) => {
    const truth = await execute({ schema: monolith, document: parse(text), rootValue: ROOT });
    const ours = await engine.respond({ text, variables: {}, labels: [], executor });
    expect(JSON.stringify(ours.data)).toBe(JSON.stringify(truth.data));
    const pathsOf = (errors: readonly { readonly path?: readonly (string | number)[] | undefined }[] = []) =>
      errors.map(({ path }) => (path ?? []).join('.')).sort();
    expect(pathsOf(ours.errors)).toEqual(pathsOf(truth.errors));
  });

  it.each([
    [
      'mutation { save { ok query { me { name } ... @defer { items { title owner { orders } } } } } }',
      'mutation { save { ok query { me { name } items { title owner { orders } } } } }',
    ],
    ['{ payloads { ok ... @defer { query { count best { name } } } } }', '{ payloads { ok query { count best { name } } } }'],
    ['mutation { ... @defer { save { query { count } } } }', 'mutation { save { query { count } } }'],
  ])('returns payloads that merge into the result of a single schema for %s', async (text, whole) => {
    const truth = await execute({ schema: monolith, document: parse(whole), rootValue: ROOT });
    const ours = await engine.respondInMultipart({ text, variables: {}, labels: [], executor });
    expect(ours.parts.flat()).not.toHaveLength(0);
    expect(applyPatches(ours)).toEqual(JSON.parse(JSON.stringify(truth.data)));
  });
});
