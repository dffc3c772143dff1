import { Agent, request as openRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import type { HonestRequest } from './honest-requests.ts';

/** Experience of an honest caller, measured from the scheduled time of each request. @unit milliseconds */
export interface Experience {
  readonly times: readonly number[];
  /** Times of requests with a new operation. */
  readonly newTimes: readonly number[];
  /** Times of requests that bypass the gateway and go directly to the process of the subgraphs. They show how busy the machine is. */
  readonly controlTimes: readonly number[];
  /** Number of requests with an unexpected response, by status or error code. `none` counts requests without a response. */
  readonly rejected: ReadonlyMap<string, number>;
}

/** Address and credentials of requests. */
export interface HonestTarget {
  readonly url: string;
  readonly controlUrl: string;
  /** Bearer token. */
  readonly token: string;
  readonly next: () => HonestRequest;
}

const REQUESTS_PER_SECOND = 50;
const REQUESTS_PER_CONTROL = 5;
/** A different address than that of the attackers, so that the two share neither a budget nor a bound. */
const ADDRESS = '127.0.0.2';
/** Time after which a request without a response counts as failed. @unit milliseconds */
const PATIENCE_MS = 30_000;

/** Sends 50 requests a second, whether or not earlier ones have a response. */
export async function requestHonestly(target: HonestTarget, seconds: number): Promise<Experience> {
  const agent = new Agent({ keepAlive: true, localAddress: ADDRESS });
  const times: number[] = [];
  const newTimes: number[] = [];
  const controlTimes: number[] = [];
  const rejected = new Map<string, number>();
  const pending: Promise<void>[] = [];
  const total = seconds * REQUESTS_PER_SECOND;
  const startedAt = performance.now();
  for (let index = 0; index < total; index += 1) {
    const dueAt = startedAt + (index * 1_000) / REQUESTS_PER_SECOND;
    const early = dueAt - performance.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    const sent = target.next();
    pending.push(
      sendRequest(target, sent, agent).then((failure) => {
        const time = performance.now() - dueAt;
        times.push(time);
        if (sent.isNew) newTimes.push(time);
        if (failure !== undefined) rejected.set(failure, (rejected.get(failure) ?? 0) + 1);
      }),
    );
    if (index % REQUESTS_PER_CONTROL === 0) {
      const control: HonestRequest = { path: '/control', isNew: false };
      pending.push(
        sendRequest({ ...target, url: target.controlUrl }, control, agent).then(() => void controlTimes.push(performance.now() - dueAt)),
      );
    }
  }
  await Promise.all(pending);
  agent.destroy();
  return { times, newTimes, controlTimes, rejected };
}

/** @returns why the response was not the expected one, or undefined if it was */
function sendRequest(
  { url, token }: HonestTarget,
  { path, query, idempotencyKey }: HonestRequest,
  agent: Agent,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const method = query === undefined ? 'GET' : 'POST';
    const headers = {
      authorization: `Bearer ${token}`,
      ...(query === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    };
    const request = openRequest(url + path, { agent, method, headers, timeout: PATIENCE_MS }, (response) => {
      text(response).then(
        (body) => resolve(issueOf(response.statusCode ?? 0, body)),
        () => resolve('cut off'),
      );
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve('none'));
    request.end(query === undefined ? undefined : JSON.stringify({ query }));
  });
}

/** A response with status 200 can contain errors too. */
function issueOf(status: number, body: string): string | undefined {
  const code = /"errors":\[.*?"code":"(\w+)"/s.exec(body)?.[1];
  if (status === 200) return body.includes('"errors":[') ? (code ?? 'errors') : undefined;
  return code === undefined ? String(status) : `${status} ${code}`;
}
