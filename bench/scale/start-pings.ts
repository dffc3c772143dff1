import type { PingCommand, PingReport } from '../load/pings-process.ts';
import { readUsage } from '../process/process-tree.ts';
import { startWorker } from '../process/worker.ts';

/** Small requests that are sent one after another while the gateway does something else. */
export interface Pings {
  /**
   * Stops the requests.
   *
   * @returns their latencies, and the CPU time that the gateway used for other work since `cpuBefore`. The CPU time of the requests is
   * measured after they have been stopped, with as many requests.
   */
  stop(pid: number, cpuBefore: number): Promise<{ readonly latencies: readonly number[]; readonly cpuMs: number }>;
}

/** Starts sending requests on one connection, from another process. */
export async function startPings(url: string): Promise<Pings> {
  const worker = startWorker<PingCommand, PingReport>(new URL('../load/pings-process.ts', import.meta.url));
  worker.report({ kind: 'start', url });
  await worker.hear();

  async function latenciesOf(command: PingCommand): Promise<readonly number[]> {
    worker.report(command);
    const report = await worker.hear();
    if (!('latencies' in report)) throw new Error('The process of the small requests has not sent their latencies.');
    return report.latencies;
  }

  return {
    async stop(pid, cpuBefore) {
      const latencies = await latenciesOf({ kind: 'stop' });
      const all = readUsage(pid).cpuMs - cpuBefore;
      const calm = readUsage(pid).cpuMs;
      await latenciesOf({ kind: 'repeat', count: latencies.length });
      const ofPings = readUsage(pid).cpuMs - calm;
      worker[Symbol.dispose]();
      return { latencies, cpuMs: Math.max(0, all - ofPings) };
    },
  };
}
