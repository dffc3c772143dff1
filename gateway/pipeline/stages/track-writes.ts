import { labelOfTag } from '../../cache/labeled-entries.ts';
import { tagsIn } from '../../cache/cache-key-parts.ts';
import { EVERYTHING, type RecentWrites } from '../../cache/recent-writes.ts';
import type { Clock } from '../../platform/clock.ts';
import { anonymousClientOf, type InNetworks, sessionOf } from '../../platform/http/request/client-address.ts';
import type { OwnWrites } from '../../platform/cache-policy.ts';
import { principalKeyOf } from '../../platform/principal.ts';
import type { SubgraphExecutor } from '../../supergraph/subgraph-executor.ts';
import type { OperationRequest } from '../operation-request.ts';

export interface WriteTrackingOptions {
  readonly recentWrites: RecentWrites;
  readonly isProxy?: InNetworks | undefined;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** Request and executor for a mutation, so that the caller's next reads include its changes. */
export interface TrackedWrite {
  readonly request: OperationRequest;
  readonly executor: SubgraphExecutor;
  /** Ends the tracking, also when the mutation failed, because it may have had an effect. */
  end(): void;
}

/** Makes callers read their own writes, across all transports. */
export interface WriteTracking {
  /**
   * Adds the cached data that is outdated for the caller: data from before the caller's writes, and for REST from before the writes of all
   * callers. Otherwise it returns the same request, so that callers that never write have no cost.
   */
  beforeRead(request: OperationRequest): OperationRequest;
  /** @param labels labels that the mutation may change according to its document */
  beforeWrite(request: OperationRequest, labels: readonly string[], executor: SubgraphExecutor): TrackedWrite;
}

export function createWriteTracking({ recentWrites, isProxy, clock }: WriteTrackingOptions): WriteTracking {
  let flights = 0;

  /** Returns a unique name, so that the request does not join an execution that began earlier. */
  function ownFlight(): string {
    flights += 1;
    return `own ${flights}`;
  }

  /** Returns the writes that a response must include. Clients of resources expect the state after the last write, of any caller. */
  function writesFor(request: OperationRequest): OwnWrites | undefined {
    return request.transport === 'rest' ? recentWrites.ofAll() : recentWrites.of(callerOf(request, isProxy));
  }

  function ofRequest(request: OperationRequest): OwnWrites | undefined {
    const maxAge =
      request.transport === 'graphql' || request.transport === 'rest' ? acceptedAge(request.headers['cache-control']) : undefined;
    const own = recentWrites.isEmpty ? undefined : writesFor(request);
    if (maxAge === undefined) return own;
    const oldest = maxAge === 0 ? Infinity : clock.monotonic() - maxAge * 1_000;
    return { flight: ownFlight(), isOutdated: (labels, madeAt) => madeAt < oldest || own?.isOutdated(labels, madeAt) === true };
  }

  return {
    beforeRead(request) {
      if (recentWrites.isEmpty && request.headers['cache-control'] === undefined) return request;
      const writes = ofRequest(request);
      return writes === undefined ? request : { ...request, writes };
    },
    beforeWrite(request, labels, executor) {
      const written = new Set(labels);
      const own = request.writes;
      const client = request.principal.kind === 'anonymous' ? anonymousClientOf(request, isProxy) : undefined;
      const session = client === undefined ? {} : { session: sessionOf(client) };
      const isOutdated: OwnWrites['isOutdated'] = (of, madeAt) =>
        written.has(EVERYTHING) || of.some((label) => written.has(label)) || own?.isOutdated(of, madeAt) === true;
      return {
        request: { ...request, ...session, writes: { flight: ownFlight(), isOutdated } },
        executor: async (requested, signal) => {
          const response = await executor({ ...requested, wantsFreshness: true }, signal);
          if (requested.kind === 'mutation') for (const tag of tagsIn(response.cacheTags)) written.add(labelOfTag(tag));
          return response;
        },
        end: () => recentWrites.note(callerOf(request, isProxy), [...written]),
      };
    },
  };
}

/** Identifies the caller; without credentials by its address. Roles and scopes do not change the caller. */
function callerOf(request: OperationRequest, isProxy: InNetworks | undefined): string {
  const { principal } = request;
  return principal.kind === 'anonymous' ? (anonymousClientOf(request, isProxy) ?? 'anonymous') : principalKeyOf(principal);
}

const NO_CACHE = /(?:^|[,\s])no-cache\s*(?=,|$)/i;
const MAX_AGE = /(?:^|[,\s])max-age\s*=\s*"?(\d{1,9})"?\s*(?=,|$)/i;

/**
 * Returns the maximum age of cached data from `Cache-Control` of a request (RFC 9111, section 5.2.1); undefined when it has none.
 *
 * @unit seconds
 */
function acceptedAge(header: string | readonly string[] | undefined): number | undefined {
  if (header === undefined) return undefined;
  const text = String(header);
  if (NO_CACHE.test(text)) return 0;
  const age = MAX_AGE.exec(text)?.[1];
  return age === undefined ? undefined : Number(age);
}
