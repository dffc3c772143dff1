import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createThrowawayDatabase } from '../../support/database/throwaway-database.ts';
import type { SenderSettings } from './sender-process.ts';
import { type WebhookReceiver, startWebhookReceiver } from '../../support/webhooks/webhook-receiver.ts';
import { type WebhooksStack, startWebhooksStack } from './webhooks-stack.ts';
import { argumentsForTypeScript } from '../../support/process/process-of.ts';
import { SHORT_LIVED } from '../../support/process/short-lived.ts';
import { eventually } from '../../support/time/eventually.ts';

export interface KillOptions {
  readonly kills: number;
  /** Returns a number between 0 and 1. */
  readonly random: () => number;
}

export interface KillReport {
  readonly kills: number;
  /** Number of events that each endpoint should receive. */
  readonly events: number;
  /** Events that at least one endpoint did not receive. */
  readonly lost: readonly string[];
  /** Events that were sent under more than one `webhook-id`. */
  readonly renamed: readonly string[];
  /** Number of messages that were received again under the same ID. */
  readonly repeated: number;
  /** Number of messages in flight when their sender was killed. */
  readonly interrupted: number;
}

const OWNER = '1';
const PATHS = ['/first', '/second', '/third'];
/**
 * Timeouts for receivers that respond within a few milliseconds. Messages of a killed process are released after the lease. @unit
 * milliseconds
 */
const TIMES = { timeoutMs: 1_500, leaseMs: 2_000 };
/** Maximum number of orders that were placed but not yet delivered. */
const MOST_AHEAD = 40;
/** Maximum number of violations in the report. */
const MAX_REPORTED = 10;

/**
 * Kills the process that sends webhooks repeatedly while messages are in flight and orders are placed, and then checks what the receiver
 * got.
 */
export async function killSenders({ kills, random }: KillOptions): Promise<KillReport> {
  await using database = await createThrowawayDatabase();
  const key = randomBytes(32).toString('hex');
  await using stack = await startWebhooksStack({ databaseUrl: database.url, key, sends: false });
  await using receiver = await startWebhookReceiver();
  const settings: SenderSettings = {
    databaseUrl: database.url,
    gatewayUrl: stack.gateway.internalUrl,
    serviceSecret: stack.serviceSecret,
    key,
    ...TIMES,
  };
  let inFlight = 0;
  receiver.respond = async () => {
    inFlight += 1;
    await wait(5 + 25 * random());
    inFlight -= 1;
    return { status: 204 };
  };
  let sender = launch(settings);
  await Promise.all(PATHS.map((path) => stack.register(receiver.url + path, { as: OWNER, events: ['order.created'] })));
  await eventually(async () => (await stack.cursors()) > 0);
  const reportedOf = (path: string) => new Set(reported(receiver, path).map(({ order }) => order)).size;
  const leastReported = () => Math.min(...PATHS.map(reportedOf));
  const placing = createOrders(stack, leastReported);
  const isUnderWay = () => inFlight > 0;
  let interrupted = 0;
  for (let count = 0; count < kills; count += 1) {
    const before = receiver.received.length;
    do {
      await eventually(() => receiver.received.length > before + 3 && isUnderWay());
      await wait(30 * random());
    } while (!isUnderWay()); // Killing the process between two messages proves nothing.
    interrupted += inFlight;
    sender.kill('SIGKILL');
    await once(sender, 'exit');
    sender = launch(settings);
  }
  const orders = await placing.stop();
  for (let before = -1; before < receiver.received.length && leastReported() < orders.length; ) {
    before = receiver.received.length;
    await eventually(() => receiver.received.length > before).catch(() => undefined); // The report lists lost events.
  }
  sender.kill('SIGKILL');
  await once(sender, 'exit');
  return { kills, events: orders.length, interrupted, ...classify(receiver, orders) };
}

function launch(settings: SenderSettings): ChildProcess {
  return fork(fileURLToPath(new URL('sender-process.ts', import.meta.url)), {
    execArgv: [...SHORT_LIVED, ...argumentsForTypeScript(), '--no-warnings'],
    env: { ...process.env, NODE_OPTIONS: '', SENDER: JSON.stringify(settings) },
  });
}

/**
 * Creates orders at the rate of their delivery, with a limited lead. The throughput of a sender that is killed repeatedly is not measured.
 */
function createOrders(stack: WebhooksStack, leastReported: () => number) {
  const orders: string[] = [];
  const stopping = new AbortController();
  const done = (async () => {
    while (!stopping.signal.aborted) {
      if (orders.length - leastReported() < MOST_AHEAD) orders.push(await stack.newOrder(OWNER));
      await wait(15);
    }
  })();
  return {
    async stop(): Promise<readonly string[]> {
      stopping.abort();
      await done;
      return orders;
    },
  };
}

function reported(receiver: WebhookReceiver, path: string): readonly { readonly id: string; readonly order: string }[] {
  return receiver.received.flatMap(({ id, body, ...message }) => {
    if (message.path !== path) return [];
    const { data } = JSON.parse(body) as { readonly data: { readonly orderStatusChanged?: { readonly orderId: string } } };
    return data.orderStatusChanged === undefined ? [] : [{ id, order: data.orderStatusChanged.orderId }];
  });
}

function classify(receiver: WebhookReceiver, orders: readonly string[]): Pick<KillReport, 'lost' | 'renamed' | 'repeated'> {
  const lost: string[] = [];
  const renamed: string[] = [];
  let repeated = 0;
  for (const path of PATHS) {
    const idsOf = new Map<string, string[]>();
    for (const { id, order } of reported(receiver, path)) idsOf.set(order, [...(idsOf.get(order) ?? []), id]);
    for (const order of orders) {
      const ids = idsOf.get(order) ?? [];
      const distinct = new Set(ids).size;
      if (distinct === 0) lost.push(`${path} ${order}`);
      if (distinct > 1) renamed.push(`${path} ${order}`);
      repeated += Math.max(0, ids.length - 1);
    }
  }
  return { lost: lost.slice(0, MAX_REPORTED), renamed: renamed.slice(0, MAX_REPORTED), repeated };
}
