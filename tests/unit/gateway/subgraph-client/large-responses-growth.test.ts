import { describe, expect, it } from '@jest/globals';
import { createLargeResponses, type LargeResponse } from '../../../../gateway/subgraph-client/large-responses.ts';
import { createRandom, type Random } from '../../../support/random/random.ts';
import { REQUEST } from '../../../support/subgraphs/fake-subgraph.ts';

const SEED = Number(process.env['LARGE_BODIES_SEED'] ?? Math.floor(Math.random() * 1_000_000));
const BOUND = 100;

/** Creates a limit of 100 bytes and responses that grow within it. */
function setUp() {
  const large = createLargeResponses({ maxBytes: BOUND, callerOf: ({ remoteAddress = '' }) => remoteAddress });
  const seen: string[] = [];

  function come(name: string, bytes: number, { caller = 'a', onTurn }: { caller?: string; onTurn?: () => void } = {}): LargeResponse {
    const response: LargeResponse = {
      request: { ...REQUEST, body: name, context: { ...REQUEST.context, remoteAddress: caller } },
      bytes,
      begin() {
        seen.push(name);
        onTurn?.();
      },
      refuse: () => void seen.push(`${name} refused`),
    };
    large.enter(response);
    return response;
  }

  function grow(response: LargeResponse, bytes: number, onProceed: () => void = () => undefined): void {
    large.grow(response, bytes, () => {
      seen.push(`${response.request.body} to ${bytes}`);
      onProceed();
    });
  }

  /** Returns and clears the recorded events. */
  return { large, come, grow, look: () => seen.splice(0) };
}

describe('createLargeResponses, with growing responses', () => {
  it('lets a response grow by exactly the free bytes and counts them', () => {
    const { large, come, grow, look } = setUp();
    come('1', 20);
    const second = come('2', 20);
    grow(second, 80);
    come('3', 1);
    expect(look()).toEqual(['1', '2', '2 to 80']);
    large.leave(second);
    expect(look()).toEqual(['3']);
  });

  it('lets the first response grow beyond the limit', () => {
    const { come, grow, look } = setUp();
    const first = come('1', 50);
    come('2', 50);
    for (const bytes of [60, 10 * BOUND]) grow(first, bytes);
    expect(look()).toEqual(['1', '2', '1 to 60', `1 to ${10 * BOUND}`]);
  });

  it('delays another response until the last byte that it needs is free', () => {
    const { large, come, grow, look } = setUp();
    come('1', 50);
    const second = come('2', 20);
    const third = come('3', 1);
    grow(second, 50);
    expect(look()).toEqual(['1', '2', '3']);
    large.leave(third);
    expect(look()).toEqual(['2 to 50']);
  });

  it('lets a waiting response grow beyond the limit when it becomes the first', () => {
    const { large, come, grow, look } = setUp();
    const first = come('1', 50);
    const second = come('2', 50);
    grow(second, 10 * BOUND);
    expect(look()).toEqual(['1', '2']);
    large.leave(first);
    expect(look()).toEqual(['2 to 1000']);
    come('3', 1);
    expect(look()).toEqual([]);
    large.leave(second);
    expect(look()).toEqual(['3']);
  });

  it('lets waiting responses grow in order before others begin', () => {
    const { large, come, grow, look } = setUp();
    const all = ['1', '2', '3', '4'].map((name) => come(name, 25));
    come('5', 25);
    for (const response of all.slice(1).toReversed()) grow(response, 35);
    expect(look()).toEqual(['1', '2', '3', '4']);
    if (all[0] !== undefined) large.leave(all[0]);
    // 5 bytes are free for the last response, and none for a response that waits for its turn.
    expect(look()).toEqual(['2 to 35', '3 to 35']);
  });

  it('lets a response grow that needs less than a waiting one before it', () => {
    const { come, grow, look } = setUp();
    come('1', 30);
    const second = come('2', 30);
    const third = come('3', 30);
    grow(second, 50);
    grow(third, 40);
    expect(look()).toEqual(['1', '2', '3', '3 to 40']);
  });

  it('releases all bytes of a waiting response that leaves, and never lets it grow', () => {
    const { large, come, grow, look } = setUp();
    const first = come('1', 50);
    const second = come('2', 50);
    grow(second, 60);
    for (let time = 0; time < 2; time += 1) large.leave(second);
    come('3', 50);
    come('4', 1);
    large.leave(first);
    expect(look()).toEqual(['1', '2', '3', '4']);
  });

  it('releases the bytes of a grown response once if it leaves twice', () => {
    const { large, come, grow, look } = setUp();
    const first = come('1', 10);
    grow(first, 90);
    come('2', 10);
    look();
    for (let time = 0; time < 2; time += 1) large.leave(first);
    come('3', 90);
    come('4', 1);
    expect(look()).toEqual(['3']);
  });

  it.each(['that waits for its turn', 'that has left'])('ignores the growth of a response %s', (what) => {
    const { large, come, grow, look } = setUp();
    const first = come('1', BOUND);
    const second = come('2', 10);
    if (what === 'that has left') large.leave(second);
    look();
    grow(second, 20);
    large.leave(first);
    come('3', BOUND - 10);
    expect(look()).toEqual(what === 'that has left' ? ['3'] : ['2', '3']);
  });

  it('begins waiting responses if one leaves while it grows', () => {
    const { large, come, grow, look } = setUp();
    const first = come('1', 50);
    const second = come('2', 50);
    come('3', BOUND);
    grow(second, BOUND, () => large.leave(second));
    large.leave(first);
    expect(look()).toEqual(['1', '2', '2 to 100', '3']);
  });

  it('lets a response grow while it begins', () => {
    const { large, come, grow, look } = setUp();
    const first = come('1', BOUND);
    const responses: LargeResponse[] = [];
    responses.push(come('2', 10, { onTurn: () => responses.forEach((response) => grow(response, 20)) }));
    large.leave(first);
    expect(look()).toEqual(['1', '2', '2 to 20']);
  });

  it('gives callers about the same number of bytes if one has growing responses', () => {
    const { large, come, grow } = setUp();
    const received = { grown: 0, reported: 0 };
    const begun: (() => void)[] = [];
    const first = come('first', BOUND, { caller: 'other' });
    for (let index = 0; index < 100; index += 1) {
      const grown = come('grown', 10, {
        caller: 'grown',
        onTurn() {
          received.grown += 80;
          begun.push(() => {
            grow(grown, 80);
            large.leave(grown);
          });
        },
      });
      const reported = come('told', 80, {
        caller: 'told',
        onTurn() {
          received.reported += 80;
          begun.push(() => large.leave(reported));
        },
      });
    }
    large.leave(first);
    for (let turn = 0; turn < 60; turn += 1) begun.shift()?.();
    expect(Math.abs(received.grown - received.reported)).toBeLessThanOrEqual(240);
  });
});

