import { LRUCache } from 'lru-cache';
import type { Principal } from '../../gateway/index.ts';
import type { RequestHeaders } from '../../gateway/platform/request-headers.ts';
import type { RestRoute } from '../compile/rest-route.ts';
import type { OperationMemo, RestGateway } from '../rest-gateway.ts';
import type { LocatedResource } from './negotiation/choose-version.ts';
import type { RequestTarget } from './request-address.ts';
import type { RestRequest } from './request-context.ts';

/**
 * Memo of a read whose response was cached. It contains only what follows from the request target and the headers that select the
 * representation. It contains neither permissions nor responses: both are determined for each request.
 */
export interface KnownRead {
  readonly target: RequestTarget;
  readonly resource: LocatedResource;
  readonly route: RestRoute;
  /** Validated request of callers without credentials, who can be shown other fields. Undefined until one was served. */
  readonly anonymous: KnownView | undefined;
  /** Validated request of callers with credentials. Undefined until one was served. */
  readonly identified: KnownView | undefined;
}

/** The part of a validated read that is equal for all callers with credentials, or for all without. */
export interface KnownView {
  readonly request: KnownRequest;
  /** Memos of its operation, by cache partition. */
  readonly memos: ReadonlyMap<string, OperationMemo>;
  /** Decides whether data of the operation may be stored. */
  readonly isStorable: (data: string) => boolean;
  /** Key of the responses that were made for it. */
  readonly renditionKey: symbol;
}

type KnownRequest = Pick<
  RestRequest,
  | 'target'
  | 'resource'
  | 'route'
  | 'representation'
  | 'preferences'
  | 'isMinimal'
  | 'isAnonymousView'
  | 'bound'
  | 'document'
  | 'printedItems'
  | 'address'
>;

/** Memos of the reads of one route table. A new table begins without memos. */
export interface KnownReads {
  /** @param key result of `keyOfRead` */
  find(key: string): KnownRead | undefined;
  /**
   * Remembers a read whose response is cached. Has no effect if the response depends on more than the key and the caller.
   *
   * @param isStorable decides whether data of the operation may be stored
   */
  remember(key: string, request: RestRequest, memo: OperationMemo, isStorable: KnownView['isStorable']): void;
}

/** Share of the response cache that memos can use in addition. */
const BYTES_SHARE = 8;
/** Maximum number of memos of one view; the oldest is removed. Other requests are prepared again. @unit partitions */
const MAX_PARTITIONS = 32;
/** Fixed size of a read, and of each memo. @unit bytes */
const FIXED_BYTES = 1_000;
/** A target with many short names is parsed to small strings, lists and slots of maps. @unit bytes */
const BYTES_PER_CHARACTER = 100;

const NO_KNOWN_READS: KnownReads = { find: () => undefined, remember: () => undefined };

/**
 * Creates the memos of a route table.
 *
 * @param cache response cache of the gateway. Without one, nothing is remembered
 */
export function createKnownReads(cache: RestGateway['responseCache']): KnownReads {
  if (cache?.servesMemos !== true) return NO_KNOWN_READS;
  const reads = new LRUCache<string, KnownRead>({
    max: cache.maxEntries,
    maxSize: Math.ceil(cache.maxBytes / BYTES_SHARE),
    sizeCalculation: ({ anonymous, identified }, key) =>
      FIXED_BYTES + BYTES_PER_CHARACTER * key.length + bytesOfView(anonymous) + bytesOfView(identified),
  });
  return {
    find: (key) => reads.get(key),
    remember(key, request, memo, isStorable) {
      const { target, resource, route, principal } = request;
      if (!isKnowable(route)) return;
      const known = reads.peek(key);
      const view = withMemo(known && viewFor(known, principal), memo) ?? createView(request, memo, isStorable);
      const isAnonymous = principal.kind === 'anonymous';
      reads.set(key, {
        target: known?.target ?? target,
        resource: known?.resource ?? resource,
        route,
        anonymous: isAnonymous ? view : known?.anonymous,
        identified: isAnonymous ? known?.identified : view,
      });
    },
  };
}

/**
 * Returns the text that determines the target and the representation of a read. Undefined for other requests. An empty header has the same
 * meaning as an absent one.
 */
export function keyOfRead({ method, url = '', headers }: ReadableRequest, basePath: string): string | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const { accept = '', prefer = '' } = headers;
  return typeof prefer === 'string' ? `${url}\n${basePath}\n${accept}\n${prefer}` : undefined;
}

interface ReadableRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: RequestHeaders;
}

/** Returns the view of a caller. Undefined if no such caller was served. */
export function viewFor({ anonymous, identified }: KnownRead, { kind }: Principal): KnownView | undefined {
  return kind === 'anonymous' ? anonymous : identified;
}

/** Whether the key of a read contains everything that becomes a variable. */
function isKnowable({ method, bindings }: RestRoute): boolean {
  return method === 'GET' && bindings.headers.length === 0 && bindings.body === undefined && bindings.idempotencyKey === undefined;
}

function createView(request: RestRequest, memo: OperationMemo, isStorable: KnownView['isStorable']): KnownView {
  const memos = new Map([[memo.partition, memo]]);
  return { request: toKnown(request), memos, isStorable, renditionKey: Symbol(request.target.path) };
}

function withMemo(view: KnownView | undefined, memo: OperationMemo): KnownView | undefined {
  if (view === undefined) return undefined;
  const memos = new Map(view.memos);
  memos.delete(memo.partition);
  memos.set(memo.partition, memo);
  const [oldest] = memos.keys();
  if (oldest !== undefined && memos.size > MAX_PARTITIONS) memos.delete(oldest);
  return { ...view, memos };
}

/** Copies the members of a request that do not belong to one caller or one connection. */
function toKnown(request: RestRequest): KnownRequest {
  const { target, resource, route, representation, preferences, isMinimal, isAnonymousView, bound, document, printedItems, address } =
    request;
  return { target, resource, route, representation, preferences, isMinimal, isAnonymousView, bound, document, printedItems, address };
}

function bytesOfView(view: KnownView | undefined): number {
  let bytes = 0;
  for (const { key, partition, text } of view?.memos.values() ?? []) {
    bytes += FIXED_BYTES + 2 * (key.length + partition.length + text.length);
  }
  return bytes;
}
