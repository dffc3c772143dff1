import { createFairQueue } from '../platform/fair-queue.ts';
import type { SubgraphContext, SubgraphRequest } from '../supergraph/subgraph-executor.ts';

/** A large response whose head has arrived, or one that is expected for a request that has not been sent. */
export interface LargeResponse {
  readonly request: SubgraphRequest;
  /** Length of the body, or the initial reservation when the length is unknown. @unit bytes */
  readonly bytes: number;
  /**
   * Maximum number of waiting responses of the subgraph that hold a connection, for a response that holds one itself.
   *
   * @defaultValue The response holds no connection while it waits.
   */
  readonly maxWaiting?: number;
  /** Called once when the body can be received. */
  begin(): void;
  /** Called instead of `begin`, or after the response has grown, when the response of a query cannot be sent to its caller. */
  refuse(): void;
}

/** Large responses of all subgraphs. The number of bytes received and parsed at a time is limited. */
export interface LargeResponses {
  /** Whether a response of this size could be sent to the caller now. @unit bytes */
  hasCapacity(context: SubgraphContext, bytes: number): boolean;
  /** Queues a response for its turn. The turn can start during the call. */
  enter(response: LargeResponse): void;
  /**
   * Reserves more memory for a response of unknown length whose turn has started. When the memory is not available, the response waits,
   * unless its turn started before all others.
   *
   * @param bytes Total size.
   * @unit bytes
   */
  grow(response: LargeResponse, bytes: number, proceed: () => void): void;
  /** Removes a response, whether or not its turn has started, and releases its memory. Further calls have no effect. */
  leave(response: LargeResponse): void;
}

export interface LargeResponsesOptions {
  /** Maximum total size of responses that are received at a time. @unit bytes */
  readonly maxBytes: number;
  /** Maximum number of responses that are received at a time. @defaultValue No limit. */
  readonly maxBegun?: number;
  /** Returns the caller of an operation. Callers take turns. */
  readonly callerOf: (context: SubgraphContext) => string;
  /** Whether a response of this size could be sent to the caller now. @defaultValue Always true. */
  readonly hasCapacity?: ((context: SubgraphContext, bytes: number) => boolean) | undefined;
}

/**
 * Size from which a body counts as large. Parsing, merging and printing such a body blocks the event loop for some milliseconds. The value
 * is larger than the read buffer of the connections, so the bytes are not overwritten while a body waits to be parsed.
 *
 * @unit bytes
 */
export const LARGE_BODY_BYTES = 262_144;

/** A response that waits for more memory. */
interface Growth {
  /** Memory for the whole response. @unit bytes */
  readonly bytes: number;
  readonly proceed: () => void;
}

/** A response whose turn has started. */
interface Begun {
  readonly entry: Entry;
  /** @unit bytes */
  readonly reserved: number;
}

/** A waiting response and its caller. */
interface Entry {
  readonly response: LargeResponse;
  readonly callers: ReadonlySet<string>;
}

/**
 * Limits the memory and the work that large responses take at a time. While a response waits, the gateway does not read from its
 * connection, and the subgraph stops sending. When too many waiting responses of one subgraph hold connections, the gateway rejects the
 * latest response of the caller with the most of them. Connections then stay free for other callers.
 */
