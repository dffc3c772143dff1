import { GraphQLError } from 'graphql';

/** Items on their way to one consumer. */
export interface BoundedQueue<Item> {
  /** Overflow cuts the consumer off: it reads what is queued, then an error. */
  push(item: Item): void;
  /** The consumer reads what is queued, then the end. */
  end(): void;
  readonly items: AsyncIterableIterator<Item>;
}

/**
 * @param onEnd called once, when nothing more is taken: at the end, at an overflow, or when the consumer returns
 * @param first what the consumer reads first; it counts for nothing, for it is there already
 */
export function createBoundedQueue<Item>(maxItems: number, onEnd: () => void, first: readonly Item[] = []): BoundedQueue<Item> {
  const queued: Item[] = [...first];
  let maxQueued = maxItems + first.length;
  const waiting: ((result: IteratorResult<Item, undefined>) => void)[] = [];
  let ended = false;
  let failure: Error | undefined;

  function end(): void {
    if (ended) return;
    ended = true;
    onEnd();
    for (const consumer of waiting.splice(0)) consumer({ done: true, value: undefined });
  }

  return {
    push(item) {
      if (ended) return;
      const consumer = waiting.shift();
      if (consumer !== undefined) {
        consumer({ done: false, value: item });
      } else if (queued.length < maxQueued) {
        queued.push(item);
      } else {
        failure = new GraphQLError('Events came faster than they were read; some may be missed.', {
          extensions: { code: 'EVENTS_MAY_BE_MISSED' },
        });
        end();
      }
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
        return new Promise((resolve) => {
          waiting.push(resolve);
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
