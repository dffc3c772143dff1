import { createHmac, timingSafeEqual } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { RunningGateway } from '../../../cli/start-gateway.ts';
import { startReferenceGateway } from '../../support/stack/reference-gateway.ts';
import { describeOnStack } from '../../support/stack/shared-stack.ts';
import { startSubgraphProxy, type SubgraphProxy } from '../../support/stack/subgraph-proxy.ts';

/** One operation that needs all subgraphs. */
const EVERYWHERE = `{
  user(id: "1") { name posts(first: 1) { title } orders(first: 50) { nodes { product { title } shipment { carrier } } } }
  payment(id: "1") { amount }
  search(term: "a", first: 2) { __typename }
  webhooks(first: 1) { totalCount }
}`;

describeOnStack('subgraph requests and their headers', (stack) => {
  const { http, graphql, tokens, subgraphUrls, developmentKey, identitySecret } = stack;
  const proxies = new Map<string, SubgraphProxy>();
  let gateway: RunningGateway;

  beforeAll(async () => {
    for (const [name, url] of Object.entries(subgraphUrls)) proxies.set(name, await startSubgraphProxy(url));
    const urls = Object.fromEntries([...proxies].map(([name, { url }]) => [name, url]));
    gateway = await startReferenceGateway({ subgraphUrls: urls, developmentKey, identitySecret });
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    for (const proxy of proxies.values()) await proxy[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    for (const proxy of proxies.values()) proxy.forget();
  });

  const requests = () => [...proxies].flatMap(([subgraph, { requests }]) => requests.map((request) => ({ subgraph, ...request })));
  const request = (headers: Readonly<Record<string, string | string[]>> = {}, token: string = tokens.admin) =>
    graphql(EVERYWHERE, { headers, token, origin: gateway.url });

  it('forwards the correlation id of the client to every subgraph, and returns it', async () => {
    const { headers, errors } = await request({ 'x-correlation-id': 'Trace_1.2-3' });
    expect(errors).toBeUndefined();
    expect(headers['x-correlation-id']).toBe('Trace_1.2-3');
    expect(new Set(requests().map(({ subgraph }) => subgraph))).toEqual(new Set(Object.keys(subgraphUrls)));
    expect(new Set(requests().map(({ headers }) => headers['x-correlation-id']))).toEqual(new Set(['Trace_1.2-3']));
  });

  it('creates a new correlation id for each request without one', async () => {
    const one = (await request()).headers['x-correlation-id'];
    expect(new Set(requests().map(({ headers }) => headers['x-correlation-id']))).toEqual(new Set([one]));
    expect((await request()).headers['x-correlation-id']).not.toBe(one);
  });

  it.each(['', ' ', 'a b', 'x'.repeat(129), 'a,b', 'a/b', '../../etc', '<script>', '{{7*7}}', 'a\tb', '"a"', 'ünï'.normalize('NFC')])(
    'replaces the malformed correlation id %j everywhere',
    async (sent) => {
      const { headers } = await request({ 'x-correlation-id': Buffer.from(sent).toString('latin1') });
      const made = headers['x-correlation-id'];
      expect(made).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
      expect(made).not.toBe(sent);
      expect(new Set(requests().map(({ headers }) => headers['x-correlation-id']))).toEqual(new Set([made]));
    },
  );

  it('trusts neither of two correlation ids', async () => {
    const { headers } = await request({ 'x-correlation-id': ['one', 'two'] });
    expect(['one', 'two', 'one, two', 'one,two']).not.toContain(headers['x-correlation-id']);
  });

  it.each(['/users/1/orders', '/api/users/1/orders'])('forwards the correlation id of a REST request: %s', async (path) => {
    const response = await http.get(path, { headers: { 'x-correlation-id': 'by-rest' }, token: tokens.user1, origin: gateway.url });
    expect(response.status).toBe(200);
    expect(response.headers['x-correlation-id']).toBe('by-rest');
    expect(requests().length).toBeGreaterThan(0);
    for (const { headers } of requests()) expect(headers['x-correlation-id']).toBe('by-rest');
  });

  it.each(['/nothing', '/users/abc', '/users?size=0', '/health', '/graphql?query=%7B', '/openapi.json', '/docs', '/studio'])(
    'echoes a correlation id from %s',
    async (path) => {
      const response = await http.get(path, { headers: { 'x-correlation-id': 'kept' }, origin: gateway.url });
      expect(response.headers['x-correlation-id']).toBe('kept');
    },
  );

  it('forwards only the client headers that are meant for subgraphs', async () => {
    await request({
      cookie: 'session=secret',
      'x-user-id': '1',
      'x-internal-role': 'ADMIN',
      'x-forwarded-for': '10.0.0.1',
      'x-forwarded-host': 'evil.example',
      forwarded: 'for=10.0.0.1',
      'gatefold-identity': 'forged.forged.forged.forged',
      'x-api-key': 'secret',
      te: 'trailers',
      'accept-encoding': 'zstd',
      'idempotency-key': 'k',
      origin: 'https://evil.example',
      'proxy-authorization': 'Basic c2VjcmV0',
    });
    const names = new Set(requests().flatMap(({ headers }) => Object.keys(headers)));
    for (const name of [
      'authorization',
      'cookie',
      'x-user-id',
      'x-internal-role',
      'x-forwarded-for',
      'x-forwarded-host',
      'forwarded',
      'x-api-key',
      'idempotency-key',
      'origin',
      'proxy-authorization',
      'te',
    ]) {
      expect({ name, passed: names.has(name) }).toEqual({ name, passed: false });
    }
    for (const { headers } of requests()) {
      expect(headers['accept-encoding']).toBe('identity');
      expect(headers['gatefold-identity']).not.toContain('forged');
    }
  });

  it('sends each subgraph its own token with the caller, bound to the body', async () => {
    await request({}, stack.token({ sub: '7', roles: ['ADMIN', 'AUDITOR'], scope: 'read write' }));
    expect(requests().length).toBeGreaterThanOrEqual(7);
    for (const { subgraph, headers, body } of requests()) {
      const [header = '', payload = '', signature = '', proof = ''] = String(headers['gatefold-identity']).split('.');
      const expected = createHmac('sha256', identitySecret).update(`${header}.${payload}`).digest();
      expect(timingSafeEqual(Buffer.from(signature, 'base64url'), expected)).toBe(true);
      const key = createHmac('sha256', identitySecret).update(`proof:${subgraph}`).digest();
      expect(proof).toBe(createHmac('sha256', key).update(`${header}.${payload}.${signature}.${body}`).digest('base64url'));
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Readonly<Record<string, unknown>>;
      expect(claims).toMatchObject({
        iss: 'gatefold',
        aud: subgraph,
        sub: '7',
        kind: 'user',
        roles: ['ADMIN', 'AUDITOR'],
        scopes: ['read', 'write'],
      });
      expect(Number(claims['exp']) - Number(claims['iat'])).toBe(60);
      expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toMatchObject({ alg: 'HS256' });
    }
  });

  it('sends no subgraph request for a rejected operation', async () => {
    for (const query of [
      '{ nothing }',
      '{',
      '{ user(id: "1") { name @nothing } }',
      'query ($id: ID!) { user(id: $id) { id } }',
      '{ __schema { types { name } } }',
      '{ __typename }',
    ]) {
      await graphql(query, { origin: gateway.url });
    }
    await http.get('/users/abc', { origin: gateway.url });
    await http.get('/users?size=0', { origin: gateway.url });
    await http.get('/users/1', { token: 'nonsense', origin: gateway.url });
    expect(requests()).toEqual([]);
  });

  it('queries only the subgraph that has the selected `fields` of a resource', async () => {
    await http.get('/users/1?fields=id,name', { origin: gateway.url });
    expect(requests().map(({ subgraph }) => subgraph)).toEqual(['users']);
  });

  it('queries another subgraph once for all items of a list', async () => {
    await graphql('{ posts(first: 50) { nodes { title author { name } } } }', { origin: gateway.url });
    expect(
      requests()
        .map(({ subgraph }) => subgraph)
        .sort((one, other) => one.localeCompare(other)),
    ).toEqual(['posts', 'users']);
  });
});
