import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Claim, IdempotencyLimits, IdempotencyStore } from '../../../../gateway/idempotency/idempotency-store.ts';

export interface StoreUnderTest extends AsyncDisposable {
  readonly store: IdempotencyStore;
  /** Advances the time of a key without waiting. */
  pass(claim: Claim, ms: number): Promise<void>;
}

/** Creates another attempt at the same request. */
export function claimOf(key: string, { owner = 'alice', fingerprint = 'a payment' }: Partial<Claim> = {}): Claim {
  return { owner, key, fingerprint, token: randomUUID() };
}

export const LIMITS: IdempotencyLimits = { leaseMs: 20_000, timeToLiveMs: 86_400_000, maxKeys: 300 };

/** Contract that every store of idempotency keys fulfills. */
export function idempotencyStoreContract(name: string, open: (limits: IdempotencyLimits) => Promise<StoreUnderTest>): void {
  describe(`keys: ${name}`, () => {
    it('reports a key that another request uses, in progress or completed', async () => {
      await using underTest = await open(LIMITS);
      const { store } = underTest;
      const first = claimOf('one');
      await store.begin(first);
      expect(await store.begin(claimOf('one', { fingerprint: 'another' }))).toEqual({ state: 'reused' });
      await store.complete(first, 'paid');
      expect(await store.begin(claimOf('one', { fingerprint: 'another' }))).toEqual({ state: 'reused' });
    });

    it('reports the wait time while another attempt is in progress', async () => {
      await using underTest = await open(LIMITS);
      const { store, pass } = underTest;
      const first = claimOf('one');
      await store.begin(first);
      await pass(first, 15_000);
      const keyState = await store.begin(claimOf('one'));
      if (keyState?.state !== 'busy') throw new Error(`The state is "${keyState?.state}" instead of "busy".`);
      expect(keyState.retryAfterMs).toBeGreaterThan(0);
      expect(keyState.retryAfterMs).toBeLessThanOrEqual(5_000);
    });

    it('does not let an expired attempt complete or release after a takeover', async () => {
      await using underTest = await open(LIMITS);
      const { store, pass } = underTest;
      const [stale, next] = [claimOf('one'), claimOf('one')];
      await store.begin(stale);
      await pass(stale, 20_001);
      expect(await store.begin(next)).toEqual({ state: 'abandoned' });
      expect(await store.complete(stale, 'late')).toBe(false);
      expect(await store.release(stale)).toBe(false);
      expect(await store.begin(claimOf('one'))).toMatchObject({ state: 'busy' });
      expect(await store.complete(next, 'paid')).toBe(true);
      expect(await store.begin(claimOf('one'))).toEqual({ state: 'done', record: 'paid' });
    });

    it('does not complete or release a completed key again', async () => {
      await using underTest = await open(LIMITS);
      const { store } = underTest;
      const first = claimOf('one');
      await store.begin(first);
      await store.complete(first, 'paid');
      expect(await store.complete(first, 'paid twice')).toBe(false);
      expect(await store.release(first)).toBe(false);
      expect(await store.begin(claimOf('one'))).toEqual({ state: 'done', record: 'paid' });
    });

    it('rejects a new key at the limit of a caller until one is released', async () => {
      await using underTest = await open({ ...LIMITS, maxKeys: 2 });
      const { store } = underTest;
      const [first, second] = [claimOf('one'), claimOf('two')];
      await store.begin(first);
      await store.begin(second);
      await store.complete(second, 'paid');
      const keyState = await store.begin(claimOf('three'));
      if (keyState?.state !== 'full') throw new Error(`The state is "${keyState?.state}" instead of "full".`);
      expect(keyState.retryAfterMs).toBeGreaterThan(86_000_000);
      expect(await store.begin(claimOf('two'))).toEqual({ state: 'done', record: 'paid' });
      expect(await store.begin(claimOf('three', { owner: 'bob' }))).toEqual({ state: 'new' });
      await store.release(first);
      expect(await store.begin(claimOf('three'))).toEqual({ state: 'new' });
    });

    it('separates the keys of different callers', async () => {
      await using underTest = await open(LIMITS);
      const { store } = underTest;
      const [alice, bob] = [claimOf('one'), claimOf('one', { owner: 'bob', fingerprint: 'another' })];
      expect(await store.begin(alice)).toEqual({ state: 'new' });
      expect(await store.begin(bob)).toEqual({ state: 'new' });
      await store.complete(alice, 'of alice');
      await store.complete(bob, 'of bob');
      expect(await store.begin({ ...alice, token: 'again' })).toEqual({ state: 'done', record: 'of alice' });
      expect(await store.begin({ ...bob, token: 'again' })).toEqual({ state: 'done', record: 'of bob' });
    });

    it('treats a released key as new', async () => {
      await using underTest = await open(LIMITS);
      const { store } = underTest;
      const first = claimOf('one');
      await store.begin(first);
      expect(await store.release(first)).toBe(true);
      expect(await store.begin(claimOf('one', { fingerprint: 'another' }))).toEqual({ state: 'new' });
    });

    it('treats an expired key as new', async () => {
      await using underTest = await open({ ...LIMITS, timeToLiveMs: 400, maxKeys: 1 });
      const { store, pass } = underTest;
      const first = claimOf('one');
      await store.begin(first);
      await store.complete(first, 'paid');
      await pass(first, 401);
      expect(await store.begin(claimOf('one', { fingerprint: 'another' }))).toEqual({ state: 'new' });
    });

    it('returns a record of 256 KiB with characters of all byte lengths unchanged', async () => {
      await using underTest = await open(LIMITS);
      const { store } = underTest;
      const first = claimOf('one');
      const record = `"é€😀\u0000\n${'x'.repeat(262_144)}`;
      await store.begin(first);
      await store.complete(first, record);
      expect(await store.begin(claimOf('one'))).toEqual({ state: 'done', record });
    });

    it('accepts one of 200 concurrent attempts as the first', async () => {
      await using underTest = await open(LIMITS);
      const { store } = underTest;
      const keyStates = await Promise.all(Array.from({ length: 200 }, async () => store.begin(claimOf('one'))));
      const states = keyStates.map((keyState) => keyState?.state);
      expect(states.filter((state) => state === 'new')).toHaveLength(1);
      expect(states.filter((state) => state === 'busy')).toHaveLength(199);
    });
  });
}
