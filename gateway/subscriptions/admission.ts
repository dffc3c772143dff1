import { GatewayError } from '../platform/errors.ts';
import { type Principal, principalKeyOf } from '../platform/principal.ts';

export interface AdmissionLimits {
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  readonly maxConnectionsPerPrincipal: number;
  /** Connections of which nobody knows yet whose they are. */
  readonly maxUnacknowledged: number;
}

/** The place of one connection. */
export interface ConnectionSlot {
  /** It is known whose it is, and that he may. @throws GatewayError `SUBSCRIPTION_LIMIT` */
  claim(principal: Principal): void;
  /** The connection is gone. Further calls do nothing. */
  release(): void;
}

/** Counts connections: those that are open at all, of an address, and of a caller. */
export interface Admission {
  readonly size: number;
  /**
   * A place for a connection of which nothing is known but where it comes from.
   *
   * @throws GatewayError `OVERLOADED` where all are taken, `SUBSCRIPTION_LIMIT` where this address has enough
   */
  enter(network: string): ConnectionSlot;
}

export function createConnectionAdmission(limits: AdmissionLimits): Admission {
  const perAddress = createTally();
  const perPrincipal = createTally();
  let size = 0;
  let unacknowledged = 0;

  return {
    get size() {
      return size;
    },
    enter(network) {
      if (size >= limits.maxConnections || unacknowledged >= limits.maxUnacknowledged) throw full();
      if (perAddress.of(network) >= limits.maxConnectionsPerAddress) throw tooMany('address', limits.maxConnectionsPerAddress);
      size += 1;
      unacknowledged += 1;
      perAddress.add(network);
      let owner: string | undefined;
      let isClaimed = false;
      let isReleased = false;
      const acknowledge = (): void => {
        if (!isClaimed) unacknowledged -= 1;
        isClaimed = true;
      };
      return {
        claim(principal) {
          if (isReleased || isClaimed) return;
          const key = principal.kind === 'anonymous' ? undefined : principalKeyOf(principal);
          if (key !== undefined) {
            if (perPrincipal.of(key) >= limits.maxConnectionsPerPrincipal) throw tooMany('caller', limits.maxConnectionsPerPrincipal);
            perPrincipal.add(key);
            owner = key;
          }
          acknowledge();
        },
        release() {
          if (isReleased) return;
          isReleased = true;
          acknowledge();
          size -= 1;
          perAddress.remove(network);
          if (owner !== undefined) perPrincipal.remove(owner);
        },
      };
    },
  };
}

interface Tally {
  of(key: string): number;
  add(key: string): void;
  remove(key: string): void;
}

/** Connections come and go far less often than requests; a map of those that are open does. */
function createTally(): Tally {
  const counts = new Map<string, number>();
  return {
    of: (key) => counts.get(key) ?? 0,
    add: (key) => void counts.set(key, (counts.get(key) ?? 0) + 1),
    remove(key) {
      const count = (counts.get(key) ?? 0) - 1;
      if (count > 0) counts.set(key, count);
      else counts.delete(key);
    },
  };
}

function full(): GatewayError {
  return new GatewayError('OVERLOADED', 'No further connection is taken at the moment.', { headers: { 'retry-after': '5' } });
}

function tooMany(whose: 'address' | 'caller', limit: number): GatewayError {
  return new GatewayError('SUBSCRIPTION_LIMIT', `There are ${limit} open connections of this ${whose} already.`, {
    headers: { 'retry-after': '5' },
  });
}
