import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { graphql } from 'graphql';
import { gql } from 'graphql-tag';
import { createGateway } from '../../../gateway/index.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';
import type { SubgraphExecutor } from '../../../gateway/supergraph/subgraph-executor.ts';
import { createHttpClient, type HttpClient } from '../../support/http/http-client.ts';
import { signToken } from '../../support/identity/tokens.ts';

const SDL = `
  extend schema
    @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@composeDirective"])
    @link(url: "https://gatefold.dev/auth/v1.0", import: ["@auth"])
    @link(url: "https://gatefold.dev/cache/v1.0", import: ["@cacheControl"])
    @composeDirective(name: "@auth")
    @composeDirective(name: "@cacheControl")
  enum Role { USER ADMIN }
  enum CacheControlScope { PUBLIC PRIVATE }
  directive @auth(requires: Role!, orOwner: String) on FIELD_DEFINITION | OBJECT
  directive @cacheControl(maxAge: Int, scope: CacheControlScope) on FIELD_DEFINITION | OBJECT
  type Query { me: Note user(id: ID!): User }
  type Mutation { write: Note }
  type Note @cacheControl(maxAge: 60, scope: PRIVATE) { text: String! }
  type User @key(fields: "id") { id: ID! email: String @auth(requires: ADMIN, orOwner: "id") }
`;

const [A, B] = ['https://a.example', 'https://b.example'];
const AUDIENCE = 'https://graph.example';
const KEYS: Readonly<Record<string, string>> = { [A]: 'a'.repeat(64), [B]: 'b'.repeat(64) };
const API_SECRET = 'k'.repeat(43);

const tokenOf = (issuer: string, subject = '7') =>
  signToken({ iss: issuer, aud: AUDIENCE, sub: subject, roles: ['USER'] }, { key: KEYS[issuer] ?? '' });

/** Returns credentials as headers. */
const bearer = (issuer: string, subject?: string) => ({ authorization: `Bearer ${tokenOf(issuer, subject)}` });
const API_KEY = { 'x-api-key': `1.${API_SECRET}` };

/** Composes a subgraph whose notes contain the caller that the gateway names. */
async function composed(): Promise<{ readonly supergraphSdl: string; readonly executor: SubgraphExecutor & AsyncDisposable }> {
  const composition = composeSubgraphs([{ name: 'notes', url: 'http://notes.example', files: [{ path: 'notes.graphql', text: SDL }] }]);
  if ('errors' in composition) throw new Error(composition.errors.map(({ message }) => message).join('\n'));
  const schema = buildSubgraphSchema({ typeDefs: gql(SDL) });
  let count = 0;
  const executor: SubgraphExecutor = async ({ body, context: { principal } }) => {
    const { query, variables } = JSON.parse(body) as { readonly query: string; readonly variables?: Record<string, unknown> };
    const note = () => ({ text: `note ${(count += 1)} of ${principal.issuer ?? ''} ${principal.kind} ${principal.id}` });
    const rootValue = { me: note, write: note, user: ({ id }: { readonly id: string }) => ({ id, email: `canary-${id}` }) };
    const { data } = await graphql({ schema, source: query, variableValues: variables, rootValue });
    return { data: JSON.parse(JSON.stringify(data)) as Record<string, unknown> };
  };
  return { supergraphSdl: composition.supergraphSdl, executor: Object.assign(executor, { async [Symbol.asyncDispose]() {} }) };
}

type Headers = Readonly<Record<string, string>>;

interface Served extends AsyncDisposable {
  readonly http: HttpClient;
  get(query: string, headers: Headers): Promise<string>;
}

