import type { Hooks } from '../hooks.ts';

/** Key of the members in the state of a request. */
const PASSED = Symbol('extensions of subgraphs');

/**
 * Creates the hooks of `responses.extensions`, which pass the listed members of `extensions` on to clients. A response that caches may
 * share gets none.
 *
 * @param namesOf names of the members; called for each response, because the list can be reloaded
 */
export function passExtensions(namesOf: () => readonly string[]): Hooks {
  return {
    onSubgraphResponse({ request, extensions }) {
      if (request === undefined) return;
      for (const name of namesOf()) {
        if (!Object.hasOwn(extensions, name)) continue;
        const passed = request.state.get(PASSED) as Record<string, unknown> | undefined;
        request.state.set(PASSED, { ...passed, [name]: extensions[name] });
      }
    },
    onResponse({ request, isCacheable, isRejected }) {
      const passed = request.state.get(PASSED) as Record<string, unknown> | undefined;
      return passed === undefined || isCacheable || isRejected ? undefined : { extensions: passed };
    },
  };
}
