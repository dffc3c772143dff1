import { GraphQLError } from 'graphql';

/** Items on their way to one consumer. */
export interface BoundedQueue<Item> {
  /** Overflow cuts the consumer off: it reads what is queued, then an error. */
  push(item: Item): void;
  /** Before all that is queued. It counts for nothing, for it is there already. */
  prepend(items: readonly Item[]): void;
  /** The consumer reads what is queued, then the error. */
  fail(error: Error): void;
  /** The consumer reads what is queued, then the end. */
  end(): void;
  readonly items: AsyncIterableIterator<Item>;
}

/** A consumer that has read all that there was. */
interface Waiting<Item> {
  readonly resolve: (result: IteratorResult<Item, undefined>) => void;
  readonly reject: (error: Error) => void;
}

/**
 * @param onEnd called once, when nothing more is taken: at the end, at an overflow, or when the consumer returns
 * @param first what the consumer reads first; it counts for nothing, for it is there already
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
        failure = new GraphQLError('Events came faster than they were read; some may be missed.', {
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
