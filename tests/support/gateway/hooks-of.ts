import { type CompiledHooks, compileHooks } from '../../../gateway/hooks/compile-hooks.ts';
import { createDeadlineWatcher } from '../../../gateway/platform/deadline-watcher.ts';
import { type Logger, silentLogger } from '../../../gateway/platform/logger.ts';

/** Compiles hooks for a test, with a deadline of one second. */
export function hooksOf(hooks: object | readonly object[], logger: Logger = silentLogger): CompiledHooks {
  const modules = [hooks].flat().map((one, index) => ({ name: `hooks[${index}]`, hooks: one }));
  return compileHooks(modules, { timeoutMs: 1_000, pending: createDeadlineWatcher(), logger });
}
