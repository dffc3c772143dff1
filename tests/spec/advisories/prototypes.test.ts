import { once } from 'node:events';
import { createServer, type IncomingMessage, request as openRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createGateway, type Gateway } from '../../../gateway/index.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { ANONYMOUS } from '../../../gateway/platform/principal.ts';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';
import { buildGuardedGraph } from '../../fixtures/authorization/guarded-graph.ts';
import { startGuardedGateway } from '../../fixtures/authorization/start-guarded-gateway.ts';
import { queryInProcess } from '../../integration/authorization/run-matrix.ts';
import { postGraphql } from '../../support/http/graphql-over-http.ts';

const SDL = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])
  type Query { book: Book any: Any echo(value: Any): String }
  scalar Any
  type Book @key(fields: "id") { id: ID! title: String more: [Book] }
`;

/** A subgraph response that tries to change all objects of the process. */
const POLLUTING = `{"data":{
  "__proto__":{"polluted":"root"},
  "constructor":{"prototype":{"polluted":"constructor"}},
  "book":{"__proto__":{"polluted":"object"},"constructor":{"prototype":{"polluted":"inner"}},"__typename":"Book","id":"1","title":"Momo",
    "more":[{"__proto__":{"polluted":"list"},"__typename":"Book","id":"2","title":"Jim"}]},
  "any":{"__proto__":{"polluted":"scalar"},"ok":1}
},"errors":[{"message":"m","path":["__proto__","polluted"],"extensions":{"__proto__":{"polluted":"error"},"code":"NOT_FOUND"}}]}`;

describe('CVE-2026-32621: names with a meaning for JavaScript objects', () => {
  let gateway: Gateway;
  let url: string;
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.setHeader('content-type', 'application/json').end(POLLUTING));
  });

  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const composition = composeSubgraphs([{ name: 'books', url: address, files: [{ path: 'books.graphql', text: SDL }] }]);
    if (composition.errors !== undefined) throw new Error(JSON.stringify(composition.errors));
    gateway = await createGateway(
      { profile: 'dev', server: { port: 0, internalPort: 0 }, supergraph: { sdl: composition.supergraphSdl } },
      { logger: silentLogger },
    );
    ({ url } = await gateway.listen());
  });

  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    server.close();
    server.closeAllConnections();
  });

  afterEach(() => {
    for (const object of [{}, [], () => undefined]) expect((object as { polluted?: unknown }).polluted).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  const request = (query: string, variables?: unknown) => postGraphql(`${url}/graphql`, { query, variables });

  it.each([
    ['alias', '{ __proto__: book { id } }'],
    ['nested alias', '{ book { __proto__: id } }'],
    ['fragment', '{ ...__proto__ } fragment __proto__ on Query { book { id } }'],
    ['operation', 'query __proto__ { book { id } }'],
    ['variable', 'query ($__proto__: Any) { echo(value: $__proto__) }'],
  ])('rejects __proto__ as the name of an %s', async (_what, query) => {
    const { body, code } = await request(query);
    expect(code).toBe('GRAPHQL_VALIDATION_FAILED');
    expect(body).not.toHaveProperty('data');
  });

  it.each(['constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'])(
    'treats %s as an ordinary alias',
    async (alias) => {
      const graph = buildGuardedGraph({
        subgraphs: [{ name: 'books', url: 'http://books.invalid/', files: [{ path: 'books.graphql', text: SDL }] }],
        resolvers: { Query: { book: () => ({ __typename: 'Book', id: '1', title: 'Momo' }) } },
        findEntity: () => undefined,
        policy: {},
      });
      await using plain = await startGuardedGateway(graph);
      const { data } = await queryInProcess(plain)(
        { text: `{ ${alias}: book { ${alias}: title } }`, variables: {} },
        { name: 'anybody', principal: ANONYMOUS },
      );
      expect(Object.entries(data as object)).toEqual([[alias, { [alias]: 'Momo' }]]);
    },
  );

  it.each([
    ['__proto__', '{"__proto__":{"polluted":1}}'],
    ['a nested __proto__', '{"value":{"__proto__":{"polluted":1}}}'],
    ['a nested constructor', '{"value":{"constructor":{"prototype":{"polluted":1}}}}'],
  ])('rejects variables with %s as a client error', async (_what, variables) => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
      body: `{"query":"query($value:Any){echo(value:$value)}","variables":${variables}}`,
    });
    expect(response.status).toBe(400);
  });

  it('merges a subgraph response with such keys without changing other objects', async () => {
    const { body } = await request('{ book { id title more { id title } } any }');
    expect(body.data).toMatchObject({ book: { id: '1', title: 'Momo', more: [{ id: '2', title: 'Jim' }] } });
    expect(JSON.stringify(body.data)).not.toMatch(/polluted":"(?:root|object|list|inner)/);
  });

  // CVE-2026-21710 in Node: such a header must not end the process.
  it('serves a request with a header called __proto__', async () => {
    const request = openRequest(`${url}/graphql?query={__typename}`, { headers: { ['__proto__']: 'x', constructor: 'y' } });
    const [response] = (await once(request.end(), 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(200);
  });
});