/** Starts a gateway that trusts these issuers and an API key. @param owners issuers whose subjects own objects; absent for the default */
async function serve(issuers: readonly string[], owners?: readonly string[]): Promise<Served> {
  const directory = await mkdtemp(join(tmpdir(), 'gatefold-issuers-'));
  const fileOf = async (name: string, text: string): Promise<string> => {
    const file = join(directory, name);
    await writeFile(file, text, { mode: 0o600 });
    return file;
  };
  const jwt: Record<string, { issuer: string; audiences: string[]; algorithms: 'HS256'[]; secretFile: string }> = {};
  for (const issuer of issuers) {
    const { hostname } = new URL(issuer);
    const secretFile = await fileOf(`${hostname}.key`, KEYS[issuer] ?? '');
    jwt[hostname.slice(0, 1)] = { issuer, audiences: [AUDIENCE], algorithms: ['HS256'], secretFile };
  }
  const sha256 = createHash('sha256').update(API_SECRET).digest('hex');
  const apiKeys = JSON.stringify({ keys: [{ id: '1', sha256, kind: 'user', roles: ['USER'] }] });
  const providers = { jwt, apiKey: { file: await fileOf('keys.json', apiKeys) } };
  const { supergraphSdl, executor } = await composed();
  const gateway = await createGateway(
    {
      profile: 'production',
      supergraph: { sdl: supergraphSdl },
      server: { port: 0, internalPort: 0, shutdown: { lameDuckMs: 0 } },
      budget: { mode: 'off' },
      auth: owners === undefined ? { providers } : { owners: { issuers: [...owners] }, providers },
    },
    { logger: silentLogger, subgraphExecutor: () => executor },
  );
  const http = createHttpClient({ origin: (await gateway.listen()).url });
  return {
    http,
    get: async (query, headers) => (await http.get(`/graphql?query=${encodeURIComponent(query)}`, { headers })).text,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await rm(directory, { recursive: true });
    },
  };
}

describe('point 05: one subject of two issuers, over HTTP', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serve([A, B]);
  });
  afterAll(async () => served[Symbol.asyncDispose]());
  const get: Served['get'] = (query, headers) => served.get(query, headers);

  it('gets separate cached responses by GET', async () => {
    const query = '{ me { text } }';
    const first = await get(query, bearer(A));
    expect(await get(query, bearer(A))).toBe(first);
    const other = await get(query, bearer(B));
    expect(other).not.toBe(first);
    expect(first).toContain(`${A} user 7`);
    expect(other).toContain(`${B} user 7`);
    expect(await get(query, bearer(B))).toBe(other);
    expect(await get(query, bearer(A))).toBe(first);
  });

  it('does not get 304 for the entity tag of the other principal', async () => {
    const path = `/graphql?query=${encodeURIComponent('{ me { text } }')}`;
    const { etag } = (await served.http.get(path, { headers: bearer(A) })).headers;
    const send = async (headers: Headers) => (await served.http.get(path, { headers: { ...headers, 'if-none-match': etag } })).status;
    expect([await send(bearer(A)), await send(bearer(B))]).toEqual([304, 200]);
  });

  it('uses separate idempotency keys', async () => {
    const send = async (headers: Headers) => {
      const response = await served.http.post(
        '/graphql',
        { query: 'mutation { write { text } }' },
        { headers: { ...headers, 'idempotency-key': 'one' } },
      );
      return { text: response.text, isReplayed: response.headers['idempotent-replayed'] === 'true' };
    };
    const first = await send(bearer(A));
    expect(first.text).toContain('user 7');
    expect(await send(bearer(A))).toEqual({ text: first.text, isReplayed: true });
    const other = await send(bearer(B));
    expect([other.isReplayed, other.text === first.text]).toEqual([false, false]);
    expect([first.text, other.text]).toEqual([expect.stringContaining(`${A} user 7`), expect.stringContaining(`${B} user 7`)]);
  });

  it('owns no object by its id alone without configured owners', async () => {
    const query = '{ user(id: "7") { id email } }';
    for (const issuer of [A, B]) expect(await get(query, bearer(issuer))).not.toContain('canary');
  });
});

describe('point 05: owners, over HTTP', () => {
  it('shows the object to the owner, and not to a subject of another issuer', async () => {
    await using served = await serve([A, B], [A]);
    const query = '{ user(id: "7") { id email } }';
    expect(await served.get(query, bearer(A))).toContain('canary-7');
    expect(await served.get(query, bearer(B))).not.toContain('canary');
    expect(await served.get(query, bearer(A, '8'))).not.toContain('canary');
  });

  it('with one issuer, a user owns the object, and an API key with the same id does not', async () => {
    await using served = await serve([A]);
    const query = '{ me { text } user(id: "1") { id email } }';
    expect(await served.get(query, bearer(A, '1'))).toContain('canary-1');
    const text = await served.get(query, API_KEY);
    expect(text).toContain('user 1');
    expect(text).not.toContain(A);
    expect(text).not.toContain('canary');
  });
});
