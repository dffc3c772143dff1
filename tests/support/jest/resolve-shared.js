const globals = new URL('jest-globals.js', import.meta.url).href;
const reusedThreads = new URL('../planning/start-reused-thread.ts', import.meta.url).href;

/** Resolve hook of Node: replaces the package `@jest/globals` and the planner threads by modules that test files share. */
export function resolve(specifier, context, nextResolve) {
  // The package can be imported only in Jest's own runtime.
  if (specifier === '@jest/globals') return { url: globals, format: 'module', shortCircuit: true };
  if (specifier === './start-thread.ts' && context.parentURL?.endsWith('/gateway/planning/worker/create-planner-host.ts')) {
    return nextResolve(reusedThreads, context);
  }
  return nextResolve(specifier, context);
}
