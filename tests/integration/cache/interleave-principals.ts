import { brotliDecompressSync } from 'node:zlib';
import type { Random } from '../../support/random/random.ts';
import type { CachedGraph } from '../../fixtures/cached-graph.ts';
import { DEVELOPMENT_KEY } from '../../fixtures/library-graph.ts';
import { createHttpClient, type HttpResponse } from '../../support/http/http-client.ts';
import { signToken } from '../../support/identity/tokens.ts';

const PRINCIPALS = 20;
/** Requests in flight at the same time. */
const LANES = 16;

const QUERIES = [
  '{ me { id text } }',
  '{ page(id: 1) { id text } }',
  'query ($id: ID!) { page(id: $id) { text } }',
  'query ($id: ID!, $no: Boolean!) { page(id: $id) { text } me @skip(if: $no) { text } }',
  '{ mine: me { text } }',
];

interface Caller {
  /** Text that occurs in all data of this caller, and in no data of others. */
  readonly canary: string;
  readonly token: string | undefined;
}

/** Counts of errors and of cache events. */
export interface Interleaving {
  readonly foreignBytes: number;
  readonly foreignNotModified: number;
  /** Responses that were cache hits. */
  readonly hits: number;
  readonly ownNotModified: number;
}

/**
 * Sends requests of twenty callers, one of them without credentials, in random order. All callers send the same operations, by GET and
 * sometimes by POST, with their own entity tags, often of the same request, and with tags of other callers. The subgraph writes the
 * caller's name into all data.
 */
export async function interleavePrincipals({ url }: CachedGraph, requests: number, random: Random): Promise<Interleaving> {
  const client = createHttpClient({ origin: url });
  const callers = Array.from({ length: PRINCIPALS }, (_, index) => callerOf(index));
  /** Owners of the entity tags. */
  const owners = new Map<string, Caller>();
  /** Latest entity tag of each caller for each request. */
  const tags = new Map<string, string>();
  const seen = { foreignBytes: 0, foreignNotModified: 0, hits: 0, ownNotModified: 0 };
  let left = requests;

  async function send(): Promise<void> {
    const caller = random.pick(callers);
    const query = random.pick(QUERIES);
    const variables = { id: String(random.below(3)), no: random.chance(0.5) };
    const coding = random.chance(0.3) ? { 'accept-encoding': 'br' } : {};
    const requested = `?query=${encodeURIComponent(query)}&variables=${encodeURIComponent(JSON.stringify(variables))}`;
    const position = JSON.stringify([caller.canary, requested, coding]);
    const own = random.chance(0.3) ? tags.get(position) : undefined;
    const [tag, owner] = own !== undefined ? [own, caller] : owners.size > 0 && random.chance(0.5) ? random.pick([...owners]) : [];
    const headers: Record<string, string> = { ...coding, ...(tag === undefined ? {} : { 'if-none-match': tag }) };
    const response = random.chance(0.1)
      ? await client.post('/graphql', { query, variables }, { token: caller.token })
      : await client.get(`/graphql${requested}`, { token: caller.token, headers });
    classify(caller, response, owner);
    if (response.headers.etag !== undefined) tags.set(position, response.headers.etag);
  }

  function classify(caller: Caller, response: HttpResponse, owner: Caller | undefined): void {
    const { status, headers, text } = response;
    if (status === 304) {
      if (owner === caller) seen.ownNotModified += 1;
      else seen.foreignNotModified += 1;
      return;
    }
    if (status !== 200) throw new Error(`A response has the status ${status}: ${text}`);
    if (headers.age !== undefined) seen.hits += 1;
    if (!isOnlyOf(caller, readText(response), callers)) seen.foreignBytes += 1;
    const { etag } = headers;
    if (etag === undefined) return;
    const before = owners.get(etag);
    if (before !== undefined && before !== caller) seen.foreignBytes += 1;
    owners.set(etag, caller);
    if (owners.size > 200) owners.delete(owners.keys().next().value ?? '');
  }

  async function lane(): Promise<void> {
    while (left > 0) {
      left -= 1;
      await send();
    }
  }

  await Promise.all(Array.from({ length: LANES }, lane));
  return seen;
}

function callerOf(index: number): Caller {
  if (index === 0) return { canary: 'nobody', token: undefined };
  const canary = `canary${index}bird`;
  return { canary, token: signToken({ sub: canary, roles: ['USER'] }, { key: DEVELOPMENT_KEY }) };
}

function isOnlyOf({ canary }: Caller, text: string, callers: readonly Caller[]): boolean {
  return text.includes(canary) && callers.every((other) => other.canary === canary || !text.includes(other.canary));
}

function readText({ headers, bytes }: HttpResponse): string {
  return (headers['content-encoding'] === 'br' ? brotliDecompressSync(bytes) : bytes).toString();
}
