import { appendFileSync } from 'node:fs';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

// Loaded into the gateway before it starts. Appends a line of JSON to the file LOOP_WITNESS twice a second, with the delay of the event
// loop and the CPU time of the process since the previous line.

const INTERVAL_MS = 500;
const RESOLUTION_MS = 5;
const file = process.env.LOOP_WITNESS;

if (isMainThread && file !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let cpu = process.cpuUsage();
  let loop = performance.eventLoopUtilization();
  setInterval(() => {
    const used = process.cpuUsage(cpu);
    const utilization = performance.eventLoopUtilization(loop);
    const line = {
      at: Date.now(),
      longestDelayMs: Math.max(0, delay.max / 1e6 - RESOLUTION_MS),
      cpuMs: (used.user + used.system) / 1_000,
      activeMs: utilization.active,
      heapMb: process.memoryUsage().heapUsed / 1e6,
    };
    delay.reset();
    cpu = process.cpuUsage();
    loop = performance.eventLoopUtilization();
    appendFileSync(file, `${JSON.stringify(line)}\n`);
  }, INTERVAL_MS).unref();
}
