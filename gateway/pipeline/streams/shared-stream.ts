import type { ExecutionResult } from '../../execution/executable-operation.ts';
import { EVENTS_MISSED_MESSAGE, GatewayError, INTERNAL_ERROR_MESSAGE, isErrorCode } from '../../platform/errors.ts';
import { UNNUMBERED_EVENT } from '../../platform/http/request/event-id.ts';
import type { Logger } from '../../platform/logger.ts';
import { bytesOfValue } from '../../platform/bytes-of-value.ts';
import type { SubgraphError } from '../../supergraph/subgraph-executor.ts';
import type { SubgraphEvent, SubgraphStream, SubgraphStreamEnd } from '../../supergraph/subgraph-streams.ts';
import type { EventEnvelope } from './event-stream.ts';
import type { BytesResult } from '../operation-result.ts';
import { toBytes } from '../response.ts';
import { type Published, type RecentEvents, createRecentEvents } from './recent-events.ts';
import { type StreamBinding, haveSameSource } from './stream-binding.ts';
import type { Subscriber } from './subscriber.ts';
import { createWorkQueue } from './work-queue.ts';

export interface SharedStreamDependencies {
  readonly binding: StreamBinding;
  /** Opens the stream of the first subgraph. */
  readonly open: (binding: StreamBinding, lastEventId: string | undefined, listener: UpstreamListener) => SubgraphStream;
  /** Executes the rest of the plan for one event. */
  readonly run: (binding: StreamBinding, event: SubgraphEvent) => Promise<ExecutionResult>;
  /** Id of the event after which the stream begins. @defaultValue now */
  readonly lastEventId: string | undefined;
  /** Maximum number of events that wait for execution, and of events that are stored for subscribers of other streams. @unit events */
  readonly maxPendingEvents: number;
  /** Maximum size of either; a single event of any size is accepted. @unit bytes */
  readonly maxPendingBytes: number;
  readonly logger: Logger;
  /** Called after each event with an id that was sent to all subscribers. */
  readonly onPublished: (eventId: string) => void;
  /** Called with the number of subscribers that were notified that events may have been missed. */
  readonly onGapReported: (count: number) => void;
  /** Called once, when the stream has ended. */
  readonly onOver: () => void;
}

export interface UpstreamListener {
  onOpen(): void;
  onEvent(event: SubgraphEvent): void;
  onGap(): void;
  onPosition(eventId: string): void;
  onEnd(end: SubgraphStreamEnd): void;
}

/** One stream of a subgraph, executed once for all subscribers with the same events. */
export interface SharedStream {
  /** Resolves when the subgraph has accepted the request. @throws GatewayError when it cannot be reached */
  readonly ready: Promise<void>;
  readonly binding: StreamBinding;
  readonly subscribers: ReadonlySet<Subscriber>;
  /** Whether no event has arrived yet, so that the stream is still at its first position. */
  readonly isFresh: boolean;
  add(subscriber: Subscriber): void;
  /** Removes a subscriber. The stream ends with its last subscriber. */
  remove(subscriber: Subscriber): void;
  /** Continues with the same operation in another generation, after the events that have arrived. */
  move(next: StreamBinding): void;
  /** Stores the latest events while there are other streams of the same subscription. */
  remember(isOn: boolean): void;
  /**
   * Takes over the subscribers of another stream of the same subscription whose position is an event that this stream has sent already.
   * They receive the events after it, and the other stream ends.
   *
   * @returns false when this stream no longer stores the event
   */
  adopt(other: SharedStream, eventId: string): boolean;
  /** Ends the stream and returns its subscribers, to be added to another stream. */
  release(): readonly Subscriber[];
  /** Ends the stream without notifying its subscribers. */
  stop(): void;
}

type Item =
  | { readonly kind: 'event'; readonly binding: StreamBinding; readonly event: SubgraphEvent; readonly bytes: number }
  | { readonly kind: 'gap' }
  | { readonly kind: 'bookmark'; readonly eventId: string }
  | { readonly kind: 'end'; readonly end: SubgraphStreamEnd }
  | { readonly kind: 'retire'; readonly binding: StreamBinding };

