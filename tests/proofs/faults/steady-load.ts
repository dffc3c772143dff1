import { setTimeout } from 'node:timers/promises';

/** Result of one operation. */
export interface Sample {
  /** Time of sending, by the clock of the sending process. @unit milliseconds */
  readonly at: number;
  readonly tookMs: number;
  readonly status: number;
  /** Code of the first error. */
  readonly code: string | undefined;
}

type QueryRequest = (query: string) => Promise<{ readonly status: number; readonly codes: readonly (string | undefined)[] }>;

/** Sends an operation at a steady rate, whether or not earlier ones have a response. */
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
