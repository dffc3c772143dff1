import { LRUCache } from 'lru-cache';
import { createTextClient } from '../../../gateway/platform/http/client/fetch-text.ts';
import type { SignServiceToken } from '../events/sign-service-token.ts';
import type { GatewayAccess } from '../settings.ts';
import type { Owner, OwnerDirectory } from './owner-directory.ts';
import type { Permissions } from './permissions.ts';

export interface GatewayDirectoryOptions {
  readonly gateway: Pick<GatewayAccess, 'url'>;
  readonly sign: SignServiceToken;
  /** Query with the variable `$id`. Its first field is the owner; null when the owner does not exist. */
  readonly query: string;
  /** Time for which a result is reused. @unit milliseconds */
  readonly cacheMs: number;
}

/** A directory of owners with open connections. */
export interface GatewayDirectory extends AsyncDisposable {
  readonly find: OwnerDirectory;
}

/** Time for a response of the gateway. @unit milliseconds */
const TIMEOUT_MS = 10_000;
/** Maximum size of a response. @unit bytes */
const MAX_RESPONSE_BYTES = 65_536;
const MAX_CACHED_OWNERS = 10_000;

interface QueryResult {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly message?: string; readonly extensions?: { readonly code?: string } }[];
}

/**
 * Creates a directory that reads owners from the graph, with the permissions of the owner. The fields `roles` and `scopes` of the result,
 * which can be aliases, are the current permissions. A field that the query does not select leaves the stored permissions unchanged.
 */
export function createGatewayDirectory({ gateway, sign, query, cacheMs }: GatewayDirectoryOptions): GatewayDirectory {
  const client = createTextClient();
  const closing = new AbortController();
  const results = new LRUCache<string, Promise<Permissions | undefined>>({ max: MAX_CACHED_OWNERS, ttl: Math.max(cacheMs, 1) });

  async function read(owner: Owner): Promise<Permissions | undefined> {
    const { status, text } = await client.fetch(
      {
        url: new URL('/graphql', await gateway.url).href,
        method: 'POST',
        headers: { accept: 'application/json', authorization: `Bearer ${await sign(owner)}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables: { id: owner.id } }),
      },
      { timeoutMs: TIMEOUT_MS, maxBytes: MAX_RESPONSE_BYTES, signal: closing.signal },
    );
    return toPermissions(parseResult(text, status), owner);
  }

  return {
    async find(owner) {
      const key = JSON.stringify([owner.id, owner.roles, owner.scopes]);
      const known = results.get(key);
      if (known !== undefined) return known;
      const reading = read(owner);
      results.set(key, reading);
      reading.catch(() => results.delete(key)); // an error is not a result
      return reading;
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await client[Symbol.asyncDispose]();
    },
  };
}

/** @throws Error when the response is not a result without errors */
function parseResult(text: string, status: number): QueryResult {
  let result: QueryResult = {};
  try {
    result = JSON.parse(text) as QueryResult;
  } catch {
    // reported by its status
  }
  const [error] = result.errors ?? [];
  if (error === undefined && typeof result.data === 'object' && result.data !== null) return result;
  const reason = error === undefined ? `the status ${status}` : `${error.extensions?.code ?? 'an error'}: ${error.message ?? ''}`;
  throw new Error(`The gateway responded to the owner query with ${reason}`);
}

function toPermissions({ data }: QueryResult, owner: Owner): Permissions | undefined {
  const [found] = Object.values(data ?? {});
  if (found === null || found === undefined) return undefined;
  const { roles, scopes } = found as Readonly<Record<string, unknown>>;
  return { roles: readTexts(roles) ?? owner.roles, scopes: readTexts(scopes) ?? owner.scopes };
}

/** Returns undefined when the query does not select the field. A null list means that the owner has no permissions of this kind. */
function readTexts(value: unknown): readonly string[] | undefined {
  if (value === undefined) return undefined;
  return Array.isArray(value) ? value.map(String) : [];
}
