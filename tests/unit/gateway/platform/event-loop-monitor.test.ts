import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type EventLoopMonitor, type EventLoopSample, startEventLoopMonitor } from '../../../../gateway/platform/event-loop-monitor.ts';

const INTERVAL_MS = 10;
const opened: EventLoopMonitor[] = [];
afterEach(() => {
  for (const monitor of opened.splice(0)) monitor[Symbol.dispose]();
});

function start(): { readonly monitor: EventLoopMonitor; readonly samples: EventLoopSample[] } {
  const samples: EventLoopSample[] = [];
  const monitor = startEventLoopMonitor(INTERVAL_MS, (sample) => samples.push(sample));
  opened.push(monitor);
  return { monitor, samples };
}

function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('the event loop monitor', () => {
  it('reports the delay in the iteration that causes it on demand', () => {
    const { monitor, samples } = start();
    block(40);
    monitor.measureIfLate(600_000);
    expect(samples).toEqual([]);
    monitor.measureIfLate(30);
    expect(samples[0]?.delayMs).toBeGreaterThanOrEqual(30);
    monitor.measureIfLate(600_000);
    expect(samples).toHaveLength(1);
  });

  it('reports the delay after the iteration otherwise', async () => {
    const { samples } = start();
    block(60);
    await wait(2 * INTERVAL_MS);
    expect(samples[0]?.delayMs).toBeGreaterThanOrEqual(45);
  });
});
