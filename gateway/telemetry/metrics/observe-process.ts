import { type EventLoopUtilization, monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8';
import type { MetricRegistry } from './metric-registry.ts';

/** Resolution of the histogram of delays. @unit milliseconds */
const RESOLUTION_MS = 20;

/** Observes the event loop, the memory and the CPU time of this process. */
export function observeProcess({ metrics, observe }: MetricRegistry): Disposable {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let before: EventLoopUtilization = performance.eventLoopUtilization();
  observe(() => {
    const now = performance.eventLoopUtilization();
    metrics.eventLoopUtilization.set(performance.eventLoopUtilization(now, before).utilization);
    before = now;
    metrics.eventLoopDelayP99.set(delay.percentile(99) / 1e9);
    delay.reset();
    for (const space of getHeapSpaceStatistics()) metrics.heapUsed.set(space.space_used_size, space.space_name);
    metrics.heapLimit.set(getHeapStatistics().heap_size_limit);
    metrics.processMemory.set(process.memoryUsage.rss());
    const { user, system } = process.cpuUsage();
    metrics.processCpu.set(user / 1e6, 'user');
    metrics.processCpu.set(system / 1e6, 'system');
  });
  return { [Symbol.dispose]: () => void delay.disable() };
}
