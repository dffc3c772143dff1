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
  completion: { httpResponse: { status: 201, headers: { location: '/payments/1' }, body } },
  result: { errorCodes: [], mayHaveEffect: true, isConclusive: true },
});

const rejected = (code: ErrorCode, mayHaveEffect = false): Attempted => ({
  completion: { error: new GatewayError(code, 'No.', { details: [{ field: 'amount', message: 'No.' }] }) },
  result: { errorCodes: [code], mayHaveEffect, isConclusive: false },
});

/** Creates a graph that records its executions. */
function open({ store, maxResponseBytes = 1_000 }: { store?: IdempotencyStore; maxResponseBytes?: number } = {}) {
  let now = 1_000;
  const clock = { now: () => now, monotonic: () => now };
  const memory = createMemoryIdempotencyStore({ ...LIMITS, maxKeys: 3, maxEntries: 100, maxBytes: 1_000_000, clock });
  const { once } = createIdempotency({ store: store ?? memory, maxResponseBytes });
  const requested: string[] = [];
  return {
    requested,
    once,
    pass: (ms: number) => void (now += ms),
    /** Returns the response of a request as status and body, or its error code. */
    async request(request: KeyedRequest, make: () => Attempted | Promise<Attempted>): Promise<string> {
      try {
        const { httpResponse: response, isReplayed } = await once(request, async () => {
          requested.push(request.key);
          return make();
        });
        return `${response.status} ${response.body ?? 'nothing'}${isReplayed ? ' again' : ''}`;
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

describe('a request with an idempotency key', () => {
  it('is rejected without execution when the key belongs to another request', async () => {
    const { request, requested } = open();
    await request(PASSED, () => replied('one'));
    expect(await request({ ...PASSED, parts: ['POST', '/payments', { amount: 2 }] }, () => replied('two'))).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await request({ ...PASSED, parts: ['POST', '/orders', { amount: 1 }] }, () => replied('two'))).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(requested).toHaveLength(1);
  });

  it('is rejected with Retry-After while the first attempt is in progress', async () => {
    const { once, request, requested } = open();
    const first = request(PASSED, async () => {
      await expect(once(PASSED, async () => replied('twice'))).rejects.toMatchObject({
        code: 'IDEMPOTENCY_IN_PROGRESS',
        headers: { 'retry-after': '1' },
      });
      return replied('one');
    });
    expect(await first).toBe('201 one');
    expect(requested).toHaveLength(1);
  });

  it('is a bad request when it contains a lone surrogate', async () => {
    expect(await open().request({ ...PASSED, parts: ['\ud800'] }, () => replied('one'))).toBe('BAD_REQUEST');
  });

  it('is rejected when the caller has the maximum number of keys', async () => {
    const { request } = open();
    for (const key of ['one', 'two', 'three']) await request({ ...PASSED, key }, () => replied(key));
    expect(await request({ ...PASSED, key: 'four' }, () => replied('four'))).toBe('RATE_LIMITED');
    expect(await request({ ...PASSED, key: 'two' }, () => replied('twice'))).toBe('201 two again');
  });

  it('returns the first response when its members have another order', async () => {
    const { request, requested } = open();
    await request({ ...PASSED, parts: [{ amount: 1, currency: 'EUR' }] }, () => replied('one'));
    expect(await request({ ...PASSED, parts: [{ currency: 'EUR', amount: 1 }] }, () => replied('two'))).toBe('201 one again');
    expect(requested).toHaveLength(1);
  });

  it('is separate from that of another caller with the same key', async () => {
    const { request, requested } = open();
    await request(PASSED, () => replied('of ada'));
    expect(await request({ ...PASSED, principal: { ...ADA, id: 'bob' } }, () => replied('of bob'))).toBe('201 of bob');
    expect(await request({ ...PASSED, principal: { ...ADA, kind: 'service' } }, () => replied('of a service'))).toBe('201 of a service');
    expect(requested).toHaveLength(3);
  });

  it('is a new request after a day', async () => {
    const { request, requested, pass } = open();
    await request(PASSED, () => replied('one'));
    pass(86_400_001);
    expect(await request(PASSED, () => replied('two'))).toBe('201 two');
    expect(requested).toHaveLength(2);
  });
});

describe('replayed results', () => {
  /** Sends a request three times. Returns the number of earlier executions for each charge. */
  async function payments(request: KeyedRequest, make: () => Attempted): Promise<readonly number[]> {
    const { once, requested } = open();
    const paid: number[] = [];
    const query = () =>
      once(
        request,
        async () => {
          requested.push(request.key);
          return make();
        },
        () => void paid.push(requested.length),
      ).catch(() => undefined);
    for (let count = 0; count < 3; count += 1) await query();
    return paid;
  }

  it.each([
    ['a response', () => replied('one')],
    ['an error', () => rejected('NOT_FOUND')],
  ])('are charged when replayed, and not the first time, for %s', async (_what, make) => {
    expect(await payments(UNPASSED, make)).toEqual([1, 1]);
  });

  it('are not charged when the response is computed again', async () => {
    expect(await payments({ ...PASSED, isNeverStored: true }, () => replied('a secret'))).toEqual([]);
  });

  it('are withheld from a caller without points, also for errors', async () => {
    for (const make of [() => replied('one'), () => rejected('NOT_FOUND')]) {
      const { once, request } = open();
      await request(PASSED, make);
      await expect(once(PASSED, async () => make(), fail('RATE_LIMITED'))).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    }
  });
});

describe('a caller without credentials', () => {
  it('is rejected without execution when only the gateway checks the key', async () => {
    const { request, requested } = open();
    expect(await request({ ...UNPASSED, principal: ANONYMOUS }, () => replied('one'))).toBe('UNAUTHENTICATED');
    expect(requested).toHaveLength(0);
  });

  it('receives no stored response of another caller when the key is forwarded', async () => {
    const { request, requested } = open();
    await request({ ...PASSED, principal: ANONYMOUS }, () => replied('one'));
    expect(await request({ ...PASSED, principal: ANONYMOUS }, () => replied('two'))).toBe('201 two');
    expect(requested).toHaveLength(2);
  });
});

describe('a repeated request', () => {
  it.each<ErrorCode>(['BAD_USER_INPUT', 'NOT_FOUND', 'CONFLICT', 'VERSION_MISMATCH', 'PRECONDITION_FAILED'])(
    'returns %s of the graph again without execution',
    async (code) => {
      for (const request of [PASSED, UNPASSED]) {
        const { request: query, requested } = open();
        expect(await query(request, () => rejected(code))).toBe(code);
        expect(await query(request, () => replied('one'))).toBe(`${code} again`);
        expect(requested).toHaveLength(1);
      }
    },
  );

  it.each<ErrorCode>(['FORBIDDEN', 'UNAUTHENTICATED', 'RATE_LIMITED', 'IDEMPOTENCY_KEY_REUSED'])(
    'is executed again after %s of the graph without an effect',
    async (code) => {
      const { request, requested } = open();
      expect(await request(UNPASSED, () => rejected(code))).toBe(code);
      expect(await request(UNPASSED, () => replied('one'))).toBe('201 one');
      expect(requested).toHaveLength(2);
    },
  );

  it('is executed again after a failed condition, unless it had an effect', async () => {
    for (const request of [PASSED, UNPASSED]) {
      const { request: query, requested } = open();
      const failed = (mayHaveEffect: boolean): Attempted => {
        const { completion, result } = rejected('VERSION_MISMATCH', mayHaveEffect);
        return { completion, result: { ...result, isByCondition: true } };
      };
      expect(await query(request, () => failed(false))).toBe('VERSION_MISMATCH');
      expect(await query(request, () => failed(true))).toBe('VERSION_MISMATCH');
      expect(await query(request, () => replied('one'))).toBe('VERSION_MISMATCH again');
      expect(requested).toHaveLength(2);
    }
  });

  it.each<ErrorCode>(['BAD_USER_INPUT', 'RATE_LIMITED', 'COST_LIMIT_EXCEEDED', 'MAINTENANCE', 'NO_SUPERGRAPH', 'OVERLOADED'])(
    'is executed again after %s before execution',
    async (code) => {
      const { request } = open();
      expect(await request(UNPASSED, fail(code))).toBe(code);
      expect(await request(UNPASSED, () => replied('one'))).toBe('201 one');
    },
  );

  it.each<[string, () => Attempted]>([
    ['a failure of the graph', () => rejected('SUBGRAPH_UNAVAILABLE')],
    ['a nested error after the effect', () => rejected('FORBIDDEN', true)],
    ['a timeout', fail('GATEWAY_TIMEOUT')],
    ['an internal error', fail('INTERNAL_SERVER_ERROR')],
  ])('is executed again after %s only when the key is forwarded', async (_what, make) => {
    const passed = open();
    await passed.request(PASSED, make);
    expect(await passed.request(PASSED, () => replied('one'))).toBe('201 one');
    const unpassed = open();
    const first = await unpassed.request(UNPASSED, make);
    expect(first).not.toBe('OUTCOME_UNKNOWN');
    expect(await unpassed.request(UNPASSED, () => replied('one'))).toBe('OUTCOME_UNKNOWN again');
    expect(unpassed.requested).toHaveLength(1);
  });

  it('is executed again when certainly no subgraph received it', async () => {
    const { once, request } = open();
    const failed = once(UNPASSED, async ({ noteUnsent }) => {
      noteUnsent();
      return rejected('SUBGRAPH_UNAVAILABLE');
    });
    await expect(failed).rejects.toMatchObject({ code: 'SUBGRAPH_UNAVAILABLE' });
    expect(await request(UNPASSED, () => replied('one'))).toBe('201 one');
  });

  it('recomputes a response that is too large when safe, or else returns its status', async () => {
    const large = 'x'.repeat(1_001);
    const passed = open();
    await passed.request(PASSED, () => replied(large));
    expect(await passed.request(PASSED, () => replied('as it is now'))).toBe('201 as it is now again');
    const unpassed = open();
    await unpassed.request(UNPASSED, () => replied(large));
    expect(await unpassed.request(UNPASSED, () => replied('twice'))).toBe('201 nothing again');
    expect(unpassed.requested).toHaveLength(1);
  });

  describe('with a response that must not be stored', () => {
    /** Creates a store and a record of everything that is written to it. */
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
      ['recomputes the response when the key is forwarded', PASSED, '201 a secret again', 2],
      ['returns only the status when the key is not forwarded', UNPASSED, '201 nothing again', 1],
    ])('never stores the secret, and %s', async (_what, request, heard, times) => {
      const { given, store } = recording();
      const { request: query, requested } = open({ store });
      const secret: KeyedRequest = { ...request, isNeverStored: true };
      expect(await query(secret, () => replied('a secret'))).toBe('201 a secret');
      expect(await query(secret, () => replied('a secret'))).toBe(heard);
      expect(requested).toHaveLength(times);
      expect(given).toHaveLength(2);
      expect(given.join()).not.toContain('a secret');
      expect(await query({ ...secret, parts: ['POST', '/payments', { amount: 2 }] }, () => replied('two'))).toBe('IDEMPOTENCY_KEY_REUSED');
    });

    it('returns an error of the graph again', async () => {
      const { request, requested } = open();
      const secret: KeyedRequest = { ...PASSED, isNeverStored: true };
      for (const heard of ['NOT_FOUND', 'NOT_FOUND again']) expect(await request(secret, () => rejected('NOT_FOUND'))).toBe(heard);
      expect(requested).toHaveLength(1);
    });
  });
});

describe('a request whose gateway stopped during execution', () => {
  /** Starts an attempt that never ends. */
  async function abandon({ once, pass }: ReturnType<typeof open>, request: KeyedRequest): Promise<void> {
    void once(request, () => new Promise(() => {}));
    await Promise.resolve();
    pass(20_001);
  }

  it('has an unknown result and is not executed again when the key is not forwarded', async () => {
    const opened = open();
    await abandon(opened, UNPASSED);
    expect(await opened.request(UNPASSED, () => replied('one'))).toBe('OUTCOME_UNKNOWN');
    expect(await opened.request(UNPASSED, () => replied('one'))).toBe('OUTCOME_UNKNOWN again');
    expect(opened.requested).toHaveLength(0);
  });

  it('is executed again when the key is forwarded', async () => {
    const opened = open();
    await abandon(opened, PASSED);
    expect(await opened.request(PASSED, () => replied('one'))).toBe('201 one');
    expect(await opened.request(PASSED, () => replied('two'))).toBe('201 one again');
  });
});

describe('an unavailable store of idempotency keys', () => {
  it('rejects a request without execution when the key is not forwarded', async () => {
    const { request, requested } = open({ store: UNAVAILABLE });
    expect(await request(UNPASSED, () => replied('one'))).toBe('IDEMPOTENCY_UNAVAILABLE');
    expect(requested).toHaveLength(0);
  });

  it('leaves the decision to the graph when the key is forwarded', async () => {
    const { request } = open({ store: UNAVAILABLE });
    expect(await request(PASSED, () => replied('one'))).toBe('201 one');
  });
});
