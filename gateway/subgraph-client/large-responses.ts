import { LRUCache } from 'lru-cache';
import { createFairQueue } from '../platform/fair-queue.ts';
import type { SubgraphContext, SubgraphRequest } from '../supergraph/subgraph-executor.ts';

/** A large response whose head has come, or that is expected from a request that is not sent yet. */
export interface LargeResponse {
  readonly request: SubgraphRequest;
  /** Length of its body, or what has come of it. @unit bytes */
  readonly bytes: number;
  /** Responses of the subgraph that may wait at a time, where this one keeps a connection while it waits. @defaultValue it keeps none */
  readonly maxWaiting?: number;
  /** Called once when the body may be received. */
  begin(): void;
  /** Called in place of `begin` when the response of a query cannot be received. */
  refuse(): void;
}

/** Large responses of all subgraphs, of which a bounded number of bytes is received and parsed at a time. */
export interface LargeResponses {
  /** Length of the last response to an equal query, if it was large. @unit bytes */
  expectedBytes(request: SubgraphRequest): number | undefined;
  /** Remembers the length of a response. @unit bytes */
  note(request: SubgraphRequest, bytes: number): void;
  /** Lets a response wait for its turn; it may come within the call. */
  enter(response: LargeResponse): void;
  /** Takes a response out, whether or not its turn has come. Its memory is free. Further calls do nothing. */
  leave(response: LargeResponse): void;
}

export interface LargeResponsesOptions {
  /** @unit bytes */
  readonly maxBytes: number;
  /** Names the caller of an operation: callers take turns. */
  readonly callerOf: (context: SubgraphContext) => string;
  /** Whether a response of so many bytes could be sent to the caller now. @defaultValue it always can */
  readonly hasRoom?: ((context: SubgraphContext, bytes: number) => boolean) | undefined;
}

/**
 * Bodies of this size are large: parsing, merging and printing one takes the event loop for some milliseconds. It is larger than the buffer
 * into which a connection reads, so that the bytes are not overwritten while a body waits to be parsed. @unit bytes
 */
export const LARGE_BODY_BYTES = 262_144;

/** Memory for lengths that are remembered. @unit bytes */
const MAX_REMEMBERED_BYTES = 1_048_576;

/** About what an entry takes besides its key. @unit bytes */
const ENTRY_BYTES = 200;

/** A response that waits, with the name of its caller. */
interface Entry {
  readonly response: LargeResponse;
  readonly callers: ReadonlySet<string>;
}

/**
 * Bounds the memory and the work that large responses take at a time. While a response waits, the gateway does not read from its connection,
 * and the subgraph stops sending. A query whose last response was large waits before it is sent. When too many responses of a subgraph keep
 * connections, the latest one of the caller with most of them is refused, so that the connections stay free for other callers.
 */
export function createLargeResponses({ maxBytes, callerOf, hasRoom = () => true }: LargeResponsesOptions): LargeResponses {
  const waiting = createFairQueue<Entry>();
  const entries = new Map<LargeResponse, Entry>();
  /** Those that keep connections while they wait, by subgraph. */
  const connected = new Map<string, Set<Entry>>();
  const begun = new Set<LargeResponse>();
  const lengths = new LRUCache<string, number>({
    maxSize: MAX_REMEMBERED_BYTES,
    maxEntrySize: MAX_REMEMBERED_BYTES / 16,
    sizeCalculation: (_bytes, key) => ENTRY_BYTES + 2 * key.length,
  });
  let held = 0;
  let isAdvancing = false;

  function advance(): void {
    if (isAdvancing) return; // a response that leaves within `begin` or `refuse` is followed by the loop below
    isAdvancing = true;
    try {
      for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
        const { bytes } = entry.response;
        if (held > 0 && held + bytes > maxBytes) return waiting.unshift(entry);
        start(entry);
      }
    } finally {
      isAdvancing = false;
    }
  }

  function start(entry: Entry): void {
    const { response } = entry;
    const { request, bytes } = response;
    waiting.charge(entry, bytes);
    // What a mutation has done is read to the end, even where its response cannot be sent.
    if (request.kind === 'query' && !hasRoom(request.context, bytes)) return refuse(entry);
    forget(entry);
    held += bytes;
    begun.add(response);
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

  function keepConnection(entry: Entry, maxWaiting: number): void {
    const { subgraph } = entry.response.request;
    const others = connected.get(subgraph) ?? new Set();
    connected.set(subgraph, others.add(entry));
    if (others.size <= maxWaiting) return;
    const displaced = latestOfMost(others);
    if (displaced !== undefined) refuse(displaced);
  }

  return {
    expectedBytes: (request) => (request.kind === 'query' && lengths.size > 0 ? lengths.get(keyOf(request)) : undefined),
    note(request, bytes) {
      if (request.kind !== 'query') return;
      if (bytes >= LARGE_BODY_BYTES) lengths.set(keyOf(request), bytes);
      else lengths.delete(keyOf(request));
    },
    enter(response) {
      const entry: Entry = { response, callers: new Set([callerOf(response.request.context)]) };
      entries.set(response, entry);
      waiting.push(entry);
      advance();
      if (response.maxWaiting !== undefined && entries.has(response)) keepConnection(entry, response.maxWaiting);
    },
    leave(response) {
      const entry = entries.get(response);
      if (entry !== undefined) forget(entry);
      if (begun.delete(response)) held -= response.bytes;
      advance();
    },
  };
}

/** The latest query of the caller with most of them. */
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
  for (const own of byCaller.values()) if (own.length > most.length) most = own;
  return most.at(-1);
}

function keyOf({ subgraph, body }: SubgraphRequest): string {
  return `${subgraph} ${body}`;
}
