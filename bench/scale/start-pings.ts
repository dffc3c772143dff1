import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'undici';
import { readUsage } from '../process/process-tree.ts';

/** Pause between two pings. @unit milliseconds */
const PAUSE_MS = 2;

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

const BODY = '{"query":"{ping}"}';

/** Starts sending requests on one connection. */
export function startPings(url: string): Pings {
  const { origin, pathname } = new URL(url);
  const client = new Client(origin, { pipelining: 1 });
  const latencies: number[] = [];
  const stopping = new AbortController();

  async function ping(): Promise<number> {
    const startedAt = performance.now();
    const { body } = await client.request({ path: pathname, method: 'POST', headers: { 'content-type': 'application/json' }, body: BODY });
    await body.dump();
    return performance.now() - startedAt;
  }

  const running = (async () => {
    while (!stopping.signal.aborted) {
      latencies.push(await ping());
      await wait(PAUSE_MS);
    }
  })();

  return {
    async stop(pid, cpuBefore) {
      stopping.abort();
      await running;
      const all = readUsage(pid).cpuMs - cpuBefore;
      const calm = readUsage(pid).cpuMs;
      for (let count = 0; count < latencies.length; count += 1) {
        await ping();
        await wait(PAUSE_MS);
      }
      const ofPings = readUsage(pid).cpuMs - calm;
      await client.close();
      return { latencies, cpuMs: Math.max(0, all - ofPings) };
    },
  };
}
