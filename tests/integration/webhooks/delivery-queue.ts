import { asc, eq } from 'drizzle-orm';
import { join } from 'node:path';
import type { Clock } from '../../../gateway/platform/clock.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import type { Database } from '../../../subgraphs/kit/database/database.ts';
import { migrate, readMigrations } from '../../../subgraphs/kit/database/migrate.ts';
import { onlyRow } from '../../../subgraphs/kit/database/only-row.ts';
import { openServerDatabase } from '../../../subgraphs/kit/database/open-server-database.ts';
import { createOwnerCheck } from '../../../subgraphs/webhooks/owners/check-owner.ts';
import { credentialsOnly, type OwnerDirectory } from '../../../subgraphs/webhooks/owners/owner-directory.ts';
import {
  type DeliveryWorker,
  type DeliveryWorkerOptions,
  startDeliveryWorker,
} from '../../../subgraphs/webhooks/delivery/delivery-worker.ts';
import { enqueue } from '../../../subgraphs/webhooks/delivery/enqueue.ts';
import { openSender } from '../../../subgraphs/webhooks/delivery/open-sender.ts';
import type { TargetPolicy } from '../../../subgraphs/webhooks/delivery/target-policy.ts';
import { addSecret, openSecret, readSigningSecrets, replaceSecret } from '../../../subgraphs/webhooks/secrets/endpoint-secrets.ts';
import { createSecretBox } from '../../../subgraphs/webhooks/secrets/secret-box.ts';
import { type DeliveryRow, deliveries, type EndpointRow, endpoints } from '../../../subgraphs/webhooks/tables.ts';
import { createThrowawayDatabase } from '../../support/database/throwaway-database.ts';
import { openSampleDatabase } from '../../support/database/sample-database.ts';

/** A clock that tests advance. It starts at the current time because signatures are verified with the real clock. */
export interface TestClock extends Clock {
  advance(ms: number): void;
}

function createTestClock(): TestClock {
  let now = Date.now();
  return { now: () => now, monotonic: () => now, advance: (ms) => void (now += ms) };
}

type Parts =
  | 'leaseMs'
  | 'recorder'
  | 'maxConcurrent'
  | 'maxConcurrentPerEndpoint'
  | 'maxConcurrentPerOwner'
  | 'random'
  | 'log'
  | 'readSecrets';

export interface WorkerSettings extends Partial<Pick<DeliveryWorkerOptions, Parts>> {
  readonly policy?: TargetPolicy;
  /** @unit milliseconds @defaultValue 5000 */
  readonly timeoutMs?: number;
  readonly findOwner?: OwnerDirectory;
  /** Keys of `GATEFOLD_WEBHOOKS_KEY`. @defaultValue the keys that sealed the secrets */
  readonly keys?: readonly string[];
}

/** The queue of webhooks on a separate database, without running subgraphs. */
export interface DeliveryQueue extends AsyncDisposable {
  readonly database: Database;
  readonly clock: TestClock;
  /** @returns the ID of the endpoint */
  addEndpoint(row: Partial<EndpointRow> & Pick<EndpointRow, 'url'>): Promise<string>;
  endpoint(id: string): Promise<EndpointRow>;
  /** Adds one message about an order. @returns its `webhook-id` */
  add(endpointId: string, message?: { readonly entityKey?: string; readonly event?: string; readonly body?: string }): Promise<string>;
  deliveries(endpointId: string): Promise<readonly DeliveryRow[]>;
  /** Returns the secrets that sign, newest first. */
  secretsOf(endpointId: string): Promise<readonly string[]>;
  rotateSecret(endpointId: string): Promise<string>;
  /** Creates a worker that polls the queue only on request. */
  worker(settings?: WorkerSettings): DeliveryWorker;
}

const NEVER_MS = 2_000_000_000;

export async function openDeliveryQueue(kind: Database['kind']): Promise<DeliveryQueue> {
  const throwaway = kind === 'server' ? await createThrowawayDatabase() : undefined;
  const database =
    throwaway === undefined
      ? await openSampleDatabase()
      : openServerDatabase({ url: throwaway.url, log: silentLogger, connectTimeoutMs: 20_000, statementTimeoutMs: 20_000 });
  await migrate(database, [await readMigrations('webhooks', join(packageRoot, 'subgraphs/webhooks/migrations'))]);
  const clock = createTestClock();
  const passphrases = ['a passphrase of a test'];
  const box = createSecretBox(passphrases);
  const workers: (DeliveryWorker | AsyncDisposable)[] = [];
  const now = () => new Date(clock.now());
  let events = 0;

  return {
    database,
    clock,
    async addEndpoint(row) {
      const [{ id }] = [
        onlyRow(
          await database.sql
            .insert(endpoints)
            .values({
              ownerId: '1',
              ownerRoles: [],
              ownerScopes: [],
              events: ['order.created'],
              isOrdered: false,
              state: 'ACTIVE',
              createdAt: now(),
              updatedAt: now(),
              version: 1,
              ...row,
            })
            .returning({ id: endpoints.id }),
        ),
      ];
      await database.transaction(async (sql) => addSecret(sql, box, { id }, now()));
      return id;
    },
    endpoint: async (id) => onlyRow(await database.sql.select().from(endpoints).where(eq(endpoints.id, id))),
    async add(endpointId, { entityKey, event = 'order.created', body = '{"type":"order.created"}' } = {}) {
      events += 1;
      const eventId = `e-${events}`;
      await database.transaction(async (sql) =>
        enqueue(sql, { endpointId, event, eventId, entityKey: entityKey ?? null, body, now: now() }),
      );
      return onlyRow(await database.sql.select().from(deliveries).where(eq(deliveries.eventId, eventId))).messageId;
    },
    deliveries: (endpointId) =>
      database.sql.select().from(deliveries).where(eq(deliveries.endpointId, endpointId)).orderBy(asc(deliveries.id)),
    secretsOf: (endpointId) => readSigningSecrets(database.sql, box, { id: endpointId }, now()),
    async rotateSecret(endpointId) {
      const { sealed } = await database.transaction(async (sql) => replaceSecret(sql, box, { id: endpointId }, now()));
      return openSecret(box, { id: endpointId }, sealed);
    },
    worker({
      policy = { allowedPrivateHosts: ['127.0.0.1'] },
      timeoutMs = 5_000,
      findOwner = credentialsOnly,
      keys = passphrases,
      ...settings
    } = {}) {
      const opening = createSecretBox(keys);
      const sender = openSender({ policy, timeoutMs, clock });
      const worker = startDeliveryWorker({
        database,
        sender,
        readSecrets: (endpoint) => readSigningSecrets(database.sql, opening, endpoint, now()),
        checkOwner: createOwnerCheck(database, findOwner, clock),
        clock,
        log: silentLogger,
        random: () => 0,
        pollIntervalMs: NEVER_MS,
        ...settings,
      });
      workers.push(worker, sender);
      return worker;
    },
    async [Symbol.asyncDispose]() {
      for (const one of workers) await ('stop' in one ? one.stop() : one[Symbol.asyncDispose]());
      await database.close();
      await throwaway?.[Symbol.asyncDispose]();
    },
  };
}
