import type { PrimaryState } from '../platform/primary-state.ts';
import type { Claim, IdempotencyStore, KeyState } from './idempotency-store.ts';

/** Creates a store in the primary process, which all workers of this machine share. */
export function createPrimaryIdempotencyStore(primary: PrimaryState): IdempotencyStore {
  return {
    begin: async (claim) => (await primary.call('begin', argumentsOf(claim))) as KeyState | undefined,
    complete: async (claim, record) => (await primary.call('complete', [...argumentsOf(claim), record])) === true,
    release: async (claim) => (await primary.call('release', argumentsOf(claim))) === true,
  };
}

function argumentsOf({ owner, key, fingerprint, token }: Claim): readonly string[] {
  return [owner, key, fingerprint, token];
}

/** Changes the state of a key in the primary, for a call of `createPrimaryIdempotencyStore`. */
export function changeKeyForWorker(store: IdempotencyStore, name: 'begin' | 'complete' | 'release', args: readonly unknown[]): unknown {
  const [owner, key, fingerprint, token, record = ''] = args as readonly [string, string, string, string, string?];
  const claim: Claim = { owner, key, fingerprint, token };
  return name === 'complete' ? store.complete(claim, record) : store[name](claim);
}
