import { setMaxListeners } from 'node:events';
import { Pool } from 'undici';
import { type Clock, systemClock } from '../platform/clock.ts';
import { CORRELATION_ID_HEADER } from '../platform/correlation-id.ts';
import type { Logger } from '../platform/logger.ts';
import type { SubgraphAddress } from '../supergraph/load-supergraph.ts';
import type { SubgraphExecutor, SubgraphRequest, SubgraphResponse } from '../supergraph/subgraph-executor.ts';
import { exchange } from './exchange.ts';
import { toSubgraphFailure } from './failures.ts';
import { readResponse } from './read-response.ts';
import { resolveTargets, type SubgraphOverrides, type SubgraphTarget } from './resolve-targets.ts';
import { createIdentitySigner, IDENTITY_HEADER } from './sign-identity.ts';

export interface SubgraphClientOptions {
  readonly subgraphs: ReadonlyMap<string, SubgraphAddress>;
  readonly settings: SubgraphClientSettings;
  /** Key of the identity header; without one, none is sent. */
  readonly identitySecret?: string | undefined;
  readonly logger: Logger;
  /** @defaultValue the system's */
  readonly clock?: Clock;
}

export interface SubgraphClientSettings {
  /** Until a connection must stand. @unit milliseconds */
  readonly connectTimeoutMs: number;
  /** Until a request must be answered in full, waiting for a free connection included. @unit milliseconds */
  readonly requestTimeoutMs: number;
  /** Largest answer. @unit bytes */
  readonly maxResponseBytes: number;
  /** Connections to one origin; further requests wait for one. @unit connections */
  readonly maxConnections: number;
  /** Addresses that stand above the supergraph's own. */
  readonly override: SubgraphOverrides;
}

const FIXED_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/graphql-response+json, application/json',
  'accept-encoding': 'identity',
};

/** Messages of one answer that are logged. */
const MAX_LOGGED_ERRORS = 10;

/**
 * Sends requests to subgraphs over HTTP. One connection pool an origin; JSON only, no redirects, no content codings, a
 * deadline and a byte limit over the whole exchange.
 *
 * The executor throws a `GatewayError` for every failure, and the reason of the caller's signal when that ended the
 * request.
 *
 * @throws Error when a subgraph has no address that HTTP can reach
 */
export function createSubgraphClient(options: SubgraphClientOptions): SubgraphExecutor & AsyncDisposable {
  const { subgraphs, settings, identitySecret, logger, clock = systemClock } = options;
  const targets = resolveTargets(subgraphs, settings.override);
  const pools = openPools(targets, settings);
  const sign = identitySecret === undefined ? undefined : createIdentitySigner({ secret: identitySecret, clock });

  function headersOf({ subgraph, body, context }: SubgraphRequest): Record<string, string> {
    const headers = { ...FIXED_HEADERS, [CORRELATION_ID_HEADER]: context.correlationId };
    return sign === undefined ? headers : { ...headers, [IDENTITY_HEADER]: sign(subgraph, context.principal, body) };
  }

  async function ask(request: SubgraphRequest, signal: AbortSignal): Promise<SubgraphResponse> {
    const { origin, path } = find(targets, request.subgraph);
    const options = { path, method: 'POST', headers: headersOf(request), body: request.body } as const;
    const { head, text } = await exchange(find(pools, origin), options, {
      timeoutMs: settings.requestTimeoutMs,
      maxBytes: settings.maxResponseBytes,
      signal,
    });
    const { response, masked } = readResponse(head, text);
    if (masked.length > 0) {
      const facts = { ...factsOf(request), errors: masked.slice(0, MAX_LOGGED_ERRORS) };
      logger.warn(facts, 'A subgraph failed in a way it did not foresee.');
    }
    return response;
  }

  async function execute(request: SubgraphRequest, signal: AbortSignal): Promise<SubgraphResponse> {
    signal.throwIfAborted();
    setMaxListeners(Infinity, signal); // all requests of an operation listen to its one signal
    try {
      return await ask(request, signal);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      const failure = toSubgraphFailure(error);
      logger.warn({ ...factsOf(request), err: failure }, 'A subgraph did not answer.');
      throw failure;
    }
  }

  return Object.assign(execute, {
    async [Symbol.asyncDispose](): Promise<void> {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
    },
  });
}

function openPools(targets: ReadonlyMap<string, SubgraphTarget>, settings: SubgraphClientSettings): ReadonlyMap<string, Pool> {
  const origins = new Set([...targets.values()].map(({ origin }) => origin));
  return new Map([...origins].map((origin) => [origin, openPool(origin, settings)]));
}

function openPool(origin: string, { connectTimeoutMs, maxConnections }: SubgraphClientSettings): Pool {
  return new Pool(origin, {
    connections: maxConnections,
    pipelining: 1,
    connect: { timeout: connectTimeoutMs },
    // The deadline covers both, and unlike them it cannot be put off by a body that drips.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/** A name that is missing here is a defect of a plan, not of a request. */
function find<T>(all: ReadonlyMap<string, T>, name: string): T {
  const found = all.get(name);
  if (found === undefined) throw new Error(`There is no subgraph or origin "${name}".`);
  return found;
}

function factsOf({ subgraph, context }: SubgraphRequest): Readonly<Record<string, string>> {
  return { subgraph, requestId: context.correlationId };
}
