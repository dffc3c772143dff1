import { GraphQLError } from 'graphql';

/** Queue of items for one consumer. */
export interface BoundedQueue<Item> {
  /** Adds an item. An overflow ends the queue: the consumer reads the queued items, and then an error. */
  push(item: Item): void;
  /** Adds items before all queued items. They do not count toward the limit, because they are already in memory. */
  prepend(items: readonly Item[]): void;
  /** Ends the queue with an error after the queued items. */
  fail(error: Error): void;
  /** Ends the queue after the queued items. */
  end(): void;
  readonly items: AsyncIterableIterator<Item>;
}

/** A consumer that waits for the next item. */
interface Waiting<Item> {
  readonly resolve: (result: IteratorResult<Item, undefined>) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Creates a queue.
 *
 * @param onEnd called once, when the queue accepts no more items: at the end, at an overflow, or when the consumer returns
 * @param first items that the consumer reads first; they do not count toward the limit, because they are already in memory
 */
export function createBoundedQueue<Item>(maxItems: number, onEnd: () => void, first: readonly Item[] = []): BoundedQueue<Item> {
  const queued: Item[] = [...first];
  let maxQueued = maxItems + first.length;
  const waiting: Waiting<Item>[] = [];
  let ended = false;
  let failure: Error | undefined;

  function end(): void {
    if (ended) return;
    ended = true;
    onEnd();
    for (const consumer of waiting.splice(0)) consumer.resolve({ done: true, value: undefined });
  }

  return {
    push(item) {
      if (ended) return;
      const consumer = waiting.shift();
      if (consumer !== undefined) {
        consumer.resolve({ done: false, value: item });
      } else if (queued.length < maxQueued) {
        queued.push(item);
      } else {
        failure = new GraphQLError('Events arrived faster than the client read them; some may have been missed.', {
          extensions: { code: 'EVENTS_MAY_BE_MISSED' },
        });
        end();
      }
    },
    prepend(items) {
      if (ended || items.length === 0) return;
      queued.unshift(...items);
      maxQueued += items.length;
      while (waiting.length > 0 && queued.length > 0) waiting.shift()?.resolve({ done: false, value: queued.shift() as Item });
    },
    fail(error) {
      if (ended) return;
      const consumer = waiting.shift();
      if (consumer === undefined) failure = error;
      else consumer.reject(error);
      end();
    },
    end,
    items: {
      async next() {
        const item = queued.shift();
        maxQueued = Math.max(maxItems, maxQueued - 1);
        if (item !== undefined) return { done: false, value: item };
        if (failure !== undefined) {
          const error = failure;
          failure = undefined;
          throw error;
        }
        if (ended) return { done: true, value: undefined };
        return new Promise((resolve, reject) => {
          waiting.push({ resolve, reject });
        });
      },
      async return() {
        queued.length = 0;
        failure = undefined;
        end();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    },
  };
}
