import { createFairQueue } from '../platform/fair-queue.ts';
import type { SubgraphContext, SubgraphRequest } from '../supergraph/subgraph-executor.ts';

/** A large response whose head has come, or that is expected from a request that is not sent yet. */
export interface LargeResponse {
  readonly request: SubgraphRequest;
  /** Length of its body; where that is not known, what is reserved for it at first. @unit bytes */
  readonly bytes: number;
  /** Responses of the subgraph that may wait at a time, where this one keeps a connection while it waits. @defaultValue it keeps none */
  readonly maxWaiting?: number;
  /** Called once when the body may be received. */
  begin(): void;
  /** Called in place of `begin`, or when it has grown, if the response of a query cannot be sent to its caller. */
  refuse(): void;
}

/** Large responses of all subgraphs, of which a bounded number of bytes is received and parsed at a time. */
export interface LargeResponses {
  /** Tells whether a response of so many bytes could be sent to the caller now. */
  hasRoom(context: SubgraphContext, bytes: number): boolean;
  /** Lets a response wait for its turn; it may come within the call. */
  enter(response: LargeResponse): void;
  /**
   * Reserves more for a response whose turn has come and whose length is not known. Where that is not free it waits, unless its turn came
   * before those of all others.
   *
   * @param bytes in all @unit bytes
   */
  grow(response: LargeResponse, bytes: number, proceed: () => void): void;
  /** Takes a response out, whether or not its turn has come. Its memory is free. Further calls do nothing. */
  leave(response: LargeResponse): void;
}

export interface LargeResponsesOptions {
  /** @unit bytes */
  readonly maxBytes: number;
  /** Maximum number of responses that are received at a time. @defaultValue no limit */
  readonly maxBegun?: number;
  /** Names the caller of an operation: callers take turns. */
  readonly callerOf: (context: SubgraphContext) => string;
  /** Tells if a response of so many bytes could be sent to the caller now. @defaultValue always true */
  readonly hasRoom?: ((context: SubgraphContext, bytes: number) => boolean) | undefined;
}

/**
 * Bodies of this size are large: parsing, merging and printing one takes the event loop for some milliseconds. It is larger than the buffer
 * into which a connection reads, so that the bytes are not overwritten while a body waits to be parsed. @unit bytes
 */
export const LARGE_BODY_BYTES = 262_144;

/** A request of a response for more memory. */
interface Growth {
  /** Memory for the whole response. @unit bytes */
  readonly bytes: number;
  readonly proceed: () => void;
}

/** A response whose turn has come. */
interface Begun {
  readonly entry: Entry;
  /** @unit bytes */
  readonly reserved: number;
}

/** A response that waits, with the name of its caller. */
interface Entry {
  readonly response: LargeResponse;
  readonly callers: ReadonlySet<string>;
}

/**
 * Bounds the memory and the work that large responses take at a time. While a response waits, the gateway does not read from its connection,
 * and the subgraph stops sending. When too many responses of one subgraph keep connections while they wait, the latest one of the caller with the
 * most of them is refused, so that connections stay free for other callers.
 */
export function createLargeResponses({
  maxBytes,
  maxBegun = Number.POSITIVE_INFINITY,
  callerOf,
  hasRoom = () => true,
}: LargeResponsesOptions): LargeResponses {
  const waiting = createFairQueue<Entry>();
  const entries = new Map<LargeResponse, Entry>();
  /** Those that keep connections while they wait, by subgraph. */
  const connected = new Map<string, Set<Entry>>();
  /** What is reserved for each response whose turn has come, in the order of the turns. */
  const begun = new Map<LargeResponse, Begun>();
  /** Responses that wait for more. */
  const growing = new Map<LargeResponse, Growth>();
  let held = 0;
  let isAdvancing = false;
  let isChanged = false;

  function advance(): void {
    isChanged = true;
    if (isAdvancing) return; // called within `begin`, `refuse` or `proceed`: the loop below goes on
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

  /** What a mutation has done is read to the end, even where its response cannot be sent. */
  function canBeSent({ request }: LargeResponse, bytes: number): boolean {
    return request.kind !== 'query' || hasRoom(request.context, bytes);
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

  /** It waits no more. */
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
    hasRoom,
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

/** The latest query of the caller with most of them; where callers have as many, of the one that came last. */
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
