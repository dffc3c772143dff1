/**
 * Interrupts the transport of events below live streams while posts are created: Redis is killed and restarts empty or with its data, Redis
 * freezes, and the process of the subgraphs is killed, with an in-memory event bus and with Redis. Each client must receive each post, or a
 * notice that events may have been missed.
 *
 * Duration: about 5 minutes
 *
 * - `CLIENTS` (20): number of clients, half over WebSocket, half over server-sent events.
 * - `ROUNDS` (3): rounds of each outage.
 *
 * Requires redis-server and a PostgreSQL server.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { startRedisServer, type RedisServer } from '../support/redis/redis-server.ts';
import { createThrowawayDatabase } from '../support/database/throwaway-database.ts';
import { signToken } from '../support/identity/tokens.ts';
import { startGatewayBefore } from '../integration/subscriptions/gateway-before.ts';
import { type SubgraphsProcess, startSubgraphsProcess } from '../integration/subscriptions/subgraphs-process.ts';
import { restart, surviveOutage } from '../integration/subscriptions/survive-outage.ts';

const setting = (name: string, fallback: number): number => Number(process.env[name] ?? fallback);
const CLIENTS = setting('CLIENTS', 20);
const ROUNDS = setting('ROUNDS', 3);

interface Outage {
  readonly name: string;
  /** Whether Redis retains its data, or does not run at all. */
  readonly bus: 'empty' | 'lasting' | 'none';
  happen(parts: { readonly redis: RedisServer | undefined; readonly subgraphs: SubgraphsProcess }): Promise<void>;
}

const during = (ms: number): Promise<void> => wait(ms);
const killRedis: Outage['happen'] = async ({ redis }) => {
  await redis?.kill();
  await during(700);
  await redis?.start();
};
const freeze =
  (ms: number): Outage['happen'] =>
  async ({ redis }) => {
    redis?.freeze();
    await during(ms);
    redis?.thaw();
  };

const OUTAGES: readonly Outage[] = [
  { name: 'Redis is killed, and restarts empty', bus: 'empty', happen: killRedis },
  { name: 'Redis freezes for half a second', bus: 'empty', happen: freeze(500) },
  { name: 'Redis freezes for eight seconds', bus: 'empty', happen: freeze(8_000) },
  { name: 'the subgraphs are killed, with events in Redis', bus: 'empty', happen: ({ subgraphs }) => restart(subgraphs) },
  { name: 'Redis is killed, and restarts with its data', bus: 'lasting', happen: killRedis },
  {
    name: 'Redis and the subgraphs are killed',
    bus: 'lasting',
    async happen(parts) {
      await Promise.all([killRedis(parts), restart(parts.subgraphs)]);
    },
  },
  { name: 'the subgraphs are killed, with an in-memory event bus', bus: 'none', happen: ({ subgraphs }) => restart(subgraphs) },
];

let failed = 0;
for (const bus of ['empty', 'lasting', 'none'] as const) {
  await using database = await createThrowawayDatabase();
  const redis = bus === 'none' ? undefined : await startRedisServer(bus === 'lasting' ? ['--appendonly', 'yes'] : []);
  const [developmentKey, identitySecret] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
  const subgraphs = await startSubgraphsProcess({ databaseUrl: database.url, redisUrl: redis?.url, identitySecret });
  const gateway = await startGatewayBefore({ subgraphUrls: subgraphs.urls, developmentKey, identitySecret });
  const writer = signToken({ sub: '1' }, { key: developmentKey });
  const followers = Array.from({ length: CLIENTS }, (_, nth) =>
    nth % 4 < 2 ? undefined : signToken({ sub: String(nth) }, { key: developmentKey }),
  );
  for (const { name, happen } of OUTAGES.filter((outage) => outage.bus === bus)) {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const outage = (): Promise<void> => happen({ redis, subgraphs });
      const { failures, ...report } = await surviveOutage({ url: gateway.url, followers, writer, intervalMs: 20, outage });
      console.log(`${name} (${round} of ${ROUNDS}): ${JSON.stringify(report)}`);
      for (const failure of failures) console.error(`FAILED: ${failure}`);
      failed += failures.length;
    }
  }
  await gateway[Symbol.asyncDispose]();
  await subgraphs[Symbol.asyncDispose]();
  await redis?.[Symbol.asyncDispose]();
}
process.exit(failed === 0 ? 0 : 1);
