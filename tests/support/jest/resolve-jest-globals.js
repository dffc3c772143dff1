const url = new URL('jest-globals.js', import.meta.url).href;

/** Resolve hook of Node: the package `@jest/globals` can be imported in Jest's own runtime only. */
export function resolve(specifier, context, nextResolve) {
  if (specifier === '@jest/globals') return { url, format: 'module', shortCircuit: true };
  return nextResolve(specifier, context);
}
