import { Pool } from 'undici';

/** What came back from a gateway under load. */
export interface LoadReport {
  /** Answers by status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** How long each request took, in order of length. @unit milliseconds */
  readonly durationsMs: readonly number[];
}

export interface FullSpeed {
  readonly url: string;
  readonly clients: number;
  /** Asked between two requests of a client. */
  readonly goesOn: () => boolean;
  /** Between two requests of one client. @unit milliseconds @defaultValue none */
  readonly pauseMs?: number;
}

/** The cheapest operation there is: one object, one point. */
const BODY = JSON.stringify({ query: '{ me { id } }' });

/** So many clients each send their next request when the last one is answered. */
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
