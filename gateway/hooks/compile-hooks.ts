import { type ConfigurationProblem, ConfigurationInvalid } from '../config/configuration-invalid.ts';
import { nearestKey } from '../platform/nearest-key.ts';
import { HOOK_NAMES, type HookName, type Hooks } from './hooks.ts';
import { createHookRunner, type HookRunnerOptions, type NamedHook, type RunHooks } from './run-hooks.ts';

/** Hooks of one module, with the name that messages use. */
export interface HookModule {
  /** Path of the setting, or of the option of `createGateway`. */
  readonly name: string;
  readonly hooks: unknown;
}

type ContextOf<Name extends HookName> = Parameters<NonNullable<Hooks[Name]>>[0];
type ChangesOf<Name extends HookName> = Exclude<Awaited<ReturnType<NonNullable<Hooks[Name]>>>, undefined | void>;

/** The hooks of all modules. A hook that no module has is absent, so that the gateway is composed without it. */
export type CompiledHooks = { readonly [Name in HookName]?: RunHooks<ContextOf<Name>, ChangesOf<Name>> };

/**
 * Checks modules with hooks, and makes one function of all hooks of the same name.
 *
 * @throws ConfigurationInvalid that names each unknown hook and each hook that is not a function
 */
export function compileHooks(modules: readonly HookModule[], options: HookRunnerOptions): CompiledHooks {
  const problems = modules.flatMap(problemsOf);
  if (problems.length > 0) throw new ConfigurationInvalid(problems);
  const run = createHookRunner(options);
  const compiled = HOOK_NAMES.flatMap((name) => {
    const hooks = modules.flatMap((module) => hookOf(module, name));
    return hooks.length === 0 ? [] : [[name, run(hooks)] as const];
  });
  return Object.fromEntries(compiled);
}

function problemsOf({ name, hooks }: HookModule): readonly ConfigurationProblem[] {
  if (!isModule(hooks)) return [{ path: name, message: `expected an object with hooks, got ${kindOf(hooks)}` }];
  return Object.entries(hooks).flatMap(([key, hook]) => {
    if (!isHookName(key)) {
      const near = nearestKey(key, HOOK_NAMES);
      const hint = near === undefined ? `Known hooks: ${HOOK_NAMES.join(', ')}.` : `Did you mean ${near}?`;
      return [{ path: name, message: `unknown hook "${key}"`, hint }];
    }
    if (hook === undefined || typeof hook === 'function') return [];
    return [{ path: name, message: `${key} must be a function, got ${kindOf(hook)}` }];
  });
}

function hookOf({ name, hooks }: HookModule, hookName: HookName): readonly NamedHook<never, never>[] {
  const hook = isModule(hooks) ? hooks[hookName] : undefined;
  if (typeof hook !== 'function') return [];
  return [{ name: `${name}.${hookName}`, call: (context) => Reflect.apply(hook, hooks, [context]) as never }];
}

function isModule(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isHookName(key: string): key is HookName {
  return HOOK_NAMES.some((name) => name === key);
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  return Array.isArray(value) ? 'a list' : `a value of the type ${typeof value}`;
}
