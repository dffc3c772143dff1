/**
 * Rotates the keys of an identity provider while clients send requests as fast as they get responses, each with a token of the newest key.
 * The first keys sign from the moment they are published. Later keys are published a while before, as providers do. No request may be
 * rejected.
 *
 * Duration: about 40 seconds
 *
 * `npm run prove key-rotation [seconds]`
 */
import { setTimeout as wait } from 'node:timers/promises';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { Pool } from 'undici';
import { json, startFakeIdentityProvider } from '../support/identity/fake-identity-provider.ts';
import { startGatewayProcess } from '../integration/reload/start-gateway-process.ts';
import { startSmallGraph } from '../integration/reload/small-graph.ts';

const SECONDS = Number(process.argv[2] ?? 30);
const CLIENTS = 8;
/** @unit milliseconds */
const REFRESH_INTERVAL_MS = 1_000;
/** Number of keys that sign immediately: the number of refreshes that unknown keys can trigger in the gateway. */
const SUDDEN_ROTATIONS = 3;
/** Number of tokens of each key, so that some requests miss the cache of tokens. */
const TOKENS = 200;
const BODY = JSON.stringify({ query: '{ me { id } }' });

interface SigningKey {
  readonly jwk: JWK;
  readonly tokens: readonly string[];
}

async function newKey(kid: string, alg: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const sign = (n: number): Promise<string> =>
    new SignJWT({ iss: 'rotating', aud: 'graph', sub: `${kid}-${n}` })
      .setProtectedHeader({ alg, kid })
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(privateKey);
  const tokens = await Promise.all(Array.from({ length: TOKENS }, (_, n) => sign(n)));
  return { jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' }, tokens };
}

let published: readonly SigningKey[] = [];
let rotations = 0;
const nextKey = (): Promise<SigningKey> => newKey(`key-${(rotations += 1)}`, rotations % 2 === 0 ? 'RS256' : 'ES256');

let current = await nextKey();
await using provider = await startFakeIdentityProvider((request, response) =>
  json({ keys: published.map(({ jwk }) => jwk) })(request, response),
);
published = [current];
await using graph = await startSmallGraph();
await using gateway = await startGatewayProcess({
  profile: 'dev',
  server: { port: 0, internalPort: 0 },
  supergraph: { sdl: graph.supergraphOf(0) },
  auth: {
    providers: {
      jwt: { rotating: { issuer: 'rotating', audiences: ['graph'], jwksUrl: provider.url, refreshIntervalMs: REFRESH_INTERVAL_MS } },
    },
  },
});

const statuses = new Map<number, number>();
const pool = new Pool(gateway.url, { connections: CLIENTS });
const stopping = new AbortController();
async function request(): Promise<void> {
  while (!stopping.signal.aborted) {
    const token = current.tokens[Math.floor(Math.random() * TOKENS)] ?? '';
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const { statusCode, body } = await pool.request({ path: '/graphql', method: 'POST', headers, body: BODY });
    await body.dump();
    statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
  }
}

/** The previous key remains published for a while, because requests with its tokens are in flight. */
async function rotate(noticeMs: number): Promise<void> {
  const next = await nextKey();
  const before = current;
  published = [before, next];
  await wait(noticeMs);
  current = next;
  await wait(REFRESH_INTERVAL_MS);
  published = [next];
  await wait(REFRESH_INTERVAL_MS);
}

const startedAt = performance.now();
const clients = Array.from({ length: CLIENTS }, request);
await wait(REFRESH_INTERVAL_MS);
for (let n = 0; n < SUDDEN_ROTATIONS; n += 1) await rotate(0);
while (performance.now() - startedAt < SECONDS * 1_000) await rotate(REFRESH_INTERVAL_MS * 1.5);
stopping.abort();
await Promise.all(clients);
await pool.close();

const seconds = (performance.now() - startedAt) / 1_000;
const responded = statuses.get(200) ?? 0;
const rejected = [...statuses].filter(([status]) => status !== 200);
const isRight = rejected.length === 0 && responded > 0;
process.stdout.write(
  `${isRight ? 'passed' : 'FAILED'}: ${rotations - 1} key rotations in ${seconds.toFixed(0)} s, ${provider.requested} requests to the provider; ` +
    `${responded} successful requests (${(responded / seconds).toFixed(0)} per second), rejected: ${JSON.stringify(rejected)}\n`,
);
process.exitCode = isRight ? 0 : 1;
