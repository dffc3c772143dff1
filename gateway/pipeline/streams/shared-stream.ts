import type { ExecutionOutcome } from '../../execution/executable-operation.ts';
import { EVENTS_MISSED_MESSAGE, GatewayError, INTERNAL_ERROR_MESSAGE, isErrorCode } from '../../platform/errors.ts';
import { UNNUMBERED_EVENT } from '../../platform/http/request/event-id.ts';
import type { Logger } from '../../platform/logger.ts';
import { bytesOfValue } from '../../platform/bytes-of-value.ts';
import type { SubgraphError } from '../../supergraph/subgraph-executor.ts';
import type { SubgraphEvent, SubgraphStream, SubgraphStreamEnd } from '../../supergraph/subgraph-streams.ts';
import type { EventEnvelope } from '../event-stream.ts';
import type { BytesResult } from '../operation-request.ts';
import { toBytes } from '../output.ts';
import { type Published, type RecentEvents, createRecentEvents } from './recent-events.ts';
import { type StreamBinding, haveSameSource } from './stream-binding.ts';
import type { Subscriber } from './subscriber.ts';
import { createWorkQueue } from './work-queue.ts';

export interface SharedStreamParts {
  readonly binding: StreamBinding;
  /** Opens the stream of the first subgraph. */
  readonly open: (binding: StreamBinding, lastEventId: string | undefined, listener: UpstreamListener) => SubgraphStream;
  /** Runs one event with the rest of the plan. */
  readonly run: (binding: StreamBinding, event: SubgraphEvent) => Promise<ExecutionOutcome>;
  /** The event after which it begins. @defaultValue from now on */
  readonly lastEventId: string | undefined;
  /** Largest number of events that wait to be run, and of events that are retained for subscribers of other streams. @unit events */
  readonly maxPendingEvents: number;
  /** Size of either, at most; one event is taken whatever its size. @unit bytes */
  readonly maxPendingBytes: number;
  readonly logger: Logger;
  /** Called after each event with an id that all subscribers have been given. */
  readonly onPublished: (eventId: string) => void;
  /** Called when that many subscribers are told that events may have been missed. */
  readonly onGapTold: (count: number) => void;
  /** Called once, when nothing comes of it any more. */
  readonly onOver: () => void;
}

export interface UpstreamListener {
  onOpen(): void;
  onEvent(event: SubgraphEvent): void;
  onGap(): void;
  onPosition(eventId: string): void;
  onEnd(end: SubgraphStreamEnd): void;
}

/** One stream of a subgraph, run once for all who get the same events. */
export interface SharedStream {
  /** Resolves when the subgraph has been asked. @throws GatewayError when it cannot be */
  readonly ready: Promise<void>;
  readonly binding: StreamBinding;
  readonly subscribers: ReadonlySet<Subscriber>;
  /** Whether nothing has come yet: it stands where it began. */
  readonly isFresh: boolean;
  add(subscriber: Subscriber): void;
  /** The last one takes the stream along. */
  remove(subscriber: Subscriber): void;
  /** Goes on with the same operation as another generation runs it, after the events that have come. */
  move(next: StreamBinding): void;
  /** Keeps its latest events as long as there are others for the same subscription. */
  remember(isOn: boolean): void;
  /**
   * Takes over the subscribers of another stream of the same subscription, which stands at an event that this one has given
   * already: they are given what came after it, and the other one ends.
   *
   * @returns false where this one does not know the event
   */
  adopt(other: SharedStream, eventId: string): boolean;
  /** Ends it; its subscribers are for another one. */
  release(): readonly Subscriber[];
  /** Ends it without a word to those who are subscribed. */
  stop(): void;
}

type Item =
  | { readonly kind: 'event'; readonly binding: StreamBinding; readonly event: SubgraphEvent; readonly bytes: number }
  | { readonly kind: 'gap' }
  | { readonly kind: 'mark'; readonly eventId: string }
  | { readonly kind: 'end'; readonly end: SubgraphStreamEnd }
  | { readonly kind: 'retire'; readonly binding: StreamBinding };

/** Errors name the request of each; everything else is the same text for all. */
function printerOf({ eventId, outcome }: Published): (subscriber: Subscriber) => EventEnvelope {
  const withId = eventId === undefined ? {} : { eventId };
  if (outcome.errors.length > 0) {
    return ({ correlationId, locate }) => ({ ...withId, result: toBytes({ ...outcome, errors: locate(outcome.errors) }, correlationId) });
  }
  const shared = { ...withId, result: toBytes(outcome, '') };
  return () => shared;
}

