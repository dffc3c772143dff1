import type { EventEnvelope, EventStream, Subscribe, SubscriptionRequest } from '../../../gateway/pipeline/streams/event-stream.ts';

/** A stream whose events a test creates. */
export interface HandFedStream {
  readonly request: SubscriptionRequest;
  push(data: unknown, eventId?: string): void;
  end(): void;
  fail(error: unknown): void;
  /** Resolves when the transport has ended the stream. */
  readonly returned: Promise<void>;
  readonly isReturned: boolean;
  /** Number of events that were not read. */
  readonly backlog: number;
}

export interface HandFedStreams {
  readonly subscribe: Subscribe;
  /** Streams that were opened, in order. */
  readonly opened: readonly HandFedStream[];
  /** Returns the first opened stream that was not returned before, or the next one. */
  next(): Promise<HandFedStream>;
  /** Blocks new streams until `release` is called. */
  hold(): { release(): void };
}

/** Creates a replacement for the engine's subscriptions that a test controls. */
export function createHandFedStreams(): HandFedStreams {
  const opened: HandFedStream[] = [];
  const waiting: ((stream: HandFedStream) => void)[] = [];
  let taken = 0;
  let gate: Promise<void> = Promise.resolve();

  return {
    opened,
    async subscribe(request) {
      await gate;
      const { stream, hand } = createHandFed(request);
      opened.push(hand);
      const waiter = waiting.shift();
      if (waiter !== undefined) {
        taken += 1;
        waiter(hand);
      }
      return stream;
    },
    next() {
      const known = opened[taken];
      if (known !== undefined) {
        taken += 1;
        return Promise.resolve(known);
      }
      return new Promise((resolve) => waiting.push(resolve));
    },
    hold() {
      let release: () => void = () => undefined;
      gate = new Promise((resolve) => {
        release = resolve;
      });
      return { release };
    },
  };
}

type Step = { readonly value: EventEnvelope } | { readonly error: unknown } | { readonly done: true };

function createHandFed(request: SubscriptionRequest): { readonly stream: EventStream; readonly hand: HandFedStream } {
  const steps: Step[] = [];
  let wake: (() => void) | undefined;
  let isReturned = false;
  let reportReturned: () => void = () => undefined;
  const returned = new Promise<void>((resolve) => {
    reportReturned = resolve;
  });
  const add = (step: Step): void => {
    steps.push(step);
    wake?.();
  };
  const stream: EventStream = {
    async next() {
      const isWaiting = (): boolean => steps.length === 0 && !isReturned;
      while (isWaiting()) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const step = isReturned ? undefined : steps.shift();
      if (step === undefined || 'done' in step) return { done: true, value: undefined };
      if ('error' in step) throw step.error;
      return { done: false, value: step.value };
    },
    async return() {
      isReturned = true;
      reportReturned();
      wake?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => stream,
  };
  const hand: HandFedStream = {
    request,
    returned,
    get isReturned() {
      return isReturned;
    },
    get backlog() {
      return steps.length;
    },
    push: (data, eventId) =>
      add({
        value: { ...(eventId === undefined ? {} : { eventId }), result: { body: JSON.stringify({ data }), facts: { errorCodes: [] } } },
      }),
    end: () => add({ done: true }),
    fail: (error) => add({ error }),
  };
  return { stream, hand };
}
