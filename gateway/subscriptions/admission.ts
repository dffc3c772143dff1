import { GatewayError } from '../platform/errors.ts';
import { type Principal, principalKeyOf } from '../platform/principal.ts';

export interface AdmissionLimits {
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  readonly maxConnectionsPerPrincipal: number;
  /** Maximum number of connections whose caller is not yet known. */
  readonly maxUnacknowledged: number;
}

/** Slot of one connection. */
export interface ConnectionSlot {
  /** Assigns the slot to an authenticated caller. @throws GatewayError `SUBSCRIPTION_LIMIT` */
  claim(principal: Principal): void;
  /** Frees the slot of a closed connection. Further calls do nothing. */
  release(): void;
}

/** Counts open connections: in total, per address, and per caller. */
export interface Admission {
  readonly size: number;
  /**
   * Takes a slot for a connection of which only the address is known.
   *
   * @throws GatewayError `OVERLOADED` when all slots are taken, `SUBSCRIPTION_LIMIT` when this address has reached its limit
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
      if (size >= limits.maxConnections) throw full('subscriptions.maxConnections');
      if (unacknowledged >= limits.maxUnacknowledged) throw full('subscriptions.websocket.maxUnacknowledged');
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

/** Creates counters by key. A map of open connections is sufficient, because connections change far less often than requests. */
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

function full(setting: string): GatewayError {
  return new GatewayError('OVERLOADED', 'The gateway has reached its connection limit. Try again later.', {
    headers: { 'retry-after': '5' },
    setting,
  });
}

function tooMany(whose: 'address' | 'caller', limit: number): GatewayError {
  return new GatewayError('SUBSCRIPTION_LIMIT', `The limit of ${limit} open connections per ${whose} has been reached. Close one first.`, {
    headers: { 'retry-after': '5' },
    setting: whose === 'address' ? 'subscriptions.maxConnectionsPerAddress' : 'subscriptions.maxConnectionsPerPrincipal',
  });
}
