import { describe, expect, it } from '@jest/globals';
import type { HookedRequest } from '../../../../gateway/hooks/hooked-request.ts';
import { GatewayError } from '../../../../gateway/platform/errors.ts';
import { silentLogger } from '../../../../gateway/platform/logger.ts';
import { hooksOf } from '../../../support/gateway/hooks-of.ts';
import { compileHooks } from '../../../../gateway/hooks/compile-hooks.ts';
import { createDeadlineWatcher } from '../../../../gateway/platform/deadline-watcher.ts';

const REQUEST = { headers: {} } as HookedRequest;

/** Runs `onRequest` of the modules. Returns the log and the changes. */
async function run(...modules: readonly object[]) {
  const lines: (readonly unknown[])[] = [];
  const logger = { ...silentLogger, error: (...line: readonly unknown[]) => void lines.push(line) };
  const { onRequest } = compileHooks(
    modules.map((hooks, index) => ({ name: `hooks[${index}]`, hooks })),
    { timeoutMs: 30, pending: createDeadlineWatcher(), logger },
  );
  const changes: unknown[] = [];
  const error: unknown = await (async () => onRequest?.(REQUEST, (change) => void changes.push(change)))().catch(
    (thrown: unknown) => thrown,
  );
  return { lines, changes, error };
}

describe('modules with mistakes', () => {
  it.each<[string, unknown, string]>([
    ['an unknown hook', { onReqest() {} }, 'hooks[0]: unknown hook "onReqest"\n    Did you mean onRequest?'],
    ['another name', { handle() {} }, 'hooks[0]: unknown hook "handle"\n    Known hooks: onRequest, onOperation, onPlan'],
    ['a hook that is not a function', { onEvent: true }, 'hooks[0]: onEvent must be a function, got a value of the type boolean'],
    ['a list', [], 'hooks[0]: expected an object with hooks, got a list'],
    ['nothing', null, 'hooks[0]: expected an object with hooks, got null'],
  ])('are rejected at the start with %s', (_what, hooks, message) => {
    const options = { timeoutMs: 1, pending: createDeadlineWatcher(), logger: silentLogger };
    expect(() => compileHooks([{ name: 'hooks[0]', hooks }], options)).toThrow(message);
  });
});

describe('a hook that throws', () => {
  it('a GatewayError reaches the client and is not logged', async () => {
    const rejection = new GatewayError('FORBIDDEN', 'not on Sundays');
    const { error, lines } = await run({ onRequest: () => Promise.reject(rejection) });
    expect([error, lines]).toEqual([rejection, []]);
  });

  it('a GatewayError of another copy of the package has the same code, status and message', async () => {
    const foreign = Object.assign(new Error('not on Sundays'), {
      name: 'GatewayError',
      code: 'FORBIDDEN',
      status: 451,
      headers: { a: 'b' },
    });
    const { error } = await run({ onRequest: () => Promise.reject(foreign) });
    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({ code: 'FORBIDDEN', message: 'not on Sundays', status: 451, headers: { a: 'b' } });
  });

  it.each<[string, () => unknown]>([
    ['an Error', () => Promise.reject(new TypeError('password of the database'))],
    [
      'an Error synchronously',
      () => {
        throw new RangeError('password of the database');
      },
    ],
  ])('%s is logged with the name of the hook, and its text does not reach the client', async (_what, onRequest) => {
    const { error, lines } = await run({}, { onRequest });
    expect(error).toMatchObject({ code: 'INTERNAL_SERVER_ERROR', message: expect.not.stringContaining('password') });
    expect(lines).toEqual([[expect.objectContaining({ hook: 'hooks[1].onRequest' }), expect.stringContaining('A hook threw an error')]]);
  });

  it('later hooks do not run', async () => {
    let runs = 0;
    await run({ onRequest: () => Promise.reject(new Error('no')) }, { onRequest: () => void (runs += 1) });
    expect(runs).toBe(0);
  });
});

describe('an asynchronous hook', () => {
  it('that exceeds the deadline fails with GATEWAY_TIMEOUT and is logged', async () => {
    const { error, lines } = await run({ onRequest: () => new Promise(() => {}) });
    expect(error).toMatchObject({ code: 'GATEWAY_TIMEOUT' });
    expect(lines).toEqual([[{ hook: 'hooks[0].onRequest', timeoutMs: 30 }, expect.stringContaining('hooks.timeoutMs')]]);
  });

  it('hooks of several modules run in order, and the changes of one are applied before the next', async () => {
    const order: string[] = [];
    const hook = (name: string) => async () => {
      order.push(`begin ${name}`);
      await Promise.resolve();
      order.push(`end ${name}`);
      return { headers: { name } };
    };
    const { changes } = await run({ onRequest: hook('a') }, { onRequest: () => ({ headers: { name: 'b' } }) }, { onRequest: hook('c') });
    expect(order).toEqual(['begin a', 'end a', 'begin c', 'end c']);
    expect(changes).toEqual([{ headers: { name: 'a' } }, { headers: { name: 'b' } }, { headers: { name: 'c' } }]);
  });
});

it('hooks that no module has are absent', () => {
  expect(Object.keys(hooksOf([{ onEvent() {} }, { onPlan: undefined }]))).toEqual(['onEvent']);
});