/** Creates the formatter of an event. Errors contain the request id of each subscriber; every other text is shared. */
function printerOf({ eventId, result }: Published): (subscriber: Subscriber) => EventEnvelope {
  const withId = eventId === undefined ? {} : { eventId };
  if (result.errors.length > 0) {
    return ({ correlationId, locate }) => ({ ...withId, result: toBytes({ ...result, errors: locate(result.errors) }, correlationId) });
  }
  const shared = { ...withId, result: toBytes(result, '') };
  return () => shared;
}

export function createSharedStream(dependencies: SharedStreamDependencies): SharedStream {
  const { open, run, maxPendingEvents, maxPendingBytes, logger, onPublished, onGapReported, onOver } = dependencies;
  const subscribers = new Set<Subscriber>();
  const queue = createWorkQueue<Item>(work, resume);
  let { binding } = dependencies;
  let upstream: SubgraphStream | undefined;
  /** Id of the event after which the subgraph stream continues, when too many events are waiting. */
  let suspendedAt: string | undefined;
  /** Size of the waiting events. @unit bytes */
  let pendingBytes = 0;
  let lastQueuedId = dependencies.lastEventId;
  /** Position of all subscribers; undefined when it is not known. */
  let position = dependencies.lastEventId;
  let hasDropped = false;
  let isFresh = true;
  /** Latest events, stored while subscribers may be moved from another stream. */
  let recent: RecentEvents | undefined;
  let isOver = false;
  let isReady: () => void = () => undefined;
  let isRejected: (error: GatewayError) => void = () => undefined;
  const ready = new Promise<void>((resolve, reject) => {
    isReady = resolve;
    isRejected = reject;
  });

  function begin(lastEventId: string | undefined): void {
    upstream = open(binding, lastEventId, {
      onOpen: () => isReady(),
      onEvent(event) {
        isFresh = false;
        if (!isOver) receive(event);
      },
      onGap() {
        isFresh = false;
        if (!isOver) dropEvent();
      },
      onPosition(eventId) {
        if (isOver || queue.size >= maxPendingEvents) return; // the next bookmark has the same effect
        lastQueuedId = eventId;
        hasDropped = false;
        queue.push({ kind: 'bookmark', eventId });
      },
      onEnd: (end) => queue.push({ kind: 'end', end }),
    });
  }

  function receive(event: SubgraphEvent): void {
    const { eventId } = event;
    if (queue.size < maxPendingEvents && pendingBytes < maxPendingBytes) {
      lastQueuedId = eventId;
      hasDropped = false; // events that are dropped from here on are a new gap
      // The queue is usually empty, and an event that is executed immediately need not be measured.
      const bytes = queue.size === 0 ? 0 : bytesOfValue(event.response);
      pendingBytes += bytes;
      return queue.push({ kind: 'event', binding, event, bytes });
    }
    if (eventId === undefined || lastQueuedId === undefined) return dropEvent();
    // The event will be sent again, because the stream continues after the last waiting event.
    suspendedAt = lastQueuedId;
    upstream?.close();
    upstream = undefined;
    return undefined;
  }

  function dropEvent(): void {
    if (!hasDropped) queue.push({ kind: 'gap' });
    hasDropped = true;
  }

  function resume(): void {
    hasDropped = false;
    if (isOver || suspendedAt === undefined) return;
    const from = suspendedAt;
    suspendedAt = undefined;
    begin(from);
  }

  async function work(item: Item): Promise<void> {
    if (item.kind === 'event') pendingBytes -= item.bytes;
    if (item.kind === 'retire') return item.binding[Symbol.dispose]();
    if (isOver) return undefined;
    if (item.kind === 'bookmark') return bookmark(item.eventId);
    if (item.kind === 'gap') {
      onGapReported(subscribers.size);
      return publish({ eventId: undefined, result: GAP });
    }
    if (item.kind === 'end') return finish(item.end);
    const { event } = item;
    const result = await run(item.binding, event).catch((error: unknown) => toFailure(error));
    return publish({ eventId: event.eventId ?? UNNUMBERED_EVENT, result });
  }

  function toFailure(error: unknown): ExecutionResult {
    if (error instanceof GatewayError) return { data: 'null', errors: [{ message: error.message, code: error.code }] };
    logger.error({ err: error }, 'An event of a subscription could not be executed.');
    return { data: 'null', errors: [{ message: INTERNAL_ERROR_MESSAGE, code: 'INTERNAL_SERVER_ERROR' }] };
  }

  function bookmark(eventId: string): void {
    position = eventId;
    const envelope = toBookmark(eventId);
    for (const subscriber of subscribers) if (subscriber.wantsBookmarks) subscriber.push(envelope);
  }

  function publish(published: Published): void {
    const { eventId } = published;
    const print = printerOf(published);
    for (const subscriber of subscribers) subscriber.push(print(subscriber));
    recent?.add(published);
    if (eventId === undefined || eventId === UNNUMBERED_EVENT) return;
    position = eventId;
    onPublished(eventId);
  }

  function finish(end: SubgraphStreamEnd): void {
    const failure = failureOf(end);
    if (end.kind === 'rejected' && failure === undefined) publish({ eventId: undefined, result: { data: 'null', errors: end.errors } });
    const reported = [...subscribers];
    if (failure !== undefined) isRejected(failure); // has no effect when the stream was ready
    stop();
    for (const subscriber of reported) subscriber.end(failure);
  }

  function stop(): void {
    if (isOver) return;
    isOver = true;
    upstream?.close();
    upstream = undefined;
    queue.push({ kind: 'retire', binding });
    isReady();
    subscribers.clear();
    onOver();
  }

  function take(subscriber: Subscriber): void {
    subscriber.home = stream;
    subscribers.add(subscriber);
  }

  ready.catch(() => undefined); // callers that await it still receive the rejection
  const stream: SharedStream = {
    ready,
    get binding() {
      return binding;
    },
    get isFresh() {
      return isFresh;
    },
    subscribers,
    add(subscriber) {
      take(subscriber);
      if (position !== undefined && subscriber.wantsBookmarks) subscriber.push(toBookmark(position));
    },
    remove(subscriber) {
      if (subscribers.delete(subscriber) && subscribers.size === 0) stop();
    },
    remember(isOn) {
      recent = isOn ? (recent ?? createRecentEvents({ maxEvents: maxPendingEvents, maxBytes: maxPendingBytes })) : undefined;
    },
    adopt(other, eventId) {
      const missing = isOver ? undefined : recent?.after(eventId)?.map(printerOf);
      if (missing === undefined) return false;
      for (const subscriber of other.release()) {
        take(subscriber);
        for (const print of missing) subscriber.push(print(subscriber));
      }
      return true;
    },
    release() {
      const released = [...subscribers];
      stop();
      return released;
    },
    move(next) {
      if (isOver) return next[Symbol.dispose]();
      const previous = binding;
      const lastEventId = upstream?.lastEventId;
      binding = next;
      if (upstream !== undefined && !haveSameSource(previous, next)) {
        upstream.close();
        if (lastEventId === undefined) queue.push({ kind: 'gap' });
        begin(lastEventId);
      }
      queue.push({ kind: 'retire', binding: previous });
      return undefined;
    },
    stop,
  };
  begin(dependencies.lastEventId);
  return stream;
}

