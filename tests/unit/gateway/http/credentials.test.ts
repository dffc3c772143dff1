import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LibraryGateway, startLibraryGateway } from '../../../fixtures/library-graph.ts';
import { signToken } from '../../../support/identity/tokens.ts';
import { type FakeIdentityProvider, json, startFakeIdentityProvider } from '../../../support/identity/fake-identity-provider.ts';

const SECRET = 's'.repeat(43);
const KEY = 'a key that only these tests know, and nobody else';

let directory: string;
let provider: FakeIdentityProvider;
let library: LibraryGateway;
const logged: string[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatefold-credentials-'));
  provider = await startFakeIdentityProvider(json({}, 503));
  const file = join(directory, 'api-keys.json');
  const secret = join(directory, 'client.secret');
  await writeFile(file, JSON.stringify({ keys: [{ id: 'one', sha256: createHash('sha256').update(SECRET).digest('hex') }] }));
  await writeFile(secret, SECRET);
  const log = (...line: readonly unknown[]): void => void logged.push(JSON.stringify(line));
  library = await startLibraryGateway({
    config: {
      auth: {
        developmentKey: KEY,
        providers: { apiKey: { file }, introspection: { url: provider.url, clientId: 'graph', clientSecretFile: secret } },
      },
    },
    logger: { debug: log, info: log, warn: log, error: log },
  });
});

afterAll(async () => {
  await library[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

/** Sends one query with raw headers. */
async function query(headers: readonly string[], path = '/graphql?query={__typename}') {
  const url = new URL(path, library.url);
  const sent = request(url, { headers: ['Host', url.host, ...headers] }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: JSON.parse(await text(response)) as unknown };
}

const withCode = (code: string) => ({ errors: [expect.objectContaining({ extensions: expect.objectContaining({ code }) })] });

describe('credentials of an HTTP request', () => {
  it('are not required for public data', async () => {
    expect(await query([])).toMatchObject({ status: 200, body: { data: { __typename: 'Query' } } });
  });

  it.each([
    ['an API key', ['X-API-Key', `one.${SECRET}`]],
    ['a token', ['Authorization', `Bearer ${signToken({ sub: '1' }, { key: KEY })}`]],
  ])('are accepted when %s is valid', async (_case, headers) => {
    expect(await query(headers)).toMatchObject({ status: 200, body: { data: { __typename: 'Query' } } });
  });

  it.each([
    ['an API key', ['X-API-Key', 'one.wrong'], 'ApiKey realm="gatefold", header="X-API-Key"'],
    [
      'a token',
      ['Authorization', `Bearer ${signToken({ sub: '1' }, { key: 'k'.repeat(64) })}`],
      'Bearer realm="gatefold", error="invalid_token"',
    ],
    ['a scheme', ['Authorization', 'Negotiate abc'], 'Bearer realm="gatefold"'],
  ])('return 401 with the challenge when %s is invalid, even for public data', async (_case, headers, challenge) => {
    expect(await query(headers)).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': challenge },
      body: withCode('UNAUTHENTICATED'),
    });
  });

  it('return 400 when an API key and a token are sent', async () => {
    const both = ['X-API-Key', `one.${SECRET}`, 'Authorization', `Bearer ${signToken({ sub: '1' }, { key: KEY })}`];
    expect(await query(both)).toMatchObject({ status: 400, body: withCode('BAD_REQUEST') });
  });

  it.each([
    ['Authorization', `Bearer ${signToken({ sub: '1' }, { key: KEY })}`],
    ['X-API-Key', `one.${SECRET}`],
  ])('return 401 when the header %s is sent twice', async (name, value) => {
    expect(await query([name, value, name.toLowerCase(), value])).toMatchObject({ status: 401, body: withCode('UNAUTHENTICATED') });
  });

  it('return 503 with Retry-After when the authorization server is down', async () => {
    const response = await query(['Authorization', 'Bearer opaque']);
    expect(response).toMatchObject({ status: 503, headers: { 'retry-after': '1' }, body: withCode('AUTH_UNAVAILABLE') });
    expect(response.headers['www-authenticate']).toBeUndefined();
  });

  it.each(['token', 'access_token', 'api_key'])('are rejected in the URL parameter %s, and never logged', async (name) => {
    expect(await query([], `/graphql?query={__typename}&${name}=${SECRET}`)).toMatchObject({ status: 400, body: withCode('BAD_REQUEST') });
    expect(logged.join('\n')).not.toContain(SECRET);
  });
});
