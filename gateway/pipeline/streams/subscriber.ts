import type { ExecutionError } from '../../execution/executable-operation.ts';
import { GatewayError } from '../../platform/errors.ts';
import type { EventEnvelope, EventStream } from './event-stream.ts';

/** Adds locations to errors of an event. */
export type LocateErrors = (errors: readonly ExecutionError[]) => readonly ExecutionError[];

type Result = IteratorResult<EventEnvelope, undefined>;

interface Reader {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
}

/** Limits of the events that wait for a reader. A reader that exceeds them is dropped. */
export interface QueueLimits {
  /** @unit events */
  readonly maxQueuedEvents: number;
  /** @unit UTF-16 code units */
  readonly maxQueuedBytes: number;
}

/** Called once, when a subscriber has ended. */
export type Disconnected = (reason: 'left' | 'ended' | 'slow') => void;

const DONE: Result = { done: true, value: undefined };

/**
 * Queue of one client of a stream. It is a class with optional members to save memory, because there are tens of thousands, mostly idle.
 */
export class Subscriber implements EventStream {
  /** Correlation id of its request, for texts that only this client receives. */
  readonly correlationId: string;
  /** Whether the client receives bookmarks with the position of the stream. */
  readonly wantsBookmarks: boolean;
  /** Locates errors of events. Clients that share a stream may have sent different documents. */
  readonly locate: LocateErrors;
  /** Stream that sends the events. Another stream with the same events may take the subscriber over. */
  home: { remove(subscriber: Subscriber): void } | undefined;
  readonly #limits: QueueLimits;
  readonly #onDisconnect: Disconnected;
  #queue: EventEnvelope[] | undefined;
  #queuedBytes = 0;
  #reader: Reader | undefined;
  #failure: GatewayError | undefined;
  #isOver = false;

  constructor(
    { correlationId, wantsBookmarks, locate }: Pick<Subscriber, 'correlationId' | 'wantsBookmarks' | 'locate'>,
    limits: QueueLimits,
    onDisconnect: Disconnected,
  ) {
    this.correlationId = correlationId;
    this.wantsBookmarks = wantsBookmarks;
    this.locate = locate;
    this.#limits = limits;
    this.#onDisconnect = onDisconnect;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  push(envelope: EventEnvelope): void {
    if (this.#isOver) return;
    const reader = this.#reader;
    if (reader !== undefined) {
      this.#reader = undefined;
      return reader.resolve({ done: false, value: envelope });
    }
    const { length } = envelope.result.body;
    const queued = this.#queue?.length ?? 0;
    // A single event of any size is accepted, because it is already in memory and shared by all subscribers.
    if (queued > 0 && (queued >= this.#limits.maxQueuedEvents || this.#queuedBytes + length > this.#limits.maxQueuedBytes)) {
      return this.#finish('slow', tooSlow());
    }
    this.#queuedBytes += length;
    if (this.#queue === undefined) this.#queue = [envelope];
    else this.#queue.push(envelope);
    return undefined;
  }

  /** Ends the stream after the queued events. @param failure error that is thrown at the end; absent when the stream ended normally */
  end(failure?: GatewayError): void {
    this.#finish('ended', failure);
  }

  #finish(reason: Parameters<Disconnected>[0], failure: GatewayError | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const reader = this.#reader;
    this.#reader = undefined;
    if (reader === undefined) this.#failure = failure;
    else if (failure === undefined) reader.resolve(DONE);
    else reader.reject(failure);
    this.home?.remove(this);
    this.#onDisconnect(reason);
  }

  /** Returns the next event. Only one call at a time is allowed. @throws GatewayError the error that ended the stream */
  next(): Promise<Result> {
    const envelope = this.#queue?.shift();
    if (envelope !== undefined) {
      this.#queuedBytes -= envelope.result.body.length;
      if (this.#queue?.length === 0) this.#queue = undefined;
      return Promise.resolve({ done: false, value: envelope });
    }
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) return Promise.reject(failure);
    if (this.#isOver) return Promise.resolve(DONE);
    if (this.#reader !== undefined) return Promise.reject(new Error('A stream supports only one pending read.'));
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject };
    });
  }

  return(): Promise<Result> {
    this.#queue = undefined;
    this.#queuedBytes = 0;
    this.#failure = undefined;
    this.#finish('left', undefined);
    return Promise.resolve(DONE);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

function tooSlow(): GatewayError {
  return new GatewayError(
    'EVENTS_MAY_BE_MISSED',
    'Events arrived faster than the client read them. Subscribe again after the last event that was received.',
  );
}