const NOTHING: BytesResult = { body: '', facts: { errorCodes: [] } };

function toBookmark(eventId: string): EventEnvelope {
  return { eventId, result: NOTHING, isBookmark: true };
}

const GAP: ExecutionResult = {
  data: 'null',
  errors: [{ message: EVENTS_MISSED_MESSAGE, code: 'EVENTS_MAY_BE_MISSED' }],
};

/** Makes the notice of a gap for one client whose stream begins after the gap. */
export function gapFor(correlationId: string): EventEnvelope {
  return { result: toBytes(GAP, correlationId) };
}

/** Makes the error for clients; undefined when the stream ended normally, or when only a result can contain the error. */
function failureOf(end: SubgraphStreamEnd): GatewayError | undefined {
  if (end.kind === 'complete') return undefined;
  if (end.kind === 'rejected') return toGatewayError(end.errors);
  if (end.error instanceof GatewayError) return end.error;
  return new GatewayError('INTERNAL_SERVER_ERROR', INTERNAL_ERROR_MESSAGE, { cause: end.error });
}

/** Converts an error with a code of the gateway. Other codes are known only to clients of the subgraph, so they remain in a result. */
function toGatewayError([first]: readonly SubgraphError[]): GatewayError | undefined {
  if (first === undefined || first.subgraph !== undefined || !isErrorCode(first.code)) return undefined;
  return new GatewayError(first.code, first.message);
}
