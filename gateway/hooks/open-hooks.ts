import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigurationInvalid } from '../config/configuration-invalid.ts';
import type { HooksSection } from '../config/sections/hooks.ts';
import { createDeadlineWatcher } from '../platform/deadline-watcher.ts';
import type { Logger } from '../platform/logger.ts';
import { type CompiledHooks, compileHooks, type HookModule } from './compile-hooks.ts';
import type { Hooks } from './hooks.ts';

export interface OpenHooksOptions {
  /** Hooks of features of the gateway, which run first. */
  readonly builtIn: readonly Hooks[];
  /** Hooks of the embedding application, which run last. */
  readonly embedded: Hooks | readonly Hooks[] | undefined;
  readonly logger: Logger;
}

/** Hooks of all modules, which hold resources until they are disposed of. */
export interface OpenedHooks extends Disposable {
  readonly compiled: CompiledHooks;
}

/**
 * Loads the modules of the section `hooks`, and combines their hooks with those of the gateway and of the application.
 *
 * @throws ConfigurationInvalid when a module cannot be loaded, or contains anything except hooks
 */
export async function openHooks(
  { modules, timeoutMs }: HooksSection,
  { builtIn, embedded, logger }: OpenHooksOptions,
): Promise<OpenedHooks> {
  const loaded: HookModule[] = [];
  for (const [index, file] of modules.entries()) loaded.push(await loadModule(file, `hooks.modules.${index}`));
  const all: readonly HookModule[] = [
    ...builtIn.map((hooks, index) => ({ name: `built-in.${index}`, hooks })),
    ...loaded,
    ...listOf(embedded).map((hooks, index) => ({ name: `hooks[${index}]`, hooks })),
  ];
  const pending = createDeadlineWatcher();
  return { compiled: compileHooks(all, { timeoutMs, pending, logger }), [Symbol.dispose]: () => pending[Symbol.dispose]() };
}

function listOf(embedded: OpenHooksOptions['embedded']): readonly unknown[] {
  if (embedded === undefined) return [];
  return Array.isArray(embedded) ? (embedded as readonly Hooks[]) : [embedded];
}

async function loadModule(file: string, name: string): Promise<HookModule> {
  let namespace: object;
  try {
    namespace = (await import(pathToFileURL(resolve(file)).href)) as object;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigurationInvalid([{ path: name, message: `the module ${file} cannot be loaded: ${reason}` }]);
  }
  if ('default' in namespace) return { name, hooks: namespace.default };
  const hint = 'Write `export default { onRequest(request) { … } }`.';
  throw new ConfigurationInvalid([{ path: name, message: `the module ${file} has no default export`, hint }]);
}
