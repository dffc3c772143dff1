import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { GatewayConfigInput } from '../../../gateway/index.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { migrate } from '../../../subgraphs/kit/database/migrate.ts';
import { openServerDatabase } from '../../../subgraphs/kit/database/open-server-database.ts';
import { readAllMigrations } from '../../../subgraphs/migration-order.ts';
import { seedDatabase } from '../../../subgraphs/seed/seed-database.ts';
import { startRedisServer } from '../../support/redis/redis-server.ts';
import { createThrowawayDatabase } from '../../support/database/throwaway-database.ts';
import { signToken } from '../../support/identity/tokens.ts';
import { openPool } from './process-pool.ts';
import { startChild } from './start-child.ts';
import { openSwitchboard } from './switchboard.ts';

export const VICTIMS = ['gateway', 'subgraph', 'redis'] as const;

export type Victim = (typeof VICTIMS)[number];

/** Payments by REST in processes that can be killed: two gateways with one Redis, before a subgraph on PostgreSQL. */
export interface KillableShop extends AsyncDisposable {
  readonly databaseUrl: string;
  /** Returns the address of a serving gateway by a number from 0 to below 1. Undefined while none serves. */
  gatewayUrl(chance: number): string | undefined;
  tokenOf(user: number): string;
  /**
   * Kills one process of the kind, which is replaced by a new one.
   *
   * @param chance number from 0 to below 1 that selects the process
   */
  kill(victim: Victim, chance: number): Promise<void>;
  /** Resolves when as many processes serve as at first. */
  whole(): Promise<void>;
}

/** Settings of a process with the payments subgraph. */
export interface PaymentsSetup {
  readonly databaseUrl: string;
  readonly identitySecret: string;
}

/** Settings of a process with a gateway. */
export interface ShopGatewaySetup {
  readonly config: GatewayConfigInput;
  /** Directory of the REST documents. */
  readonly documents: string;
}

/** Timeout of an operation, and the additional time that a killed gateway holds its keys. @unit milliseconds */
const TIMES = { operationTimeoutMs: 2_000, leaseMarginMs: 500 };

/** REST document of the shop. It has payments only, because more documents would slow down the start of the processes. */
const DOCUMENT = /* GraphQL */ `
"Read a payment"
query GetPayment($id: ID! @in(path: "payment_id") @integer) @endpoint(method: GET, path: "/payments/{payment_id}", signedIn: true) {
  payment(id: $id) @result { id @integer amount currency status createdAt }
}

"Charge the caller, at most once for one Idempotency-Key"
mutation CreatePayment($input: CreatePaymentInput! @body(integers: ["orderId"]), $key: String! @idempotencyKey)
@endpoint(method: POST, path: "/payments", status: 201, location: "/payments/{id}", signedIn: true) {
  createPayment(input: $input, idempotencyKey: $key) {
    payment @result { id @integer amount currency status createdAt }
    errors @userErrors { field message code }
  }
}
`;

export async function startKillableShop(): Promise<KillableShop> {
  const [developmentKey, identitySecret] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
  const owned: AsyncDisposable[] = [];
  const own = <T extends AsyncDisposable>(part: T): T => {
    owned.unshift(part);
    return part;
  };
  const disposeAll = async (): Promise<void> => {
    for (const part of owned.splice(0)) await part[Symbol.asyncDispose]();
  };
  try {
    const { url: databaseUrl } = own(await createThrowawayDatabase());
    await fill(databaseUrl);
    const documents = await mkdtemp(join(tmpdir(), 'gatefold-kills-'));
    own({ [Symbol.asyncDispose]: () => rm(documents, { recursive: true }) });
    await writeFile(join(documents, 'payments.graphql'), DOCUMENT);
    const redis = own(await startRedisServer());
    const payments = own(
      await openPool(2, () => startChild('payments-process.js', { databaseUrl, identitySecret } satisfies PaymentsSetup)),
    );
    const { url: paymentsUrl } = own(await openSwitchboard(() => payments.first()?.url));
    const setup: ShopGatewaySetup = {
      documents,
      config: {
        profile: 'dev',
        server: { port: 0, internalPort: 0 },
        supergraph: { file: join(packageRoot, 'schema/supergraph.graphql') },
        subgraphs: { override: { payments: { url: paymentsUrl } }, circuitBreaker: { openMs: 100 } },
        graphql: { operationTimeoutMs: TIMES.operationTimeoutMs },
        idempotency: { leaseMarginMs: TIMES.leaseMarginMs },
        redis: { url: redis.url },
        auth: { developmentKey },
        identity: { form: 'bound', secret: identitySecret },
        logging: { level: 'silent' },
      },
    };
    const gateways = own(await openPool(2, () => startChild('shop-gateway-process.js', setup)));

    async function kill(victim: Victim, chance: number): Promise<void> {
      if (victim === 'redis') {
        await redis.kill();
        await redis.start(); // The new server is empty.
        return;
      }
      const pool = victim === 'gateway' ? gateways : payments;
      const child = victim === 'gateway' ? pool.any(chance) : pool.first();
      if (child !== undefined) await pool.kill(child);
    }

    return {
      databaseUrl,
      gatewayUrl: (chance) => gateways.any(chance)?.url,
      tokenOf: (user) => signToken({ sub: String(user) }, { key: developmentKey }),
      kill,
      whole: async () => void (await Promise.all([gateways.whole(), payments.whole()])),
      [Symbol.asyncDispose]: disposeAll,
    };
  } catch (error) {
    await disposeAll();
    throw error;
  }
}

async function fill(url: string): Promise<void> {
  const database = openServerDatabase({ url, log: silentLogger, statementTimeoutMs: 60_000 });
  await migrate(database, await readAllMigrations());
  await seedDatabase(database);
  await database.close();
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('truncate payments.payments'); // Only charges of this run are counted at the end.
  await client.end();
}
