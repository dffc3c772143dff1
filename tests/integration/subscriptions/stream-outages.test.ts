import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { missingPostgresql } from '../../support/database/missing-postgresql.ts';
import { type RedisServer, missingRedisServer, startRedisServer } from '../../support/redis/redis-server.ts';
import { createThrowawayDatabase } from '../../support/database/throwaway-database.ts';
import { signToken } from '../../support/identity/tokens.ts';
import { startGatewayBefore } from './gateway-before.ts';
import { type SubgraphsProcess, startSubgraphsProcess } from './subgraphs-process.ts';
import { restart, surviveOutage } from './survive-outage.ts';

const missing = missingRedisServer() ?? (await missingPostgresql());

/** Each of them several times, and more: `npm run prove stream-outages`. */
(missing === undefined ? describe : describe.skip)('given streams of the reference subgraphs, on PostgreSQL, with events in Redis', () => {
  const owned: AsyncDisposable[] = [];
  const own = <Part extends AsyncDisposable>(part: Part): Part => {
    owned.unshift(part);
    return part;
  };
  const [developmentKey, identitySecret] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
  const tokenOf = (sub: string): string => signToken({ sub }, { key: developmentKey });
  let redis: RedisServer;
  let subgraphs: SubgraphsProcess;
  let url: string;

  beforeAll(async () => {
    const database = own(await createThrowawayDatabase());
    redis = own(await startRedisServer());
    subgraphs = own(await startSubgraphsProcess({ databaseUrl: database.url, redisUrl: redis.url, identitySecret }));
    ({ url } = own(await startGatewayBefore({ subgraphUrls: subgraphs.urls, developmentKey, identitySecret })));
  }, 60_000);
  afterAll(async () => {
    for (const part of owned) await part[Symbol.asyncDispose]();
  });

  it.each<[string, number, () => Promise<void>]>([
    [
      'Redis is killed and comes back empty, then each is told that events may have been missed',
      1,
      async () => {
        await redis.kill();
        await redis.start();
      },
    ],
    [
      'Redis stands still, then nothing is missed',
      0,
      async () => {
        redis.freeze();
        await wait(1_500);
        redis.thaw();
      },
    ],
    ['their process is killed and comes back, then nothing is missed', 0, () => restart(subgraphs)],
  ])('%s', async (_what, gapsOfEach, outage) => {
    const followers = [undefined, undefined, tokenOf('2'), tokenOf('3')];
    const { failures, gapsReported } = await surviveOutage({ url, followers, writer: tokenOf('1'), intervalMs: 20, outage });
    expect(failures).toEqual([]);
    if (gapsOfEach === 0) expect(gapsReported).toBe(0);
    else expect(gapsReported).toBeGreaterThanOrEqual(followers.length);
  });
});