export function createLargeResponses({
  maxBytes,
  maxBegun = Number.POSITIVE_INFINITY,
  callerOf,
  hasCapacity = () => true,
}: LargeResponsesOptions): LargeResponses {
  const waiting = createFairQueue<Entry>();
  const entries = new Map<LargeResponse, Entry>();
  /** Waiting responses that hold connections, by subgraph. */
  const connected = new Map<string, Set<Entry>>();
  /** Reservations of the responses whose turn has started, in the order of their turns. */
  const begun = new Map<LargeResponse, Begun>();
  /** Responses that wait for more memory. */
  const growing = new Map<LargeResponse, Growth>();
  let held = 0;
  let isAdvancing = false;
  let isChanged = false;

  function advance(): void {
    isChanged = true;
    if (isAdvancing) return; // Called from within `begin`, `refuse` or `proceed`. The loop of the outer call continues.
    isAdvancing = true;
    try {
      while (isChanged) {
        isChanged = false;
        growOldest();
        startNext();
      }
    } finally {
      isAdvancing = false;
    }
  }

  function startNext(): void {
    for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
      const isFull = begun.size >= maxBegun || held + entry.response.bytes > maxBytes;
      if (begun.size > 0 && isFull) return waiting.unshift(entry);
      start(entry);
    }
  }

  function growOldest(): void {
    if (growing.size === 0) return;
    for (const [response, { entry, reserved }] of begun) {
      const growth = growing.get(response);
      if (growth === undefined) continue;
      const more = growth.bytes - reserved;
      const isOldest = begun.keys().next().value === response;
      if (!isOldest && held + more > maxBytes) continue;
      growing.delete(response);
      waiting.charge(entry, more);
      if (!canBeSent(response, growth.bytes)) {
        release(response);
        response.refuse();
        continue;
      }
      held += more;
      begun.set(response, { entry, reserved: growth.bytes });
      growth.proceed();
    }
  }

  /** A mutation response is always read to the end, even when it cannot be sent, because the mutation has taken effect. */
  function canBeSent({ request }: LargeResponse, bytes: number): boolean {
    return request.kind !== 'query' || hasCapacity(request.context, bytes);
  }

  function start(entry: Entry): void {
    const { response } = entry;
    waiting.charge(entry, response.bytes);
    if (!canBeSent(response, response.bytes)) return refuse(entry);
    forget(entry);
    held += response.bytes;
    begun.set(response, { entry, reserved: response.bytes });
    response.begin();
  }

  function refuse(entry: Entry): void {
    forget(entry);
    entry.response.refuse();
  }

  /** Removes a response from the waiting ones. */
  function forget(entry: Entry): void {
    const { subgraph } = entry.response.request;
    entries.delete(entry.response);
    waiting.remove(entry);
    const others = connected.get(subgraph);
    if (others?.delete(entry) === true && others.size === 0) connected.delete(subgraph);
  }

  function release(response: LargeResponse): void {
    held -= begun.get(response)?.reserved ?? 0;
    begun.delete(response);
    growing.delete(response);
  }

  function keepConnection(entry: Entry, maxWaiting: number): void {
    const { subgraph } = entry.response.request;
    const others = connected.get(subgraph) ?? new Set();
    connected.set(subgraph, others.add(entry));
    if (others.size <= maxWaiting) return;
    const displaced = latestOfMost(others);
    if (displaced !== undefined) refuse(displaced);
  }

  return {
    hasCapacity,
    enter(response) {
      const entry: Entry = { response, callers: new Set([callerOf(response.request.context)]) };
      entries.set(response, entry);
      waiting.push(entry);
      advance();
      if (response.maxWaiting !== undefined && entries.has(response)) keepConnection(entry, response.maxWaiting);
    },
    grow(response, bytes, proceed) {
      if (!begun.has(response)) return;
      growing.set(response, { bytes, proceed });
      advance();
    },
    leave(response) {
      const entry = entries.get(response);
      if (entry !== undefined) forget(entry);
      release(response);
      advance();
    },
  };
}

/**
 * Returns the latest query of the caller with the most entries. When several callers have the same number, the caller of the most recent
 * entry is chosen.
 */
function latestOfMost(entries: ReadonlySet<Entry>): Entry | undefined {
  const byCaller = new Map<string | undefined, Entry[]>();
  for (const entry of entries) {
    if (entry.response.request.kind !== 'query') continue;
    const [caller] = entry.callers;
    const own = byCaller.get(caller);
    if (own === undefined) byCaller.set(caller, [entry]);
    else own.push(entry);
  }
  let most: readonly Entry[] = [];
  for (const own of byCaller.values()) if (own.length >= most.length) most = own;
  return most.at(-1);
}
