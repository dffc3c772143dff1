import { describe, expect, it } from '@jest/globals';
import type { IdempotencyStore } from '../../../../gateway/idempotency/idempotency-store.ts';
import { type Attempted, createIdempotency, type KeyedRequest } from '../../../../gateway/idempotency/idempotency.ts';
import { createMemoryIdempotencyStore } from '../../../../gateway/idempotency/memory-idempotency-store.ts';
import { type ErrorCode, GatewayError } from '../../../../gateway/platform/errors.ts';
import { ANONYMOUS, type Principal } from '../../../../gateway/platform/principal.ts';
import { LIMITS } from './idempotency-store-contract.ts';

const ADA: Principal = { ...ANONYMOUS, kind: 'user', id: 'ada' };
const PASSED: KeyedRequest = { principal: ADA, key: 'a key', parts: ['POST', '/payments', { amount: 1 }], isPassedDown: true };
const UNPASSED: KeyedRequest = { ...PASSED, isPassedDown: false };

const replied = (body: string): Attempted => ({
  conclusion: { reply: { status: 201, headers: { location: '/payments/1' }, body } },
  outcome: { errorCodes: [], mayHaveEffect: true, isTelling: true },
});

const refused = (code: ErrorCode, mayHaveEffect = false): Attempted => ({
  conclusion: { refusal: new GatewayError(code, 'No.', { details: [{ field: 'amount', message: 'No.' }] }) },
  outcome: { errorCodes: [code], mayHaveEffect, isTelling: false },
});

/** A graph that counts how often it is asked. */
function open({ store, maxReplyBytes = 1_000 }: { store?: IdempotencyStore; maxReplyBytes?: number } = {}) {
  let now = 1_000;
  const clock = { now: () => now, monotonic: () => now };
  const memory = createMemoryIdempotencyStore({ ...LIMITS, maxKeys: 3, maxEntries: 100, maxBytes: 1_000_000, clock });
  const { once } = createIdempotency({ store: store ?? memory, maxReplyBytes });
  const asked: string[] = [];
  return {
    asked,
    once,
    pass: (ms: number) => void (now += ms),
    /** What a caller hears: a body, or a code. */
    async ask(request: KeyedRequest, make: () => Attempted | Promise<Attempted>): Promise<string> {
      try {
        const { reply, isReplayed } = await once(request, async () => {
          asked.push(request.key);
          return make();
        });
        return `${reply.status} ${reply.body ?? 'nothing'}${isReplayed ? ' again' : ''}`;
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        return `${error.code}${error.headers['idempotent-replayed'] === 'true' ? ' again' : ''}`;
      }
    },
  };
}

const fail = (code: ErrorCode) => (): never => {
  throw new GatewayError(code, 'It failed.');
};

const UNAVAILABLE: IdempotencyStore = { begin: () => undefined, complete: () => false, release: () => false };

