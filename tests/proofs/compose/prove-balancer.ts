import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { CliProcess } from '../../support/process/built-cli.ts';
import type { LocalCompose } from '../../support/process/local-compose.ts';
import { eventually } from '../../support/time/eventually.ts';
import type { BalancerClient, BalancerResponse } from './balancer-client.ts';

const BOOK = '{ book(id: "1") { title } post(id: "1") { author { name } } }';
const SUBSCRIPTION = 'subscription { postCreated { postId at } }';

/**
 * Time after the end of a killed gateway within which NGINX has read the end of its connections. Until then, it may still write a request
 * to a connection that nothing reads.
 *
 * @unit milliseconds
 */
const NOTICE_MS = 1_000;

/** Result of one step of the proof. */
export interface BalancerStep {
  readonly name: string;
  /** Undefined for a step that passed. */
  readonly problem?: string;
}

interface Parts {
  readonly compose: LocalCompose;
  readonly gateways: Map<string, CliProcess>;
  readonly client: BalancerClient;
}

/** Runs the steps in order. */
export async function* proveBalancer({ compose, gateways, client }: Parts): AsyncGenerator<BalancerStep> {
  yield step('a GraphQL request over TLS is served', await client.post(BOOK), isBook);
  yield step('a REST request over TLS is served', await client.get('/api/books/1'), ({ status }) => status === 200);
  yield step('a request that forges no TLS is rejected by the gateway itself', await plain(compose), ({ body }) =>
    body.includes('TLS_REQUIRED'),
  );

  const { failures: none } = await during(client, async () => sleep(1_000));
  const shares = [...gateways.keys()].map((name) => compose.accessLog().split(`127.0.0.1:${compose.portOf(name, '4000')}"`).length - 1);
  yield {
    name: `both gateways serve requests (${shares.join(' and ')})`,
    ...problemIf(none.length > 0 || shares.includes(0), none.map(({ reason }) => reason).join(', ') || 'one gateway is unused'),
  };

  const metrics = await (await fetch(`http://127.0.0.1:${compose.portOf('gateway-2', '4001')}/metrics`)).text();
  const isCounted =
    /^http_server_request_duration_seconds_count\{.*\} \d+$/m.test(metrics) && /^nodejs_eventloop_utilization_ratio /m.test(metrics);
  yield { name: 'the internal port serves metrics', ...problemIf(!isCounted, metrics.slice(0, 200)) };

  const socket = client.subscribeByWebSocket(SUBSCRIPTION);
  const stream = client.subscribeByEventStream(SUBSCRIPTION);
  const status = await stream.opened;
  yield { name: 'an event stream opens', ...problemIf(status !== 200, `status ${status}`) };
  yield await received('a WebSocket and an event stream receive an event', compose, 1, () => [
    socket.events.length > 0,
    stream.text().includes('postCreated'),
  ]);

  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    for (const name of gateways.keys()) {
      const gateway = gateways.get(name);
      let endedAt = Number.POSITIVE_INFINITY;
      const { failures, sent } = await during(client, async () => {
        gateway?.signal(signal);
        await gateway?.exit;
        endedAt = performance.now();
        await sleep(500);
        gateways.set(name, await compose.start(name));
        await sleep(2_500); // NGINX does not use a failed gateway for two seconds.
      });
      const lost = signal === 'SIGKILL' ? failures.filter((failure) => isLostWithGateway(failure, endedAt)) : [];
      const wrong = failures.filter((failure) => !lost.includes(failure));
      yield {
        name: `${name} ends by ${signal} and restarts: ${sent} requests, ${lost.length} POST requests were lost with it, ${wrong.length} others failed`,
        ...problemIf(wrong.length > 0, wrong.map(({ method, reason }) => `${method} ${reason}`).join(', ')),
      };
    }
    const before = socket.events.length;
    yield await received(
      `after ${signal}, the WebSocket has reconnected and receives events (${socket.connections()} connections)`,
      compose,
      2,
      () => [socket.events.length > before],
    );
  }
}

