import { describe, expect, it } from '@jest/globals';
import { readRedisAddresses, REDIS_ADDRESSES } from '../../../../gateway/platform/redis-addresses.ts';

describe('readRedisAddresses', () => {
  it.each([['nowhere'], ['http://here'], ['redis://one, two'], ['redis:one'], ['']])('does not match the invalid address %j', (text) => {
    expect(REDIS_ADDRESSES.test(text)).toBe(false);
  });

  it('rejects a list of Sentinels and nodes', () => {
    expect(() => readRedisAddresses('redis+sentinel://one,redis://two')).toThrow('must not contain both Sentinels and nodes');
  });

  it.each([
    ['redis://here:7000', { kind: 'node', url: 'redis://here:7000', isTls: false }],
    ['rediss://me:p%40ss@here', { kind: 'node', url: 'rediss://me:p%40ss@here', username: 'me', password: 'p@ss', isTls: true }],
    [
      'redis://:secret@one,redis://two',
      { kind: 'cluster', urls: ['redis://:secret@one', 'redis://two'], password: 'secret', isTls: false },
    ],
    [
      'redis+sentinel://:secret@one:1/orders, redis+sentinel://two',
      {
        kind: 'sentinels',
        sentinels: [
          { host: 'one', port: 1 },
          { host: 'two', port: 26_379 },
        ],
        name: 'orders',
        password: 'secret',
        isTls: false,
      },
    ],
    ['rediss+sentinel://[::1]:5', { kind: 'sentinels', sentinels: [{ host: '::1', port: 5 }], name: 'mymaster', isTls: true }],
  ])('reads the topology and the credentials of %s', (text, expected) => {
    expect(REDIS_ADDRESSES.test(text)).toBe(true);
    expect(readRedisAddresses(text)).toEqual(expected);
  });
});
