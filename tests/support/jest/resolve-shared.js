const globals = new URL('jest-globals.js', import.meta.url).href;
const reusedThreads = new URL('../planning/start-reused-thread.ts', import.meta.url).href;

/** Resolve hook of Node: what test files share, in place of the package `@jest/globals` and of the threads of planners. */
export function resolve(specifier, context, nextResolve) {
  // The package can be imported in Jest's own runtime only.
  if (specifier === '@jest/globals') return { url: globals, format: 'module', shortCircuit: true };
  if (specifier === './start-thread.ts' && context.parentURL?.endsWith('/gateway/planning/worker/create-planner-host.ts')) {
    return nextResolve(reusedThreads, context);
  }
  return nextResolve(specifier, context);
}