describe('a request with a key', () => {
  it('given the key stands for another request, when sent, then it is refused and nothing is done', async () => {
    const { ask, asked } = open();
    await ask(PASSED, () => replied('one'));
    expect(await ask({ ...PASSED, parts: ['POST', '/payments', { amount: 2 }] }, () => replied('two'))).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await ask({ ...PASSED, parts: ['POST', '/orders', { amount: 1 }] }, () => replied('two'))).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(asked).toHaveLength(1);
  });

  it('given the first is under way, when sent again, then it is refused with Retry-After and nothing is done twice', async () => {
    const { once, ask, asked } = open();
    const first = ask(PASSED, async () => {
      await expect(once(PASSED, async () => replied('twice'))).rejects.toMatchObject({
        code: 'IDEMPOTENCY_IN_PROGRESS',
        headers: { 'retry-after': '1' },
      });
      return replied('one');
    });
    expect(await first).toBe('201 one');
    expect(asked).toHaveLength(1);
  });

  it('given half of a character in it, when sent, then it is a bad request', async () => {
    expect(await open().ask({ ...PASSED, parts: ['\ud800'] }, () => replied('one'))).toBe('BAD_REQUEST');
  });

  it('given a caller with as many keys as it may have, when a new one comes, then it is refused', async () => {
    const { ask } = open();
    for (const key of ['one', 'two', 'three']) await ask({ ...PASSED, key }, () => replied(key));
    expect(await ask({ ...PASSED, key: 'four' }, () => replied('four'))).toBe('RATE_LIMITED');
    expect(await ask({ ...PASSED, key: 'two' }, () => replied('twice'))).toBe('201 two again');
  });

  it('given members in another order, when sent again, then the answer is the first one', async () => {
    const { ask, asked } = open();
    await ask({ ...PASSED, parts: [{ amount: 1, currency: 'EUR' }] }, () => replied('one'));
    expect(await ask({ ...PASSED, parts: [{ currency: 'EUR', amount: 1 }] }, () => replied('two'))).toBe('201 one again');
    expect(asked).toHaveLength(1);
  });

  it('given another caller with the same key, when sent, then it is a request of its own', async () => {
    const { ask, asked } = open();
    await ask(PASSED, () => replied('of ada'));
    expect(await ask({ ...PASSED, principal: { ...ADA, id: 'bob' } }, () => replied('of bob'))).toBe('201 of bob');
    expect(await ask({ ...PASSED, principal: { ...ADA, kind: 'service' } }, () => replied('of a service'))).toBe('201 of a service');
    expect(asked).toHaveLength(3);
  });

  it('given a day has gone by, when sent again, then it is a new request', async () => {
    const { ask, asked, pass } = open();
    await ask(PASSED, () => replied('one'));
    pass(86_400_001);
    expect(await ask(PASSED, () => replied('two'))).toBe('201 two');
    expect(asked).toHaveLength(2);
  });
});

describe('what is told again', () => {
  /** What was paid, by the number of executions before. */
  async function payments(request: KeyedRequest, make: () => Attempted): Promise<readonly number[]> {
    const { once, asked } = open();
    const paid: number[] = [];
    const ask = () =>
      once(
        request,
        async () => {
          asked.push(request.key);
          return make();
        },
        () => void paid.push(asked.length),
      ).catch(() => undefined);
    for (let count = 0; count < 3; count += 1) await ask();
    return paid;
  }

  it.each([
    ['an answer', () => replied('one')],
    ['a refusal', () => refused('NOT_FOUND')],
  ])('given %s, when told again, then it is paid for, and the first time it is not: that was paid by what it took', async (_what, make) => {
    expect(await payments(UNPASSED, make)).toEqual([1, 1]);
  });

  it('given an answer that is made again, when told again, then it pays for itself', async () => {
    expect(await payments({ ...PASSED, isNeverStored: true }, () => replied('a secret'))).toEqual([]);
  });

  it('given a caller who has nothing left, when told again, then it is not: not a refusal either', async () => {
    for (const make of [() => replied('one'), () => refused('NOT_FOUND')]) {
      const { once, ask } = open();
      await ask(PASSED, make);
      await expect(once(PASSED, async () => make(), fail('RATE_LIMITED'))).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    }
  });
});

describe('a caller without credentials', () => {
  it('given nobody but the gateway would look at the key, when sent, then it is refused and nothing is done', async () => {
    const { ask, asked } = open();
    expect(await ask({ ...UNPASSED, principal: ANONYMOUS }, () => replied('one'))).toBe('UNAUTHENTICATED');
    expect(asked).toHaveLength(0);
  });

  it('given the key goes down, when two send the same, then nobody gets the answer of the other from the gateway', async () => {
    const { ask, asked } = open();
    await ask({ ...PASSED, principal: ANONYMOUS }, () => replied('one'));
    expect(await ask({ ...PASSED, principal: ANONYMOUS }, () => replied('two'))).toBe('201 two');
    expect(asked).toHaveLength(2);
  });
});

