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

/** `npm run prove stream-outages` repeats each outage several times and covers more kinds. */
(missing === undefined ? describe : describe.skip)('streams of the reference subgraphs with PostgreSQL and Redis', () => {
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
      'report a gap to each follower when Redis is killed and restarts empty',
      1,
      async () => {
        await redis.kill();
        await redis.start();
      },
    ],
    [
      'miss no event when Redis freezes for a while',
      0,
      async () => {
        redis.freeze();
        await wait(1_500);
        redis.thaw();
      },
    ],
    ['miss no event when the subgraphs are killed and restarted', 0, () => restart(subgraphs)],
  ])('%s', async (_what, gapsOfEach, outage) => {
    const followers = [undefined, undefined, tokenOf('2'), tokenOf('3')];
    const { failures, gapsReported } = await surviveOutage({ url, followers, writer: tokenOf('1'), intervalMs: 20, outage });
    expect(failures).toEqual([]);
    if (gapsOfEach === 0) expect(gapsReported).toBe(0);
    else expect(gapsReported).toBeGreaterThanOrEqual(followers.length);
  });
});