export function createSharedStream(parts: SharedStreamParts): SharedStream {
  const { open, run, maxPendingEvents, maxPendingBytes, logger, onPublished, onGapTold, onOver } = parts;
  const subscribers = new Set<Subscriber>();
  const queue = createWorkQueue<Item>(work, resume);
  let { binding } = parts;
  let upstream: SubgraphStream | undefined;
  /** Where to go on when the events that wait have been run; they were more than may wait. */
  let suspendedAt: string | undefined;
  /** Size of the events that wait. @unit bytes */
  let pendingBytes = 0;
  let lastQueuedId = parts.lastEventId;
  /** How far all subscribers have come; undefined where nobody can say it. */
  let position = parts.lastEventId;
  let hasDropped = false;
  let isFresh = true;
  /** The latest events, where somebody may come from another stream. */
  let recent: RecentEvents | undefined;
  let isOver = false;
  let isReady: () => void = () => undefined;
  let isRefused: (error: GatewayError) => void = () => undefined;
  const ready = new Promise<void>((resolve, reject) => {
    isReady = resolve;
    isRefused = reject;
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
        if (isOver || queue.size >= maxPendingEvents) return; // the next one says as much
        lastQueuedId = eventId;
        hasDropped = false;
        queue.push({ kind: 'mark', eventId });
      },
      onEnd: (end) => queue.push({ kind: 'end', end }),
    });
  }

  function receive(event: SubgraphEvent): void {
    const { eventId } = event;
    if (queue.size < maxPendingEvents && pendingBytes < maxPendingBytes) {
      lastQueuedId = eventId;
      hasDropped = false; // what is dropped from here on is a gap of its own
      // Nearly always nothing waits, and an event that is run at once needs no look.
      const bytes = queue.size === 0 ? 0 : bytesOfValue(event.response);
      pendingBytes += bytes;
      return queue.push({ kind: 'event', binding, event, bytes });
    }
    if (eventId === undefined || lastQueuedId === undefined) return dropEvent();
    // It comes again: the stream goes on after the last event that waits.
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
    if (item.kind === 'mark') return mark(item.eventId);
    if (item.kind === 'gap') {
      onGapTold(subscribers.size);
      return publish({ eventId: undefined, outcome: GAP });
    }
    if (item.kind === 'end') return finish(item.end);
    const { event } = item;
    const outcome = await run(item.binding, event).catch((error: unknown) => toFailure(error));
    return publish({ eventId: event.eventId ?? UNNUMBERED_EVENT, outcome });
  }

  function toFailure(error: unknown): ExecutionOutcome {
    if (error instanceof GatewayError) return { data: 'null', errors: [{ message: error.message, code: error.code }] };
    logger.error({ err: error }, 'An event of a stream could not be run.');
    return { data: 'null', errors: [{ message: INTERNAL_ERROR_MESSAGE, code: 'INTERNAL_SERVER_ERROR' }] };
  }

  function mark(eventId: string): void {
    position = eventId;
    const envelope = toMark(eventId);
    for (const subscriber of subscribers) if (subscriber.wantsMarks) subscriber.push(envelope);
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
    if (end.kind === 'refused' && failure === undefined) publish({ eventId: undefined, outcome: { data: 'null', errors: end.errors } });
    const told = [...subscribers];
    if (failure !== undefined) isRefused(failure); // unless it was ready
    stop();
    for (const subscriber of told) subscriber.end(failure);
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

  ready.catch(() => undefined); // whoever waits for it is told
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
      if (position !== undefined && subscriber.wantsMarks) subscriber.push(toMark(position));
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
  begin(parts.lastEventId);
  return stream;
}

const NOTHING: BytesResult = { body: '', facts: { errorCodes: [] } };

function toMark(eventId: string): EventEnvelope {
  return { eventId, result: NOTHING, isMark: true };
}

const GAP: ExecutionOutcome = {
  data: 'null',
  errors: [{ message: EVENTS_MISSED_MESSAGE, code: 'EVENTS_MAY_BE_MISSED' }],
};

/** Word of a gap for one client, whose stream begins after it. */
export function gapFor(correlationId: string): EventEnvelope {
  return { result: toBytes(GAP, correlationId) };
}

/** What the clients are told; undefined where nothing is wrong, or where only an answer can say it. */
function failureOf(end: SubgraphStreamEnd): GatewayError | undefined {
  if (end.kind === 'complete') return undefined;
  if (end.kind === 'refused') return toRefusal(end.errors);
  if (end.error instanceof GatewayError) return end.error;
  return new GatewayError('INTERNAL_SERVER_ERROR', INTERNAL_ERROR_MESSAGE, { cause: end.error });
}

/** A code of ours says it all; any other is one that only the subgraph's clients know. */
function toRefusal([first]: readonly SubgraphError[]): GatewayError | undefined {
  if (first === undefined || first.subgraph !== undefined || !isErrorCode(first.code)) return undefined;
  return new GatewayError(first.code, first.message);
}
