import { request as httpRequest, createServer } from 'node:http';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { json, text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { resolveGatewayConfig } from '../../../../../gateway/config/resolve-gateway-config.ts';
import type { GatewayConfigInput } from '../../../../../gateway/config/sections.ts';
import { createGraphiqlSession } from '../../../../../gateway/http/server/graphiql-session.ts';

const DEV: GatewayConfigInput = { profile: 'dev', supergraph: { sdl: '-' }, auth: { developmentKey: 'k'.repeat(40) } };

interface Body {
  readonly tokens: readonly { readonly name: string; readonly token: string }[];
  readonly query?: string;
}

/** Requests the session data over a real connection. @param headers `host` with `PORT` gets the port of the server */
async function fetchSession(config: GatewayConfigInput, headers: Readonly<Record<string, string>> = {}): Promise<Body> {
  return withSession(config, async (port) => {
    const withPort = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('PORT', String(port))]));
    const request = httpRequest({ host: '127.0.0.1', port, path: '/studio/session.json', headers: withPort }).end();
    const [response] = await once(request, 'response');
    expect(response.headers['cache-control']).toBe('no-store');
    return (await json(response)) as Body;
  });
}

async function withSession<Result>(config: GatewayConfigInput, use: (port: number) => Promise<Result>): Promise<Result> {
  const session = createGraphiqlSession({ config: resolveGatewayConfig(config), startingQuery: () => '{ a }' });
  const server = createServer((request, response) => {
    void session.respond(request).then((sent) => response.writeHead(sent.status, sent.headers).end(sent.body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    return await use(port);
  } finally {
    server.close();
  }
}

describe('the session data of GraphiQL', () => {
  it.each<[string, GatewayConfigInput]>([
    ['in the production profile', { profile: 'production', supergraph: { sdl: '-' }, graphql: { graphiql: true } }],
    ['without a development key', { profile: 'dev', supergraph: { sdl: '-' } }],
    ['on an address that other machines reach', { ...DEV, server: { host: '0.0.0.0' } }],
  ])('contains no tokens %s', async (_, config) => {
    expect((await fetchSession(config)).tokens).toEqual([]);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['names another host, as with DNS rebinding', { host: 'attacker.example:PORT' }],
    ['names a host that begins like a loopback address', { host: '127.0.0.1.attacker.example' }],
    ['was sent by a page of another origin', { origin: 'http://localhost:3000' }],
    ['was sent by a page of no origin', { origin: 'null' }],
    ['was sent by a page of another port', { 'sec-fetch-site': 'same-site' }],
    ['was sent by a page of another site', { 'sec-fetch-site': 'cross-site' }],
    ['was forwarded by a proxy', { 'x-forwarded-for': '127.0.0.1' }],
    ['was forwarded by a tunnel', { forwarded: 'for=127.0.0.1' }],
    ['was forwarded by a content delivery network', { 'cf-connecting-ip': '192.0.2.1' }],
  ])('contains no tokens for a request that %s', async (_, headers) => {
    expect(await fetchSession(DEV, headers)).toEqual({ tokens: [], query: '{ a }' });
  });

  it('contains no tokens for HTTP/1.0, with which nginx forwards requests', async () => {
    const response = await withSession(DEV, async (port) => {
      const socket = connect(port, '127.0.0.1');
      socket.write(`GET /studio/session.json HTTP/1.0\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
      return text(socket);
    });
    expect(response).toContain('{"tokens":[],"query":"{ a }"}');
  });

  it('contains no query if introspection is off', async () => {
    expect(await fetchSession({ ...DEV, graphql: { introspection: false } })).toEqual({ tokens: [expect.anything(), expect.anything()] });
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['the page', { host: 'localhost:PORT', origin: 'http://localhost:PORT', 'sec-fetch-site': 'same-origin' }],
    ['a client on the same machine', {}],
  ])('contains tokens of a user and of an administrator for %s', async (_, headers) => {
    const { tokens } = await fetchSession(DEV, headers);
    expect(tokens.map(({ name, token }) => [name, decodeJwt(token)])).toEqual([
      ['User 1', expect.objectContaining({ sub: '1', roles: [] })],
      ['User 2, role ADMIN', expect.objectContaining({ sub: '2', roles: ['ADMIN'] })],
    ]);
  });
});
