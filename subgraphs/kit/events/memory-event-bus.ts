import { randomUUID } from 'node:crypto';
import { type Clock, systemClock } from '../../../gateway/platform/clock.ts';
import { createBoundedQueue } from './bounded-queue.ts';
import type { BusEvent, EventBus } from './event-bus.ts';
import { type ReplayLimits, type ReplayRing, createReplayRing } from './replay-ring.ts';

export interface MemoryEventBusOptions extends ReplayLimits {
  /** Events that wait for one slow consumer before it is cut off. @unit events @defaultValue 128 */
  readonly maxQueuedEvents?: number;
  /** @defaultValue the system's */
  readonly clock?: Clock;
}

type Queue = ReturnType<typeof createBoundedQueue<BusEvent>>;

/** The bus of a single process. What it keeps for those who come back is gone with the process, and they are told so. */
export function createMemoryEventBus({ maxQueuedEvents = 128, clock = systemClock, ...limits }: MemoryEventBusOptions = {}): EventBus {
  const topics = new Map<string, Set<Queue>>();
  const rings = new Map<string, ReplayRing>();
  /** Where everything begins: in no other process, and in no other run of this one. */
  const start = randomUUID();
  let closed = false;

  function ringOf(topic: string): ReplayRing {
    let ring = rings.get(topic);
    if (ring === undefined) {
      ring = createReplayRing(start, () => clock.monotonic(), limits);
      rings.set(topic, ring);
    }
    return ring;
  }

  return {
    async publish(event) {
      ringOf(event.topic).add(event);
      for (const queue of topics.get(event.topic) ?? []) queue.push(event);
    },
    subscribe(topic, { signal, after } = {}) {
      const ring = ringOf(topic);
      const { events, ...begun } = after === undefined ? { position: ring.position(), isGap: false, events: [] } : ring.after(after);
      const queues = topics.get(topic) ?? new Set();
      topics.set(topic, queues);
      const end = () => queue.end();
      const onEnd = () => {
        queues.delete(queue);
        if (queues.size === 0 && topics.get(topic) === queues) topics.delete(topic);
        signal?.removeEventListener('abort', end);
      };
      const queue: Queue = createBoundedQueue<BusEvent>(maxQueuedEvents, onEnd, events);
      queues.add(queue);
      signal?.addEventListener('abort', end, { once: true });
      if (closed || signal?.aborted === true) queue.end();
      return Object.assign(queue.items, { start: Promise.resolve(begun) });
    },
    async close() {
      closed = true;
      // Ending a queue takes it out of the set that is being walked, which a Set allows.
      for (const queues of topics.values()) for (const queue of queues) queue.end();
    },
  };
}
