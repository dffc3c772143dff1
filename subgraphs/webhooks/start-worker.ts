import type { AttemptRecorder } from '../../gateway/platform/attempt-recorder.ts';
import type { Clock } from '../../gateway/platform/clock.ts';
import type { Logger } from '../../gateway/platform/logger.ts';
import type { Database } from '../kit/database/database.ts';
import { startDeliveryWorker } from './delivery/delivery-worker.ts';
import { openSender } from './delivery/open-sender.ts';
import type { ReadSecrets } from './delivery/read-secrets.ts';
import type { TargetPolicy } from './delivery/target-policy.ts';
import type { WebhookDocument } from './documents/webhook-document.ts';
import { type EventsWorker, startEventsWorker } from './events/events-worker.ts';
import { createGatewayClient, type GatewayClient } from './events/read-events.ts';
import { createServiceTokens } from './events/sign-service-token.ts';
import { createOwnerCheck } from './owners/check-owner.ts';
import type { OwnerDirectory } from './owners/owner-directory.ts';
import { DEFAULT_LEASE_MS, DEFAULT_TIMEOUT_MS, type GatewayAccess } from './settings.ts';

export interface WebhooksWorkerOptions {
  readonly database: Database;
  /** Access to the gateway, from which events are read. */
  readonly gateway: GatewayAccess;
  readonly documents: ReadonlyMap<string, WebhookDocument>;
  readonly targets: TargetPolicy;
  readonly readSecrets: ReadSecrets;
  /** Directory of the users who own endpoints. */
  readonly findOwner: OwnerDirectory;
  readonly clock: Clock;
  readonly log: Logger;
  /** Records attempts for telemetry. @defaultValue nothing is recorded */
  readonly recorder?: AttemptRecorder | undefined;
  /** Time for the response of a receiver. @unit milliseconds @defaultValue 15000 */
  readonly timeoutMs?: number | undefined;
  /** Duration of a lease; longer than `timeoutMs`. @unit milliseconds @defaultValue 30000 */
  readonly leaseMs?: number | undefined;
}

/** Worker of the webhooks subgraph: reads events from the gateway, and sends queued messages. */
export interface WebhooksWorker {
  /** Called when an endpoint has changed or a message was queued. */
  readonly wake: () => void;
  stop(): Promise<void>;
}

/**
 * Starts sending, and starts reading events as soon as the address of the gateway is known.
 *
 * @throws Error when a lease could end before its attempt
 */
export function startWebhooksWorker(options: WebhooksWorkerOptions): WebhooksWorker {
  const { database, gateway, documents, targets, readSecrets, findOwner, clock, log, recorder } = options;
  const { timeoutMs = DEFAULT_TIMEOUT_MS, leaseMs = DEFAULT_LEASE_MS } = options;
  if (!(leaseMs > timeoutMs)) {
    const times = `leaseMs (${leaseMs} ms) must be longer than timeoutMs (${timeoutMs} ms)`;
    throw new Error(`Webhooks: ${times}. Otherwise two processes could send one message at the same time.`);
  }
  const checkOwner = createOwnerCheck(database, findOwner, clock);
  const sender = openSender({ policy: targets, clock, timeoutMs });
  const delivery = startDeliveryWorker({
    database,
    sender,
    readSecrets,
    checkOwner,
    clock,
    log,
    recorder,
    onActivated: () => events?.wake(),
    leaseMs,
  });
  let client: GatewayClient | undefined;
  let events: EventsWorker | undefined;
  let isStopped = false;

  async function readEvents(serviceSecret: string): Promise<void> {
    const url = await gateway.url;
    if (isStopped) return;
    client = createGatewayClient(url);
    const sign = createServiceTokens(serviceSecret, clock);
    events = startEventsWorker({ database, documents, gateway: client, sign, checkOwner, onQueued: delivery.wake, clock, log });
  }

  if (gateway.serviceSecret === undefined) log.warn('GATEFOLD_SERVICE_SECRET is not set. Webhooks receive no events.');
  else void readEvents(gateway.serviceSecret);
  return {
    wake() {
      delivery.wake();
      events?.wake();
    },
    async stop() {
      isStopped = true;
      await events?.stop();
      await delivery.stop();
      await client?.[Symbol.asyncDispose]();
      await sender[Symbol.asyncDispose]();
    },
  };
}
