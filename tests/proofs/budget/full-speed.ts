import { Pool } from 'undici';

/** Responses of a gateway under load. */
export interface LoadReport {
  /** Number of responses by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Duration of each request, in ascending order. @unit milliseconds */
  readonly durationsMs: readonly number[];
}

export interface FullSpeed {
  readonly url: string;
  readonly clients: number;
  /** Returns whether to continue. Called between two requests of a client. */
  readonly goesOn: () => boolean;
  /** Pause between two requests of one client. @unit milliseconds @defaultValue none */
  readonly pauseMs?: number;
}

/** The cheapest operation: one object, one point. */
const BODY = JSON.stringify({ query: '{ me { id } }' });

/** Runs the given number of clients. Each sends its next request when it has received the previous response. */
export async function loadAtFullSpeed({ url, clients, goesOn, pauseMs }: FullSpeed): Promise<LoadReport> {
  const pool = new Pool(url, { connections: clients });
  const statuses = new Map<number, number>();
  const durationsMs: number[] = [];

  async function send(): Promise<void> {
    const startedAt = performance.now();
    const headers = { 'content-type': 'application/json' };
    const { statusCode, body } = await pool.request({ path: '/graphql', method: 'POST', headers, body: BODY });
    await body.dump();
    statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
    durationsMs.push(performance.now() - startedAt);
  }

  async function run(): Promise<void> {
    while (goesOn()) {
      await send();
      if (pauseMs !== undefined) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  await Promise.all(Array.from({ length: clients }, run));
  await pool.close();
  return { statuses, durationsMs: durationsMs.toSorted((a, b) => a - b) };
}
