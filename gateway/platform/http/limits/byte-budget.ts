import type { BoundScope } from './edge-events.ts';

export interface ByteBounds {
  /** @unit bytes */
  readonly total: number;
  /** @unit bytes */
  readonly perAddress: number;
}

/** Bytes that could be given back, in all and by the address that asks. @unit bytes */
export interface FreedBytes {
  readonly total: number;
  readonly ofAddress: number;
}

const NOTHING_FREED: FreedBytes = { total: 0, ofAddress: 0 };

/** Bytes held in memory for clients, in all and by client address. */
export interface ByteBudget {
  readonly bounds: ByteBounds;
  /** Bytes held at the moment. @unit bytes */
  readonly held: number;
  /**
   * Tells which bound further bytes would exceed; undefined when they fit.
   *
   * @param freed bytes that would be given back before. @defaultValue none
   */
  exceeded(address: string, bytes: number, freed?: FreedBytes): BoundScope | undefined;
  /**
   * Counts bytes if they fit.
   *
   * @returns the bound that they would exceed; undefined when they are counted
   */
  take(address: string, bytes: number): BoundScope | undefined;
  /** Gives back what was taken. */
  give(address: string, bytes: number): void;
}

/** The first transfer of an address, and the first of all, always fits: a bound below one transfer must not refuse it for ever. */
export function createByteBudget(bounds: ByteBounds): ByteBudget {
  const byAddress = new Map<string, number>();
  let held = 0;

  function exceeded(address: string, bytes: number, freed = NOTHING_FREED): BoundScope | undefined {
    const ofAddress = (byAddress.get(address) ?? 0) - freed.ofAddress;
    if (ofAddress > 0 && ofAddress + bytes > bounds.perAddress) return 'address';
    const total = held - freed.total;
    return total > 0 && total + bytes > bounds.total ? 'total' : undefined;
  }

  return {
    bounds,
    get held() {
      return held;
    },
    exceeded,
    take(address, bytes) {
      const scope = exceeded(address, bytes);
      if (scope !== undefined) return scope;
      held += bytes;
      byAddress.set(address, (byAddress.get(address) ?? 0) + bytes);
      return undefined;
    },
    give(address, bytes) {
      held -= bytes;
      const left = (byAddress.get(address) ?? 0) - bytes;
      if (left > 0) byAddress.set(address, left);
      else byAddress.delete(address);
    },
  };
}
