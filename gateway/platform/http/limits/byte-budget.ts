import type { BoundScope } from './edge-events.ts';

export interface ByteBounds {
  /** @unit bytes */
  readonly total: number;
  /** @unit bytes */
  readonly perAddress: number;
}

/** Bytes held in memory for clients, in all and by client address. */
export interface ByteBudget {
  readonly bounds: ByteBounds;
  /** Bytes held at the moment. @unit bytes */
  readonly held: number;
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
  return {
    bounds,
    get held() {
      return held;
    },
    take(address, bytes) {
      const ofAddress = byAddress.get(address) ?? 0;
      if (ofAddress > 0 && ofAddress + bytes > bounds.perAddress) return 'address';
      if (held > 0 && held + bytes > bounds.total) return 'total';
      held += bytes;
      byAddress.set(address, ofAddress + bytes);
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