describe('what is kept of a request', () => {
  it.each<ErrorCode>(['BAD_USER_INPUT', 'NOT_FOUND', 'CONFLICT', 'VERSION_MISMATCH', 'PRECONDITION_FAILED'])(
    'given the graph decided %s, when sent again, then the answer is the same and nobody is asked',
    async (code) => {
      for (const request of [PASSED, UNPASSED]) {
        const { ask, asked } = open();
        expect(await ask(request, () => refused(code))).toBe(code);
        expect(await ask(request, () => replied('one'))).toBe(`${code} again`);
        expect(asked).toHaveLength(1);
      }
    },
  );

  it.each<ErrorCode>(['FORBIDDEN', 'UNAUTHENTICATED', 'RATE_LIMITED', 'IDEMPOTENCY_KEY_REUSED'])(
    'given the graph answered %s and did nothing, when sent again, then it is tried again',
    async (code) => {
      const { ask, asked } = open();
      expect(await ask(UNPASSED, () => refused(code))).toBe(code);
      expect(await ask(UNPASSED, () => replied('one'))).toBe('201 one');
      expect(asked).toHaveLength(2);
    },
  );

  it('given a condition of the request did not hold, when sent again with another one, then it is tried again, unless something was done', async () => {
    for (const request of [PASSED, UNPASSED]) {
      const { ask, asked } = open();
      const failed = (mayHaveEffect: boolean): Attempted => {
        const { conclusion, outcome } = refused('VERSION_MISMATCH', mayHaveEffect);
        return { conclusion, outcome: { ...outcome, isByCondition: true } };
      };
      expect(await ask(request, () => failed(false))).toBe('VERSION_MISMATCH');
      expect(await ask(request, () => failed(true))).toBe('VERSION_MISMATCH');
      expect(await ask(request, () => replied('one'))).toBe('VERSION_MISMATCH again');
      expect(asked).toHaveLength(2);
    }
  });

  it.each<ErrorCode>(['BAD_USER_INPUT', 'RATE_LIMITED', 'COST_LIMIT_EXCEEDED', 'MAINTENANCE', 'NO_SUPERGRAPH', 'OVERLOADED'])(
    'given it was turned away with %s before it ran, when sent again, then it is tried again',
    async (code) => {
      const { ask } = open();
      expect(await ask(UNPASSED, fail(code))).toBe(code);
      expect(await ask(UNPASSED, () => replied('one'))).toBe('201 one');
    },
  );

  it.each<[string, () => Attempted]>([
    ['the graph failed', () => refused('SUBGRAPH_UNAVAILABLE')],
    ['a part below failed after the effect', () => refused('FORBIDDEN', true)],
    ['it took too long', fail('GATEWAY_TIMEOUT')],
    ['the gateway failed', fail('INTERNAL_SERVER_ERROR')],
  ])('given %s, when sent again, then it is tried again only where the key goes down', async (_what, make) => {
    const passed = open();
    await passed.ask(PASSED, make);
    expect(await passed.ask(PASSED, () => replied('one'))).toBe('201 one');
    const unpassed = open();
    const first = await unpassed.ask(UNPASSED, make);
    expect(first).not.toBe('OUTCOME_UNKNOWN');
    expect(await unpassed.ask(UNPASSED, () => replied('one'))).toBe('OUTCOME_UNKNOWN again');
    expect(unpassed.asked).toHaveLength(1);
  });

  it('given it is certain that nobody was asked, when sent again, then it is tried again', async () => {
    const { once, ask } = open();
    const failed = once(UNPASSED, async ({ noteUnsent }) => {
      noteUnsent();
      return refused('SUBGRAPH_UNAVAILABLE');
    });
    await expect(failed).rejects.toMatchObject({ code: 'SUBGRAPH_UNAVAILABLE' });
    expect(await ask(UNPASSED, () => replied('one'))).toBe('201 one');
  });

  it('given an answer that is too large, when sent again, then it is made again where that is safe, else told by its status', async () => {
    const large = 'x'.repeat(1_001);
    const passed = open();
    await passed.ask(PASSED, () => replied(large));
    expect(await passed.ask(PASSED, () => replied('as it is now'))).toBe('201 as it is now again');
    const unpassed = open();
    await unpassed.ask(UNPASSED, () => replied(large));
    expect(await unpassed.ask(UNPASSED, () => replied('twice'))).toBe('201 nothing again');
    expect(unpassed.asked).toHaveLength(1);
  });

  describe('with an answer that nobody may keep', () => {
    /** A store, and all that it was ever given. */
    function recording() {
      const given: string[] = [];
      const clock = { now: () => 1_000, monotonic: () => 1_000 };
      const memory = createMemoryIdempotencyStore({ ...LIMITS, maxKeys: 3, maxEntries: 100, maxBytes: 1_000_000, clock });
      const store: IdempotencyStore = {
        ...memory,
        complete(claim, record) {
          given.push(JSON.stringify(claim), record);
          return memory.complete(claim, record);
        },
      };
      return { given, store };
    }

    it.each([
      ['goes down, then it is made again', PASSED, '201 a secret again', 2],
      ['does not go down, then its status is told and nothing is done twice', UNPASSED, '201 nothing again', 1],
    ])('given the key %s, when sent again, and the secret is nowhere', async (_what, request, heard, times) => {
      const { given, store } = recording();
      const { ask, asked } = open({ store });
      const secret: KeyedRequest = { ...request, isNeverStored: true };
      expect(await ask(secret, () => replied('a secret'))).toBe('201 a secret');
      expect(await ask(secret, () => replied('a secret'))).toBe(heard);
      expect(asked).toHaveLength(times);
      expect(given).toHaveLength(2);
      expect(given.join()).not.toContain('a secret');
      expect(await ask({ ...secret, parts: ['POST', '/payments', { amount: 2 }] }, () => replied('two'))).toBe('IDEMPOTENCY_KEY_REUSED');
    });

    it('given the graph decided against it, when sent again, then that is told again', async () => {
      const { ask, asked } = open();
      const secret: KeyedRequest = { ...PASSED, isNeverStored: true };
      for (const heard of ['NOT_FOUND', 'NOT_FOUND again']) expect(await ask(secret, () => refused('NOT_FOUND'))).toBe(heard);
      expect(asked).toHaveLength(1);
    });
  });
});

