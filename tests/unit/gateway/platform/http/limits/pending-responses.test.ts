import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { noEdgeEvents } from '../../../../../../gateway/platform/http/limits/edge-events.ts';
import { createPendingResponses } from '../../../../../../gateway/platform/http/limits/pending-responses.ts';
import { createRandom } from '../../../../../support/random/random.ts';

const SEED = Number(process.env['PENDING_RESPONSES_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const PER_ADDRESS = 100_000;
const TOTAL = 250_000;

/** After it a response that is unread may be given up for others. @unit milliseconds */
const LONG_UNREAD_MS = 2_000;

/** As much of a response as its account looks at. */
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
      responseRefused: (reached) => void seen.push({ refused: reached }),
      responseEvicted: (response) => void seen.push({ evicted: response }),
    },
    clock: { monotonic: () => now },
  });
  /** @returns what gives the bytes back */
  function hold(address: string, bytes: number): () => void {
    const giveBack = pending.admit(address, unread(), bytes);
    if (giveBack === undefined) throw new Error('There was no room.');
    return giveBack;
  }
  return { pending, hold, seen, advance: (ms: number) => void (now += ms) };
}

describe('hasRoom', () => {
  it('given an address with as much as it may have, when asked, then there is none, and it is reported as refused', () => {
    const { pending, hold, seen } = setUp();
    hold('a', 60_000);
    expect(pending.hasRoom('a', 40_001)).toBe(false);
    expect(seen).toEqual([{ refused: { address: 'a', scope: 'address', limit: PER_ADDRESS } }]);
    expect(pending.hasRoom('a', 40_000)).toBe(true);
    expect(pending.hasRoom('b', 40_001)).toBe(true);
    expect(seen).toHaveLength(1);
  });

  it('given as much as all may have, when another address asks, then there is none, and it is reported as refused', () => {
    const { pending, hold, seen } = setUp();
    for (const address of ['a', 'b']) hold(address, PER_ADDRESS);
    expect(pending.hasRoom('c', 50_001)).toBe(false);
    expect(seen).toEqual([{ refused: { address: 'c', scope: 'total', limit: TOTAL } }]);
    expect(pending.hasRoom('c', 50_000)).toBe(true);
  });

  it('given another address with a response that is unread for long, when the bound of an address is reached, then it makes no room', () => {
    const { pending, hold, seen, advance } = setUp();
    hold('b', PER_ADDRESS);
    advance(LONG_UNREAD_MS);
    hold('a', PER_ADDRESS);
    expect(pending.hasRoom('a', 1)).toBe(false);
    expect(seen).toEqual([{ refused: { address: 'a', scope: 'address', limit: PER_ADDRESS } }]);
  });

  it('given a response of the address that is unread for long, when asked, then there is room, and nothing is cut or reported', () => {
    const { pending, hold, seen, advance } = setUp();
    hold('a', PER_ADDRESS);
    advance(LONG_UNREAD_MS - 1);
    expect(pending.hasRoom('a', 50_000)).toBe(false);
    seen.splice(0);
    advance(1);
    expect(pending.hasRoom('a', 50_000)).toBe(true);
    expect(seen).toEqual([]);
    expect(pending.admit('a', unread(), 50_000)).toBeDefined(); // as was said
    expect(seen).toEqual([{ evicted: { address: 'a', bytes: PER_ADDRESS } }]);
  });

  it('given a response of any address that is unread for long, when the bound of all is reached, then there is room', () => {
    const { pending, hold, seen, advance } = setUp();
    hold('a', PER_ADDRESS);
    advance(LONG_UNREAD_MS);
    hold('b', PER_ADDRESS);
    hold('c', 50_000);
    expect(pending.hasRoom('d', 90_000)).toBe(true);
    expect(seen).toEqual([]);
    expect(pending.admit('d', unread(), 90_000)).toBeDefined();
    expect(seen).toEqual([{ evicted: { address: 'a', bytes: PER_ADDRESS } }]);
  });

  it('given small responses of the address that are unread for long, when they do not make enough room, then there is none, and nothing is cut', () => {
    const { pending, hold, seen, advance } = setUp();
    hold('a', 10_000);
    advance(LONG_UNREAD_MS);
    hold('a', 80_000);
    expect(pending.hasRoom('a', 20_000)).toBe(true);
    expect(seen).toEqual([]);
    expect(pending.hasRoom('a', 20_001)).toBe(false);
    expect(seen).toEqual([{ refused: { address: 'a', scope: 'address', limit: PER_ADDRESS } }]);
  });

  it('given small responses of others that are unread for long, when they do not make enough room, then there is none, and nothing is cut', () => {
    const { pending, hold, seen, advance } = setUp();
    hold('b', 10_000);
    advance(LONG_UNREAD_MS);
    for (const address of ['a', 'c']) hold(address, 80_000);
    expect(pending.hasRoom('d', 90_000)).toBe(true);
    expect(seen).toEqual([]);
    expect(pending.hasRoom('d', 90_001)).toBe(false);
    expect(seen).toEqual([{ refused: { address: 'd', scope: 'total', limit: TOTAL } }]);
  });

  it('given room for the address and none for all, when responses of others are unread for long, then they make room', () => {
    const { pending, hold, seen, advance } = setUp();
    hold('a', 50_000);
    hold('b', 100_000);
    advance(LONG_UNREAD_MS);
    hold('a', 50_000);
    hold('c', 50_000);
    expect(pending.hasRoom('a', 50_001)).toBe(false); // of the address
    expect(pending.hasRoom('a', 50_000)).toBe(true);
    expect(seen).toEqual([{ refused: { address: 'a', scope: 'address', limit: PER_ADDRESS } }]);
  });

  it('given responses that were given back, or whose connection was closed, when asked, then there is room', () => {
    const { pending, hold } = setUp();
    const giveBack = hold('a', 50_000);
    const response = unread();
    pending.admit('a', response, 50_000);
    expect(pending.hasRoom('a', 50_000)).toBe(false);
    giveBack();
    expect(pending.hasRoom('a', 50_000)).toBe(true);
    response.destroy();
    expect(pending.hasRoom('a', PER_ADDRESS)).toBe(true);
  });

  it('given an address that has nothing, when asked for more than the bound, then there is room for the first', () => {
    const { pending, hold } = setUp();
    expect(pending.hasRoom('a', 10 * TOTAL)).toBe(true);
    hold('b', 1);
    expect(pending.hasRoom('a', TOTAL - 1)).toBe(true);
    expect(pending.hasRoom('a', TOTAL)).toBe(false);
  });

  it('given an answer that there is room, when asked again, then nothing was counted by asking', () => {
    const { pending } = setUp();
    for (let time = 0; time < 10; time += 1) expect(pending.hasRoom('a', PER_ADDRESS)).toBe(true);
    expect(pending.admit('a', unread(), PER_ADDRESS)).toBeDefined();
  });

  it('given messages that wait on a connection, when asked, then they count, until they are sent', () => {
    const { pending } = setUp();
    const account = pending.open('a', () => undefined);
    account.admit(PER_ADDRESS);
    expect(pending.hasRoom('a', 1)).toBe(false);
    account.giveBack(PER_ADDRESS);
    expect(pending.hasRoom('a', PER_ADDRESS)).toBe(true);
  });
});

describe(`hasRoom by chance, seed ${SEED} (PENDING_RESPONSES_SEED)`, () => {
  it('given responses and messages of any size and age, when one asks, then it is told what admitting it does, and why', () => {
    const random = createRandom(SEED);
    const outcomes = new Set<string>();
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
      const hasRoom = pending.hasRoom(address, bytes);
      const told = seen.splice(0);
      const isAdmitted = pending.admit(address, unread(), bytes) !== undefined;
      const evicted = seen.filter(isEvicted);
      const done = seen.filter((one) => !isEvicted(one));
      expect({ round, hasRoom, told }).toEqual({ round, hasRoom: isAdmitted, told: done });
      outcomes.add(`${isAdmitted}, ${evicted.length > 0}`);
    }
    expect([...outcomes].toSorted()).toEqual(['false, false', 'false, true', 'true, false', 'true, true']);
  });
});
