import { Agent, request as openRequest } from 'node:http';

/** What an honest caller saw. */
export interface Experience {
  readonly p50: number;
  readonly p99: number;
  /** Requests that were not answered with 200, by status; 0 stands for a connection that failed. */
  readonly refused: ReadonlyMap<number, number>;
  readonly count: number;
}

/** A request that is sent again and again. */
export interface HonestRequest {
  readonly path: string;
  /** Operation to post. @defaultValue a GET is sent */
  readonly query?: string;
}

/** Where, and as whom, requests are sent. */
export interface HonestTarget {
  readonly url: string;
  /** Bearer token. */
  readonly token: string;
}

const REQUESTS_PER_SECOND = 50;
/** Apart from the address of the attackers, so that the two do not share a budget. */
const ADDRESS = '127.0.0.2';
/** A request without a response counts as failed after that. @unit milliseconds */
const PATIENCE_MS = 30_000;

/** Sends 50 requests a second, whether or not those before are answered, and measures each from the moment when it was due. */
export async function askHonestly(target: HonestTarget, requests: readonly HonestRequest[], seconds: number): Promise<Experience> {
  const agent = new Agent({ keepAlive: true, localAddress: ADDRESS });
  const times: number[] = [];
  const refused = new Map<number, number>();
  const pending: Promise<void>[] = [];
  const total = seconds * REQUESTS_PER_SECOND;
  const startedAt = performance.now();
  for (let index = 0; index < total; index += 1) {
    const dueAt = startedAt + (index * 1_000) / REQUESTS_PER_SECOND;
    const early = dueAt - performance.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    const sent = requests[index % requests.length];
    if (sent === undefined) throw new Error('Name at least one request.');
    pending.push(
      ask(target, sent, agent).then((status) => {
        times.push(performance.now() - dueAt);
        if (status !== 200) refused.set(status, (refused.get(status) ?? 0) + 1);
      }),
    );
  }
  await Promise.all(pending);
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), refused, count: total };
}

/** @returns the status; 0 where there was no response */
function ask({ url, token }: HonestTarget, { path, query }: HonestRequest, agent: Agent): Promise<number> {
  return new Promise((resolve) => {
    const method = query === undefined ? 'GET' : 'POST';
    const headers = { authorization: `Bearer ${token}`, ...(query === undefined ? {} : { 'content-type': 'application/json' }) };
    const request = openRequest(url + path, { agent, method, headers, timeout: PATIENCE_MS }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
      response.once('error', () => resolve(0));
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(0));
    request.end(query === undefined ? undefined : JSON.stringify({ query }));
  });
}
