import { describe, expect, it } from '@jest/globals';
import { readRedisAddresses, REDIS_ADDRESSES } from '../../../../gateway/platform/redis-addresses.ts';

describe('readRedisAddresses', () => {
  it.each([['nowhere'], ['http://here'], ['redis://one, two'], ['redis:one'], ['']])(
    'given %j, when it is looked at, then it is none',
    (text) => {
      expect(REDIS_ADDRESSES.test(text)).toBe(false);
    },
  );

  it('given Sentinels and nodes in one list, when read, then it is refused', () => {
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
  ])('given %s, when read, then it is told what is reached, and how', (text, expected) => {
    expect(REDIS_ADDRESSES.test(text)).toBe(true);
    expect(readRedisAddresses(text)).toEqual(expected);
  });
});
