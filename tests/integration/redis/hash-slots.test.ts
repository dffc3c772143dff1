import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CachedGraph, startCachedGraph } from '../../fixtures/cached-graph.ts';
import { DEVELOPMENT_KEY } from '../../fixtures/library-graph.ts';
import { createHttpClient } from '../../support/http/http-client.ts';
import { signToken } from '../../support/identity/tokens.ts';
import { hashSlotOf } from '../../support/redis/hash-slot.ts';
import { type CommandRecorder, recordCommands, type RecordedCommand } from '../../support/redis/recorded-commands.ts';
import { missingRedisServer, type RedisServer, startRedisServer } from '../../support/redis/redis-server.ts';
import { eventually } from '../../support/time/eventually.ts';

const KEY = 'a key that only operators of this gateway know';

describe('the hash slot of a key', () => {
  it('is the CRC16 of the specification', () => {
    expect(hashSlotOf('123456789')).toBe(0x31_c3);
  });

  it.each([
    ['{user1000}.following', 'user1000'],
    ['foo{bar}{zap}', 'bar'],
    ['foo{{bar}}zap', '{bar'],
  ])('of %s is that of %s', (key, hashed) => {
    expect(hashSlotOf(key)).toBe(hashSlotOf(hashed));
  });

  it('of a key with empty braces is that of the whole key', () => {
    expect(hashSlotOf('foo{}{bar}')).not.toBe(hashSlotOf('bar'));
  });
});

/** Commands that must use one hash slot: a single command, a script with its commands, or a transaction. */
function unitsOf(commands: readonly RecordedCommand[]): readonly (readonly RecordedCommand[])[] {
  const units: RecordedCommand[][] = [];
  let isTransaction = false;
  for (const command of commands) {
    if (command.isInScript || (isTransaction && units.length > 0)) units.at(-1)?.push(command);
    else units.push([command]);
    if (command.name === 'multi') isTransaction = true;
    if (command.name === 'exec' || command.name === 'discard') isTransaction = false;
  }
  return units;
}

(missingRedisServer() === undefined ? describe : describe.skip)('the commands of a gateway with all shared state in Redis', () => {
  let redis: RedisServer;
  let graph: CachedGraph;
  let recorder: CommandRecorder;

  const keysWith = (text: string) => recorder.commands.filter(({ keys }) => keys.some((key) => key.includes(text)));

  beforeAll(async () => {
    redis = await startRedisServer();
    // No command may arrive while MONITOR begins: the client would take it for a response.
    recorder = await recordCommands(redis.url);
    graph = await startCachedGraph({
      redis: { url: redis.url },
      cache: { invalidationKey: KEY, sharedIntervalMs: 20 },
      budget: { mode: 'enforce', anonymous: { mode: 'enforce' } },
    });
    const client = createHttpClient({ origin: graph.url });
    const invalidate = async () =>
      createHttpClient({ origin: graph.internalUrl }).post('/cache/invalidate', { types: ['Page', 'Account'] }, { token: KEY });
    await eventually(async () => (await invalidate()).status === 200);
    const token = signToken({ sub: 'ada', roles: ['USER'] }, { key: DEVELOPMENT_KEY });
    const query = '{ page(id: 1) { id text } }';
    const persistedQuery = { version: 1, sha256Hash: createHash('sha256').update(query).digest('hex') };
    await client.get(`/graphql?query=${encodeURIComponent(query)}`);
    await client.get(`/graphql?query=${encodeURIComponent(query)}`, { token });
    await client.post('/graphql', { query, extensions: { persistedQuery } });
    await client.get(`/graphql?extensions=${encodeURIComponent(JSON.stringify({ persistedQuery }))}`);
    const publish = { query: 'mutation { publish(id: 1) { id text } }' };
    for (const key of ['one', 'one', 'two']) await client.post('/graphql', publish, { token, headers: { 'idempotency-key': `"${key}"` } });
    await invalidate();
    await eventually(() =>
      ['kept', 'documents', 'invalidations', 'idempotency', 'budget', 'writes'].every((text) => keysWith(text).length > 0),
    );
  });

  afterAll(async () => {
    recorder[Symbol.dispose]();
    await graph[Symbol.asyncDispose]();
    await redis[Symbol.asyncDispose]();
  });

  it('use keys of one hash slot in each command, script and transaction', () => {
    const units = unitsOf(recorder.commands);
    const split = units.filter((unit) => new Set(unit.flatMap(({ keys }) => keys).map(hashSlotOf)).size > 1);
    expect(split).toEqual([]);
  });

  it('name all keys of a script as its keys, so that a Cluster finds its node', () => {
    const scripts = unitsOf(recorder.commands).filter((unit) => unit.length > 1 && unit[0]?.name.startsWith('eval'));
    expect(scripts.length).toBeGreaterThan(10);
    for (const [script, ...commands] of scripts) {
      const undeclared = commands.flatMap(({ keys }) => keys).filter((key) => !script?.keys.includes(key));
      // Keys that a script derives from its data are in the hash slot of its declared keys, as the test above verifies.
      for (const key of undeclared) expect(hashSlotOf(key)).toBe(hashSlotOf(script?.keys[0] ?? ''));
    }
  });

  it('use several keys in some scripts, and several hash slots in all', () => {
    expect(recorder.commands.some(({ keys }) => keys.length > 1)).toBe(true);
    expect(new Set(recorder.commands.flatMap(({ keys }) => keys).map(hashSlotOf)).size).toBeGreaterThan(3);
  });
});
