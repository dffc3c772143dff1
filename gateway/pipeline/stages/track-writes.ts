import { labelOfTag } from '../../cache/labelled-entries.ts';
import { tagsIn } from '../../cache/cache-key-parts.ts';
import type { WriteMarks } from '../../cache/write-marks.ts';
import type { Clock } from '../../platform/clock.ts';
import { anonymousClientOf, type InNetworks, sessionOf } from '../../platform/http/request/client-address.ts';
import type { OwnWrites } from '../../platform/cache-policy.ts';
import { principalKeyOf } from '../../platform/principal.ts';
import type { SubgraphExecutor } from '../../supergraph/subgraph-executor.ts';
import type { OperationRequest } from '../operation-request.ts';

export interface WriteTrackingOptions {
  readonly marks: WriteMarks;
  readonly isProxy?: InNetworks | undefined;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** What a mutation is executed with, so that the caller's next reads see it. */
export interface TrackedWrite {
  readonly request: OperationRequest;
  readonly executor: SubgraphExecutor;
  /** Call it when the mutation has ended, in whatever way: what failed may have had an effect. */
  end(): void;
}

/** Lets callers read their own writes, whichever transport they write and read by. */
export interface WriteTracking {
  /** The request with what it must not be answered with. The same request where nothing is to be said: no cost for those who never write. */
  beforeRead(request: OperationRequest): OperationRequest;
  /** @param labels what the mutation may change, as far as its document says it */
  beforeWrite(request: OperationRequest, labels: readonly string[], executor: SubgraphExecutor): TrackedWrite;
}

export function createWriteTracking({ marks, isProxy, clock }: WriteTrackingOptions): WriteTracking {
  let flights = 0;

  /** A name that no other request has: an execution that began before this request is not shared. */
  function ownFlight(): string {
    flights += 1;
    return `own ${flights}`;
  }

  function ofRequest(request: OperationRequest): OwnWrites | undefined {
    const maxAge = request.door === 'graphql' || request.door === 'rest' ? acceptedAge(request.headers['cache-control']) : undefined;
    const own = marks.isEmpty ? undefined : marks.of(callerOf(request, isProxy));
    if (maxAge === undefined) return own;
    const oldest = maxAge === 0 ? Infinity : clock.monotonic() - maxAge * 1_000;
    return { flight: ownFlight(), isOutdated: (labels, madeAt) => madeAt < oldest || own?.isOutdated(labels, madeAt) === true };
  }

  return {
    beforeRead(request) {
      if (marks.isEmpty && request.headers['cache-control'] === undefined) return request;
      const writes = ofRequest(request);
      return writes === undefined ? request : { ...request, writes };
    },
    beforeWrite(request, labels, executor) {
      const written = new Set(labels);
      const own = request.writes;
      const client = request.principal.kind === 'anonymous' ? anonymousClientOf(request, isProxy) : undefined;
      const session = client === undefined ? {} : { session: sessionOf(client) };
      const isOutdated: OwnWrites['isOutdated'] = (of, madeAt) =>
        of.some((label) => written.has(label)) || own?.isOutdated(of, madeAt) === true;
      return {
        request: { ...request, ...session, writes: { flight: ownFlight(), isOutdated } },
        executor: async (asked, signal) => {
          const response = await executor({ ...asked, wantsFreshness: true }, signal);
          if (asked.kind === 'mutation') for (const tag of tagsIn(response.cacheTags)) written.add(labelOfTag(tag));
          return response;
        },
        end: () => marks.note(callerOf(request, isProxy), [...written]),
      };
    },
  };
}

/** Whoever has no credentials is known by the address. Roles and scopes make nobody another caller. */
function callerOf(request: OperationRequest, isProxy: InNetworks | undefined): string {
  const { principal } = request;
  return principal.kind === 'anonymous' ? (anonymousClientOf(request, isProxy) ?? 'anonymous') : principalKeyOf(principal);
}

const NO_CACHE = /(?:^|[,\s])no-cache\s*(?=,|$)/i;
const MAX_AGE = /(?:^|[,\s])max-age\s*=\s*"?(\d{1,9})"?\s*(?=,|$)/i;

/** How old stored data may be for a request by its `Cache-Control` (RFC 9111, section 5.2.1); undefined where it does not say. @unit seconds */
function acceptedAge(header: string | readonly string[] | undefined): number | undefined {
  if (header === undefined) return undefined;
  const text = String(header);
  if (NO_CACHE.test(text)) return 0;
  const age = MAX_AGE.exec(text)?.[1];
  return age === undefined ? undefined : Number(age);
}
