import { setTimeout } from 'node:timers/promises';

/** How one operation went. */
export interface Sample {
  /** When it was sent, by the clock of the process that sent it. @unit milliseconds */
  readonly at: number;
  readonly tookMs: number;
  readonly status: number;
  /** Of the first error. */
  readonly code: string | undefined;
}

type QueryRequest = (query: string) => Promise<{ readonly status: number; readonly codes: readonly (string | undefined)[] }>;

/** Sends an operation at a steady rate, whether or not earlier ones have been answered. */
export async function sendSteadily(request: QueryRequest, query: string, forMs: number, perSecond = 100): Promise<readonly Sample[]> {
  const running: Promise<Sample>[] = [];
  const start = performance.now();
  for (let sent = 0; sent < (forMs * perSecond) / 1_000; sent += 1) {
    await setTimeout(Math.max(0, start + (sent * 1_000) / perSecond - performance.now()));
    const at = performance.now();
    running.push(request(query).then(({ status, codes }) => ({ at, tookMs: performance.now() - at, status, code: codes[0] })));
  }
  return Promise.all(running);
}
