import type { Hooks } from '../hooks.ts';

/** Members that one request has received, of the names at its beginning. */
interface Passed {
  readonly names: readonly string[];
  readonly members: Record<string, unknown>;
}

/** Key of the members in the state of a request. */
const PASSED = Symbol('extensions of subgraphs');

/**
 * Creates the hooks of `responses.extensions`, which pass the listed members of `extensions` on to clients. A response that caches may
 * share gets none.
 *
 * @param namesOf names of the members; called for each request, because the list can be reloaded
 */
export function passExtensions(namesOf: () => readonly string[]): Hooks {
  return {
    onRequest({ state }) {
      state.set(PASSED, { names: namesOf(), members: {} } satisfies Passed);
    },
    onSubgraphResponse({ request, extensions }) {
      const passed = request?.state.get(PASSED) as Passed | undefined;
      if (passed === undefined) return;
      for (const name of passed.names) if (Object.hasOwn(extensions, name)) passed.members[name] = extensions[name];
    },
    onResponse({ request, isCacheable, isRejected }) {
      const { members = {} } = (request.state.get(PASSED) as Passed | undefined) ?? {};
      return isCacheable || isRejected || Object.keys(members).length === 0 ? undefined : { extensions: members };
    },
  };
}