describe('a request whose gateway was not heard of again', () => {
  /** An attempt that never ends. */
  async function abandon({ once, pass }: ReturnType<typeof open>, request: KeyedRequest): Promise<void> {
    void once(request, () => new Promise(() => {}));
    await Promise.resolve();
    pass(20_001);
  }

  it('given the key does not go down, when sent again, then nobody can tell what came of it, and it is not tried again', async () => {
    const opened = open();
    await abandon(opened, UNPASSED);
    expect(await opened.ask(UNPASSED, () => replied('one'))).toBe('OUTCOME_UNKNOWN');
    expect(await opened.ask(UNPASSED, () => replied('one'))).toBe('OUTCOME_UNKNOWN again');
    expect(opened.asked).toHaveLength(0);
  });

  it('given the key goes down, when sent again, then it is tried again', async () => {
    const opened = open();
    await abandon(opened, PASSED);
    expect(await opened.ask(PASSED, () => replied('one'))).toBe('201 one');
    expect(await opened.ask(PASSED, () => replied('two'))).toBe('201 one again');
  });
});

describe('where nobody can tell what is known of keys', () => {
  it('given the key does not go down, when sent, then it is refused and nothing is done', async () => {
    const { ask, asked } = open({ store: UNAVAILABLE });
    expect(await ask(UNPASSED, () => replied('one'))).toBe('IDEMPOTENCY_UNAVAILABLE');
    expect(asked).toHaveLength(0);
  });

  it('given the key goes down, when sent, then the graph decides', async () => {
    const { ask } = open({ store: UNAVAILABLE });
    expect(await ask(PASSED, () => replied('one'))).toBe('201 one');
  });
});
