import { randomUUID } from 'node:crypto';
import { type Clock, systemClock } from '../../../gateway/platform/clock.ts';
import { bytesOfText } from '../../../gateway/platform/bytes-of-value.ts';
import { createSizedCache } from '../../../gateway/platform/sized-cache.ts';
import { createBoundedQueue } from './bounded-queue.ts';
import type { BusEvent, EventBus } from './event-bus.ts';
import { type ReplayLimits, type ReplayRing, createReplayRing } from './replay-ring.ts';

export interface MemoryEventBusOptions extends ReplayLimits {
  /** Maximum number of topics whose events are stored for replays. @unit topics @defaultValue 10000 */
  readonly maxTopics?: number;
  /** Maximum size of all stored events. @unit bytes @defaultValue 67108864 */
  readonly maxReplayBytes?: number;
  /** Maximum number of events that wait for one consumer. A consumer that exceeds it is disconnected. @unit events @defaultValue 128 */
  readonly maxQueuedEvents?: number;
  /** @defaultValue the system clock */
  readonly clock?: Clock;
}

/** Size of an empty ring and its cache entry. @unit bytes */
const BYTES_PER_TOPIC = 1_500;

type Queue = ReturnType<typeof createBoundedQueue<BusEvent>>;

/**
 * Creates the bus of a single process. Stored events are lost when the process ends, and resuming subscribers receive a notice of a gap.
 */
export function createMemoryEventBus(options: MemoryEventBusOptions = {}): EventBus {
  const { maxQueuedEvents = 128, maxTopics = 10_000, maxReplayBytes = 67_108_864, clock = systemClock, ...limits } = options;
  const topics = new Map<string, Set<Queue>>();
  // Every subscriber can name topics, so their number is limited. A subscriber that resumes a removed topic receives a notice of a gap.
  const rings = createSizedCache<ReplayRing>({
    maxEntries: maxTopics,
    maxBytes: maxReplayBytes,
    bytesOf: ({ bytes }, topic) => BYTES_PER_TOPIC + bytesOfText(topic) + bytes,
  });
  let closed = false;

  function ringOf(topic: string): ReplayRing {
    const known = rings.get(topic);
    if (known !== undefined) return known;
    // The first position is unique: no other process, no other run of this process, and no earlier ring of this topic has it.
    const ring = createReplayRing(randomUUID(), () => clock.monotonic(), limits);
    rings.put(topic, ring);
    return ring;
  }

  return {
    async publish(event) {
      const ring = ringOf(event.topic);
      ring.add(event);
      rings.put(event.topic, ring);
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
      // Ending a queue removes it from the set during the iteration, which a Set allows.
      for (const queues of topics.values()) for (const queue of queues) queue.end();
    },
  };
}
