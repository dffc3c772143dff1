import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sha256Of } from '../../../gateway/persisted/document-reference.ts';
import { type LibraryGateway, startLibraryGateway } from '../../fixtures/library-graph.ts';
import { getGraphql, postGraphql } from '../../support/http/graphql-over-http.ts';
import { missingRedisServer, type RedisServer, startRedisServer } from '../../support/redis/redis-server.ts';

const QUERY = '{ book(id: "1") { title } }';
const DATA = { status: 200, body: { data: { book: { title: 'Momo' } } } };

const hashed = (text: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash: sha256Of(text) } } });

(missingRedisServer() === undefined ? describe : describe.skip)('two gateways with one Redis', () => {
  let redis: RedisServer;
  let gateways: LibraryGateway[];

  beforeEach(async () => {
    redis = await startRedisServer();
    const config = { redis: { url: redis.url } };
    const closed = { ...config, graphql: { introspection: false, graphiql: false } };
    gateways = [await startLibraryGateway({ config }), await startLibraryGateway({ config: closed })];
    await untilConnected();
  });
  afterEach(async () => {
    for (const gateway of gateways) await gateway[Symbol.asyncDispose]();
    await redis[Symbol.asyncDispose]();
  });

  const urlOf = (index: number): string => `${gateways[index]?.url}/graphql`;

  /** Sends new texts until one is shared. A gateway does not share documents that it receives before it is connected to Redis. */
  async function untilConnected(): Promise<void> {
    for (let attempt = 0, isShared = false; !isShared; attempt += 1) {
      const query = `{ attempt${attempt}: book(id: "1") { title } }`;
      await postGraphql(urlOf(0), { query, ...hashed(query) });
      await sleep(10);
      isShared = (await postGraphql(urlOf(1), hashed(query))).code === undefined;
    }
  }

  async function untilKnown(index: number, text: string): Promise<void> {
    while ((await postGraphql(urlOf(index), hashed(text))).code !== undefined) await sleep(10);
  }

  it('know a text by its hash that was sent to the other', async () => {
    expect(await postGraphql(urlOf(0), { query: QUERY, ...hashed(QUERY) })).toMatchObject(DATA);
    await untilKnown(1, QUERY);
    expect(await getGraphql(urlOf(1), hashed(QUERY))).toMatchObject(DATA);
  });

  it('reject the hash of introspection from another gateway where introspection is off', async () => {
    const query = '{ __schema { queryType { name } } }';
    expect(await postGraphql(urlOf(0), { query, ...hashed(query) })).toMatchObject({ code: undefined });
    let response = await postGraphql(urlOf(1), hashed(query));
    while (response.code === 'PERSISTED_QUERY_NOT_FOUND') response = await postGraphql(urlOf(1), hashed(query)); // Not in Redis yet.
    expect(response.code).toBe('INTROSPECTION_DISABLED');
  });

  it.each<[string, () => unknown]>([
    ['is killed', () => redis.kill()],
    ['hangs', () => redis.freeze()],
  ])('continue with the documents that they know, without failures, when Redis %s', async (_what, fail) => {
    await postGraphql(urlOf(0), { query: QUERY, ...hashed(QUERY) });
    await fail();
    expect(await postGraphql(urlOf(0), hashed(QUERY))).toMatchObject(DATA);
    for (let index = 0; index < 10; index += 1) {
      const query = `{ a${index}: book(id: "1") { title } }`;
      expect(await postGraphql(urlOf(1), hashed(query))).toMatchObject({ status: 200, code: 'PERSISTED_QUERY_NOT_FOUND' });
      expect(await postGraphql(urlOf(1), { query, ...hashed(query) })).toMatchObject({ status: 200, code: undefined });
      expect(await postGraphql(urlOf(1), hashed(query))).toMatchObject({ status: 200, code: undefined });
    }
    redis.thaw();
  });
});
