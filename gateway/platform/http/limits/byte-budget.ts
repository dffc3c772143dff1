import type { LimitScope } from './edge-events.ts';

export interface ByteBounds {
  /** Limit for all addresses together. @unit bytes */
  readonly total: number;
  /** Limit for each address. @unit bytes */
  readonly perAddress: number;
}

/** Bytes that could be released, in total and for the requesting address. @unit bytes */
export interface FreedBytes {
  readonly total: number;
  readonly ofAddress: number;
}

const NOTHING_FREED: FreedBytes = { total: 0, ofAddress: 0 };

/** Memory that is held for clients, in total and by client address. */
export interface ByteBudget {
  readonly bounds: ByteBounds;
  /** Bytes that are held at the moment. @unit bytes */
  readonly held: number;
  /**
   * Returns the limit that further bytes would exceed; undefined if they fit.
   *
   * @param freed bytes that would be released first. @defaultValue none
   */
  exceeded(address: string, bytes: number, freed?: FreedBytes): LimitScope | undefined;
  /**
   * Counts bytes if they fit.
   *
   * @returns limit that they would exceed; undefined if they were counted
   */
  take(address: string, bytes: number): LimitScope | undefined;
  /** Releases counted bytes. */
  give(address: string, bytes: number): void;
}

/**
 * Creates a budget. The first transfer of an address, and the first of all, always fits, because a limit below the size of one transfer
 * must not reject it forever.
 */
export function createByteBudget(bounds: ByteBounds): ByteBudget {
  const byAddress = new Map<string, number>();
  let held = 0;

  function exceeded(address: string, bytes: number, freed = NOTHING_FREED): LimitScope | undefined {
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
