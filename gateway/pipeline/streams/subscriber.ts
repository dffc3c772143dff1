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

/** What waits for a reader at most; whoever falls further behind is dropped. */
export interface QueueLimits {
  /** @unit events */
  readonly maxQueuedEvents: number;
  /** @unit UTF-16 code units */
  readonly maxQueuedBytes: number;
}

/** Hears that a subscriber takes no more. Called once. */
export type Gone = (reason: 'left' | 'ended' | 'slow') => void;

const DONE: Result = { done: true, value: undefined };

/** One client's end of a stream. A class, because there are tens of thousands: what is not needed while it is idle is not there. */
export class Subscriber implements EventStream {
  /** Of its request; goes into what only this client reads. */
  readonly correlationId: string;
  /** Whether it is told how far the stream has come where no event says it. */
  readonly wantsMarks: boolean;
  /** For errors of events: clients that share a stream may have written its operation in different ways. */
  readonly locate: LocateErrors;
  /** What it gets its events from. It may be taken over by another that has the same. */
  home: { remove(subscriber: Subscriber): void } | undefined;
  readonly #limits: QueueLimits;
  readonly #onGone: Gone;
  #queue: EventEnvelope[] | undefined;
  #queuedBytes = 0;
  #reader: Reader | undefined;
  #failure: GatewayError | undefined;
  #isOver = false;

  constructor(
    { correlationId, wantsMarks, locate }: Pick<Subscriber, 'correlationId' | 'wantsMarks' | 'locate'>,
    limits: QueueLimits,
    onGone: Gone,
  ) {
    this.correlationId = correlationId;
    this.wantsMarks = wantsMarks;
    this.locate = locate;
    this.#limits = limits;
    this.#onGone = onGone;
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
    // One event is taken whatever its size: it is there already, and shared by all.
    if (queued > 0 && (queued >= this.#limits.maxQueuedEvents || this.#queuedBytes + length > this.#limits.maxQueuedBytes)) {
      return this.#finish('slow', tooSlow());
    }
    this.#queuedBytes += length;
    if (this.#queue === undefined) this.#queue = [envelope];
    else this.#queue.push(envelope);
    return undefined;
  }

  /** What is queued is read first. @param failure thrown at the end; absent where the stream is simply over */
  end(failure?: GatewayError): void {
    this.#finish('ended', failure);
  }

  #finish(reason: Parameters<Gone>[0], failure: GatewayError | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const reader = this.#reader;
    this.#reader = undefined;
    if (reader === undefined) this.#failure = failure;
    else if (failure === undefined) reader.resolve(DONE);
    else reader.reject(failure);
    this.home?.remove(this);
    this.#onGone(reason);
  }

  /** One at a time. @throws GatewayError what ended the stream */
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
    if (this.#reader !== undefined) return Promise.reject(new Error('A stream is read by one reader.'));
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
  return new GatewayError('EVENTS_MAY_BE_MISSED', 'Events came faster than they were read. Subscribe again after the last one.');
}