function step(name: string, response: BalancerResponse, isExpected: (response: BalancerResponse) => boolean): BalancerStep {
  return { name, ...problemIf(!isExpected(response), `${response.status} ${response.body.slice(0, 200)}`) };
}

function problemIf(isProblem: boolean, problem: string): { readonly problem?: string } {
  return isProblem ? { problem } : {};
}

function isBook({ status, body }: BalancerResponse): boolean {
  const { data } = JSON.parse(body) as { readonly data?: { readonly book?: object; readonly post?: { readonly author?: object } } };
  return status === 200 && data?.book !== undefined && data.post?.author !== undefined;
}

/** Sends a request to a gateway without the balancer. */
async function plain(compose: LocalCompose): Promise<BalancerResponse> {
  const response = await fetch(`http://127.0.0.1:${compose.portOf('gateway-1', '4000')}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: BOOK }),
  });
  return { status: response.status, body: await response.text() };
}

/** A request that was not responded to with 200. */
interface Failure {
  readonly method: 'POST' | 'GET';
  readonly startedAt: number;
  readonly status: number | undefined;
  readonly reason: string;
}

/**
 * Whether a request may fail because its gateway was killed: a POST request that was in progress there, or that NGINX sent before it noticed
 * the end. It may have had an effect, so NGINX does not send it to the other gateway. All others must succeed: GET requests with REST
 * resources and queries, and POST requests that were not sent yet.
 */
function isLostWithGateway({ method, startedAt, status }: Failure, endedAt: number): boolean {
  return method === 'POST' && status === 502 && startedAt <= endedAt + NOTICE_MS;
}

/** Sends 50 requests a second while something happens: operations by POST, operations by GET, and REST. */
async function during(
  client: BalancerClient,
  happen: () => Promise<void>,
): Promise<{ readonly failures: readonly Failure[]; readonly sent: number }> {
  const kinds = [
    ['POST', async () => client.post(BOOK)],
    ['GET', async () => client.get('/api/books/1')],
    ['GET', async () => client.query(BOOK)],
  ] as const;
  const failures: Failure[] = [];
  const load = { isOver: false };
  let sent = 0;
  const running = new Set<Promise<void>>();
  const sending = (async () => {
    while (!load.isOver) {
      const [method, send] = kinds[sent % kinds.length] ?? kinds[0];
      sent += 1;
      const startedAt = performance.now();
      const response = send().then(
        ({ status, body }) => {
          if (status !== 200) failures.push({ method, startedAt, status, reason: `${status} ${body.slice(0, 120)}` });
        },
        (error: Error) => void failures.push({ method, startedAt, status: undefined, reason: error.message }),
      );
      running.add(response);
      void response.then(() => running.delete(response));
      await sleep(20);
    }
    await Promise.all(running);
  })();
  await happen();
  load.isOver = true;
  await sending;
  return { failures, sent };
}

/** Publishes posts until all conditions hold. */
async function received(name: string, compose: LocalCompose, key: number, isReceived: () => readonly boolean[]): Promise<BalancerStep> {
  const database = new Client({ connectionString: compose.databaseUrl });
  await database.connect();
  let round = 0;
  try {
    await eventually(
      async () => {
        round += 1;
        const payload = { postId: '1', authorId: '1', id: `${key}${round}`, at: new Date().toISOString() };
        await database.query(`insert into kit.outbox (subgraph, topic, payload, created_at) values ('posts', 'post.created', $1, now())`, [
          payload,
        ]);
        return isReceived().every(Boolean);
      },
      { everyMs: 200, withinMs: 15_000 },
    );
    return { name };
  } catch {
    return { name, problem: `only ${isReceived().join(' and ')} after 15 s` };
  } finally {
    await database.end();
  }
}
