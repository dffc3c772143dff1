import { systemClock } from '../platform/clock.ts';
import type { DeadlineWatcher, Pending } from '../platform/deadline-watcher.ts';
import { GatewayError, INTERNAL_ERROR_MESSAGE, isErrorCode } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';
import type { MaybePromise } from '../platform/maybe-promise.ts';

/** A hook of one module. */
export interface NamedHook<Context, Changes> {
  /** Name for the log, such as `hooks.modules.0.onRequest`. */
  readonly name: string;
  readonly call: (context: Context) => MaybePromise<Changes | undefined | void>;
}

/**
 * Runs the hooks of all modules, one after another. `apply` receives the changes of each hook before the next one runs.
 *
 * @returns a promise only when a hook returned one
 * @throws GatewayError that a hook threw, `INTERNAL_SERVER_ERROR` for any other error, `GATEWAY_TIMEOUT` when a hook was too slow
 */
export type RunHooks<Context, Changes> = (context: Context, apply: (changes: Changes) => void) => MaybePromise<void>;

export interface HookRunnerOptions {
  /** Deadline of each asynchronous hook. @unit milliseconds */
  readonly timeoutMs: number;
  readonly pending: DeadlineWatcher;
  readonly logger: Logger;
}

const NEVER = new AbortController().signal;

/** Creates the function that combines hooks of one name. */
export function createHookRunner({ timeoutMs, pending, logger }: HookRunnerOptions) {
  /** Converts an error of a hook. A GatewayError is meant for the client. */
  function toHookError(error: unknown, name: string): GatewayError {
    if (error instanceof GatewayError) return error;
    const foreign = readForeignError(error);
    if (foreign !== undefined) return foreign;
    logger.error({ err: error, hook: name }, 'A hook threw an error. The client receives INTERNAL_SERVER_ERROR.');
    return new GatewayError('INTERNAL_SERVER_ERROR', INTERNAL_ERROR_MESSAGE, { cause: error });
  }

  function withHookDeadline<T>(running: PromiseLike<T>, name: string): Promise<T> {
    return new Promise((resolve, reject) => {
      const watched: Pending = {
        dueAt: systemClock.monotonic() + timeoutMs,
        signal: NEVER,
        index: undefined,
        abort() {},
        expire() {
          logger.error({ hook: name, timeoutMs }, 'A hook did not finish before its deadline. The setting hooks.timeoutMs decides.');
          reject(new GatewayError('GATEWAY_TIMEOUT', 'The operation exceeded its time limit.', { setting: 'hooks.timeoutMs' }));
        },
      };
      pending.watch(watched);
      const settle = (use: () => void): void => {
        pending.release(watched);
        use();
      };
      running.then(
        (value) => settle(() => resolve(value)),
        (error: unknown) => settle(() => reject(toHookError(error, name))),
      );
    });
  }

  return <Context, Changes>(hooks: readonly NamedHook<Context, Changes>[]): RunHooks<Context, Changes> => {
    function applyOf({ name }: NamedHook<Context, Changes>, changes: Changes | undefined | void, apply: (changes: Changes) => void): void {
      if (changes === undefined || changes === null) return;
      try {
        apply(changes);
      } catch (error) {
        throw toHookError(error, name);
      }
    }

    function runFrom(first: number, context: Context, apply: (changes: Changes) => void): MaybePromise<void> {
      for (let index = first; index < hooks.length; index += 1) {
        const hook = hooks[index] as NamedHook<Context, Changes>;
        let returned: MaybePromise<Changes | undefined | void>;
        try {
          returned = hook.call(context);
        } catch (error) {
          throw toHookError(error, hook.name);
        }
        if (isThenable(returned)) {
          return withHookDeadline(returned, hook.name).then((changes) => {
            applyOf(hook, changes, apply);
            return runFrom(index + 1, context, apply);
          });
        }
        applyOf(hook, returned, apply);
      }
      return undefined;
    }

    return (context, apply) => runFrom(0, context, apply);
  };
}

function isThenable<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** Reads a GatewayError of another copy of this package, which the module of an application may have loaded. */
function readForeignError(error: unknown): GatewayError | undefined {
  if (!(error instanceof Error) || error.name !== 'GatewayError' || !('code' in error) || !isErrorCode(error.code)) return undefined;
  const status = 'status' in error && typeof error.status === 'number' ? { status: error.status } : {};
  const headers =
    'headers' in error && typeof error.headers === 'object' ? { headers: error.headers as Readonly<Record<string, string>> } : {};
  return new GatewayError(error.code, error.message, { cause: error, ...status, ...headers });
}
