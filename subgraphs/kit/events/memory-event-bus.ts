import { createBoundedQueue } from './bounded-queue.ts';
import type { BusEvent, EventBus } from './event-bus.ts';

export interface MemoryEventBusOptions {
  /** Events that wait for one slow consumer before it is cut off. @unit events @defaultValue 128 */
  readonly maxQueuedEvents?: number;
}

/** The bus of a single process. */
export function createMemoryEventBus({ maxQueuedEvents = 128 }: MemoryEventBusOptions = {}): EventBus {
  const topics = new Map<string, Set<ReturnType<typeof createBoundedQueue<BusEvent>>>>();
  let closed = false;
  return {
    async publish(event) {
      for (const queue of topics.get(event.topic) ?? []) queue.push(event);
    },
    subscribe(topic, signal) {
      const queues = topics.get(topic) ?? new Set();
      topics.set(topic, queues);
      const end = () => queue.end();
      const queue = createBoundedQueue<BusEvent>(maxQueuedEvents, () => {
        queues.delete(queue);
        if (queues.size === 0 && topics.get(topic) === queues) topics.delete(topic);
        signal?.removeEventListener('abort', end);
      });
      queues.add(queue);
      signal?.addEventListener('abort', end, { once: true });
      if (closed || signal?.aborted === true) queue.end();
      return queue.items;
    },
    async close() {
      closed = true;
      // Ending a queue takes it out of the set that is being walked, which a Set allows.
      for (const queues of topics.values()) for (const queue of queues) queue.end();
    },
  };
}
