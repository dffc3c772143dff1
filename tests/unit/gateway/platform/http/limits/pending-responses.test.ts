import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { noEdgeEvents } from '../../../../../../gateway/platform/http/limits/edge-events.ts';
import { createPendingResponses } from '../../../../../../gateway/platform/http/limits/pending-responses.ts';
import { createRandom } from '../../../../../support/random/random.ts';

const SEED = Number(process.env['PENDING_RESPONSES_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const PER_ADDRESS = 100_000;
const TOTAL = 250_000;

/** Age after which an unread response can be evicted for others. @unit milliseconds */
const LONG_UNREAD_MS = 2_000;

/** Creates an unread response with the members that its account uses. */
function unread(): ServerResponse {
  const events = new EventEmitter();
  return Object.assign(events, { destroy: () => events.emit('close') }) as unknown as ServerResponse;
}

function isEvicted(event: unknown): boolean {
  return event !== null && typeof event === 'object' && 'evicted' in event;
}

function setUp() {
  let now = 0;
  const seen: unknown[] = [];
  const pending = createPendingResponses({
    bounds: { total: TOTAL, perAddress: PER_ADDRESS },
    report: {
      ...noEdgeEvents,
      responseRejected: (reached) => void seen.push({ rejected: reached }),
      responseEvicted: (response) => void seen.push({ evicted: response }),
    },
    clock: { monotonic: () => now },
  });
  /** @returns a function that gives the bytes back */
  function hold(address: string, bytes: number): () => void {
    const giveBack = pending.admit(address, unread(), bytes);
    if (giveBack === undefined) throw new Error('The response was not admitted.');
    return giveBack;
  }
  return { pending, hold, seen, advance: (ms: number) => void (now += ms) };
}

describe('hasCapacity', () => {
  it('rejects and reports a response above the limit of an address', () => {
    const { pending, hold, seen } = setUp();
    hold('a', 60_000);
    expect(pending.hasCapacity('a', 40_001)).toBe(false);
    expect(seen).toEqual([{ rejected: { address: 'a', scope: 'address', limit: PER_ADDRESS } }]);
    expect(pending.hasCapacity('a', 40_000)).toBe(true);
    expect(pending.hasCapacity('b', 40_001)).toBe(true);
    expect(seen).toHaveLength(1);
  });

  it('rejects and reports a response above the total limit', () => {
    const { pending, hold, seen } = setUp();
    for (const address of ['a', 'b']) hold(address, PER_ADDRESS);
    expect(pending.hasCapacity('c', 50_001)).toBe(false);
    expect(seen).toEqual([{ rejected: { address: 'c', scope: 'total', limit: TOTAL } }]);
    expect(pending.hasCapacity('c', 50_000)).toBe(true);
  });

  it('does not evict responses of other addresses for the limit of an address', () => {
    const { pending, hold, seen, advance } = setUp();
    hold('b', PER_ADDRESS);
    advance(LONG_UNREAD_MS);
    hold('a', PER_ADDRESS);
    expect(pending.hasCapacity('a', 1)).toBe(false);
    expect(seen).toEqual([{ rejected: { address: 'a', scope: 'address', limit: PER_ADDRESS } }]);
  });

  it('finds capacity in a long-unread response of the address without evicting it', () => {
    const { pending, hold, seen, advance } = setUp();
    hold('a', PER_ADDRESS);
    advance(LONG_UNREAD_MS - 1);
    expect(pending.hasCapacity('a', 50_000)).toBe(false);
    seen.splice(0);
    advance(1);
    expect(pending.hasCapacity('a', 50_000)).toBe(true);
    expect(seen).toEqual([]);
    expect(pending.admit('a', unread(), 50_000)).toBeDefined(); // As `hasCapacity` has reported.
    expect(seen).toEqual([{ evicted: { address: 'a', bytes: PER_ADDRESS } }]);
  });

  it('finds capacity in a long-unread response of any address for the total limit', () => {
    const { pending, hold, seen, advance } = setUp();
    hold('a', PER_ADDRESS);
    advance(LONG_UNREAD_MS);
    hold('b', PER_ADDRESS);
    hold('c', 50_000);
    expect(pending.hasCapacity('d', 90_000)).toBe(true);
    expect(seen).toEqual([]);
    expect(pending.admit('d', unread(), 90_000)).toBeDefined();
    expect(seen).toEqual([{ evicted: { address: 'a', bytes: PER_ADDRESS } }]);
  });

  it('evicts nothing if long-unread responses of the address are too small', () => {
    const { pending, hold, seen, advance } = setUp();
    hold('a', 10_000);
    advance(LONG_UNREAD_MS);
    hold('a', 80_000);
    expect(pending.hasCapacity('a', 20_000)).toBe(true);
    expect(seen).toEqual([]);
    expect(pending.hasCapacity('a', 20_001)).toBe(false);
    expect(seen).toEqual([{ rejected: { address: 'a', scope: 'address', limit: PER_ADDRESS } }]);
  });

  it('evicts nothing if long-unread responses of other addresses are too small', () => {
    const { pending, hold, seen, advance } = setUp();
    hold('b', 10_000);
    advance(LONG_UNREAD_MS);
    for (const address of ['a', 'c']) hold(address, 80_000);
    expect(pending.hasCapacity('d', 90_000)).toBe(true);
    expect(seen).toEqual([]);
    expect(pending.hasCapacity('d', 90_001)).toBe(false);
    expect(seen).toEqual([{ rejected: { address: 'd', scope: 'total', limit: TOTAL } }]);
  });

  it('finds capacity in responses of others if only the total limit is exceeded', () => {
    const { pending, hold, seen, advance } = setUp();
    hold('a', 50_000);
    hold('b', 100_000);
    advance(LONG_UNREAD_MS);
    hold('a', 50_000);
    hold('c', 50_000);
    expect(pending.hasCapacity('a', 50_001)).toBe(false); // The limit of the address.
    expect(pending.hasCapacity('a', 50_000)).toBe(true);
    expect(seen).toEqual([{ rejected: { address: 'a', scope: 'address', limit: PER_ADDRESS } }]);
  });

  it('counts neither returned bytes nor responses on closed connections', () => {
    const { pending, hold } = setUp();
    const giveBack = hold('a', 50_000);
    const response = unread();
    pending.admit('a', response, 50_000);
    expect(pending.hasCapacity('a', 50_000)).toBe(false);
    giveBack();
    expect(pending.hasCapacity('a', 50_000)).toBe(true);
    response.destroy();
    expect(pending.hasCapacity('a', PER_ADDRESS)).toBe(true);
  });

  it('accepts the first response of an address above the limit', () => {
    const { pending, hold } = setUp();
    expect(pending.hasCapacity('a', 10 * TOTAL)).toBe(true);
    hold('b', 1);
    expect(pending.hasCapacity('a', TOTAL - 1)).toBe(true);
    expect(pending.hasCapacity('a', TOTAL)).toBe(false);
  });

  it('counts nothing when it is called', () => {
    const { pending } = setUp();
    for (let time = 0; time < 10; time += 1) expect(pending.hasCapacity('a', PER_ADDRESS)).toBe(true);
    expect(pending.admit('a', unread(), PER_ADDRESS)).toBeDefined();
  });

  it('counts pending messages of a connection until they are sent', () => {
    const { pending } = setUp();
    const account = pending.open('a', () => undefined);
    account.admit(PER_ADDRESS);
    expect(pending.hasCapacity('a', 1)).toBe(false);
    account.giveBack(PER_ADDRESS);
    expect(pending.hasCapacity('a', PER_ADDRESS)).toBe(true);
  });
});

describe(`hasRoom with random responses, seed ${SEED} (PENDING_RESPONSES_SEED)`, () => {
  it('predicts and explains the result of admitting a response', () => {
    const random = createRandom(SEED);
    const results = new Set<string>();
    for (let round = 0; round < 2_000; round += 1) {
      const { pending, seen, advance } = setUp();
      const addresses = ['a', 'b', 'c', 'd'];
      const accounts = addresses.map((address) => pending.open(address, () => undefined));
      for (let count = random.below(40); count > 0; count -= 1) {
        const bytes = 1 + random.below(random.chance(0.3) ? 90_000 : 20_000);
        if (random.chance(0.7)) pending.admit(random.pick(addresses), unread(), bytes);
        else random.pick(accounts).admit(bytes);
        if (random.chance(0.2)) advance(random.below(LONG_UNREAD_MS));
      }
      const address = random.pick([...addresses, 'new']);
      const bytes = 1 + random.below(random.chance(0.1) ? 2 * TOTAL : PER_ADDRESS);
      seen.splice(0);
      const hasCapacity = pending.hasCapacity(address, bytes);
      const reported = seen.splice(0);
      const isAdmitted = pending.admit(address, unread(), bytes) !== undefined;
      const evicted = seen.filter(isEvicted);
      const done = seen.filter((one) => !isEvicted(one));
      expect({ round, hasCapacity, reported }).toEqual({ round, hasCapacity: isAdmitted, reported: done });
      results.add(`${isAdmitted}, ${evicted.length > 0}`);
    }
    expect([...results].toSorted()).toEqual(['false, false', 'false, true', 'true, false', 'true, true']);
  });
});
