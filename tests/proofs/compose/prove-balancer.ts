import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { CliProcess } from '../../support/process/built-cli.ts';
import type { LocalCompose } from '../../support/process/local-compose.ts';
import { eventually } from '../../support/time/eventually.ts';
import type { BalancerClient, BalancerResponse } from './balancer-client.ts';

const BOOK = '{ book(id: "1") { title } post(id: "1") { author { name } } }';
const SUBSCRIPTION = 'subscription { postCreated { postId at } }';

/** Maximum number of POST requests that may be in progress on a gateway that is killed. */
const MAX_LOST = 2;

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
    ...problemIf(none.length > 0 || shares.includes(0), none.join(', ') || 'one gateway is unused'),
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
      const { failures, sent } = await during(client, async () => {
        gateway?.signal(signal);
        await gateway?.exit;
        await sleep(500);
        gateways.set(name, await compose.start(name));
        await sleep(2_500); // NGINX does not use a failed gateway for two seconds.
      });
      // A gateway that is killed takes its requests with it. NGINX sends reads again, but not operations that may have had an effect.
      const lost = failures.filter((failure) => failure.startsWith('POST 502')).length;
      const allowed = signal === 'SIGKILL' ? Math.min(lost, MAX_LOST) : 0;
      const isWrong = failures.length > allowed;
      yield {
        name: `${name} ends by ${signal} and restarts: ${sent} requests, ${failures.length} failed`,
        ...problemIf(isWrong, failures.join(', ')),
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

/** Sends 50 requests a second, reads and operations without effects, while something happens. */
async function during(
  client: BalancerClient,
  happen: () => Promise<void>,
): Promise<{ readonly failures: readonly string[]; readonly sent: number }> {
  const failures: string[] = [];
  const load = { isOver: false };
  let sent = 0;
  const running = new Set<Promise<void>>();
  const sending = (async () => {
    while (!load.isOver) {
      sent += 1;
      const [method, send] = sent % 2 === 0 ? ['POST', client.post(BOOK)] : ['GET', client.get('/api/books/1')];
      const response = send.then(
        ({ status, body }) => void (status === 200 || failures.push(`${method} ${status} ${body.slice(0, 120)}`)),
        (error: Error) => void failures.push(`${method} ${error.message}`),
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