/** A body of unknown length and its progress. */
interface Body {
  readonly response: LargeResponse;
  readonly length: number;
  received: number;
  reserved: number;
  /** Whether more bytes of the body may arrive. */
  mayCome: boolean;
  hasEnded: boolean;
}

/** Simulates bodies that arrive in chunks in random order until all are complete. */
function receiveByChance(random: Random) {
  const maxBytes = 1 + random.below(200);
  const large = createLargeResponses({ maxBytes, callerOf: ({ remoteAddress = '' }) => remoteAddress });
  const inTurn: Body[] = [];

  function come(): Body {
    const length = 20 + random.below(random.chance(0.2) ? 5 * maxBytes : 80);
    const first = 1 + random.below(length);
    const response: LargeResponse = {
      request: { ...REQUEST, context: { ...REQUEST.context, remoteAddress: random.pick(['a', 'b', 'c']) } },
      bytes: random.chance(0.3) ? length : 2 * first,
      begin() {
        body.reserved = response.bytes;
        body.mayCome = true;
        inTurn.push(body);
      },
      refuse() {
        throw new Error('The response was rejected.');
      },
    };
    const body: Body = { response, length, received: first, reserved: 0, mayCome: false, hasEnded: false };
    large.enter(response);
    return body;
  }

  function end(body: Body): void {
    body.hasEnded = true;
    body.mayCome = false;
    const position = inTurn.indexOf(body);
    if (position >= 0) inTurn.splice(position, 1);
    large.leave(body.response);
  }

  function receive(body: Body): void {
    body.received = Math.min(body.length, body.received + 1 + random.below(40));
    if (body.received === body.length) return end(body);
    if (body.received <= body.reserved) return;
    const bytes = 2 * body.received;
    body.mayCome = false;
    large.grow(body.response, bytes, () => {
      body.reserved = bytes;
      body.mayCome = true;
    });
  }

  /** Returns the bytes that are reserved by all responses except the one whose turn came first. */
  const reservedByOthers = (): number => inTurn.slice(1).reduce((sum, { reserved }) => sum + reserved, 0);
  return { maxBytes, come, receive, end, reservedByOthers };
}

describe(`createLargeResponses with random bodies, seed ${SEED} (LARGE_BODIES_SEED)`, () => {
  it('completes all growing bodies, and all but the first stay within the limit', () => {
    const random = createRandom(SEED);
    for (let round = 0; round < 1_000; round += 1) {
      const { maxBytes, come, receive, end, reservedByOthers } = receiveByChance(random);
      const bodies = Array.from({ length: 1 + random.below(12) }, come);
      for (let open = bodies; open.length > 0; open = bodies.filter(({ hasEnded }) => !hasEnded)) {
        if (random.chance(0.02)) end(random.pick(open));
        const coming = open.filter(({ mayCome }) => mayCome);
        const isStuck = coming.length === 0 && open.some(({ hasEnded }) => !hasEnded);
        expect({ round, isStuck }).toEqual({ round, isStuck: false });
        if (coming.length > 0) receive(random.pick(coming));
        expect(reservedByOthers()).toBeLessThanOrEqual(maxBytes);
        if (bodies.length < 30 && random.chance(0.05)) bodies.push(come());
      }
    }
  });
});
