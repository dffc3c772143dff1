import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

/**
 * Requests that show how long a gateway needs for a response at the moment. A connection on which nothing arrives while several of them are
 * served is quiet, however busy the machine is.
 */
export interface Probe {
  /** Waits until a number of probes that are sent from now on have been served, one after the other. */
  served(count: number): Promise<void>;
  stop(): void;
}

/** Takes as long as the slowest request of the proof: it is decompressed, and needs two subgraphs after another one. */
const BODY = gzipSync(JSON.stringify({ query: '{ item(id: 2) { name stars left } }' }));
const HEADERS = { 'content-type': 'application/json', 'content-encoding': 'gzip', 'content-length': BODY.length };

/** Pause between two probes, which serve for all connections. @unit milliseconds */
const PAUSE_MS = 10;

const MAX_FAILURES = 1_000;

export function createProbe(url: URL): Probe {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let waiting: { left: number; readonly resolve: () => void }[] = [];
  let isRunning = false;
  let failures = 0;

  /** Returns whether the probe was served. On a busy machine, a subgraph may be too slow. */
  async function send(): Promise<boolean> {
    const sent = request(new URL('/graphql', url), { agent, method: 'POST', headers: HEADERS }).end(BODY);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const body = await text(response);
    if (response.statusCode === 200) return true;
    failures += 1;
    if (failures > MAX_FAILURES) throw new Error(`The gateway responds with ${response.statusCode} to probes: ${body}`);
    return false;
  }

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    while (waiting.length > 0) {
      const served = waiting;
      if (await send()) for (const one of served) one.left -= 1;
      const done = waiting.filter(({ left }) => left <= 0);
      waiting = waiting.filter(({ left }) => left > 0);
      for (const { resolve } of done) resolve();
      await wait(PAUSE_MS);
    }
    isRunning = false;
  }

  return {
    served: (left) =>
      new Promise((resolve) => {
        waiting = [...waiting, { left, resolve }];
        void run();
      }),
    stop: () => agent.destroy(),
  };
}
