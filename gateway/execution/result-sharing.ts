import type { FetchNode } from '@apollo/query-planner';
import type { FetchSelection } from './fetch-selection.ts';
import type { FlattenPath } from './flatten-path.ts';

/** A fetch of the plan, as far as others depend on it. */
export interface PlannedFetch {
  readonly node: FetchNode;
  readonly path: FlattenPath;
  readonly selection: FetchSelection;
}

/**
 * Tells whether the objects and lists inside an entity's answer may be put into several places of the response at once
 * instead of being copied. They may where nothing else is merged into the same fields: fetches further inside do the
 * same at each place, because they see the same object.
 */
export function canShareResults(fetch: PlannedFetch, all: readonly PlannedFetch[]): boolean {
  // With conditions on types in a path, a fetch further inside would fill some of the places and not the others.
  if (all.some(({ path }) => path.some(({ kind }) => kind === 'type'))) return false;
  // Arguments from the context make the same fields differ from place to place.
  if (all.some(({ node }) => node.contextRewrites !== undefined)) return false;
  const keys = new Set(fetch.selection.keys);
  return all.every((other) => {
    if (other === fetch || !isPrefix(other.path, fetch.path)) return true;
    const between = fetch.path.slice(other.path.length).flatMap((step) => (step.kind === 'field' ? [step.key.name] : []));
    return !other.selection.keysAt(between).some((key) => keys.has(key) && key !== '__typename');
  });
}

/** Tells whether a path may lead to one object in several places: when it goes through what an entity fetch has shared. */
export function mayMeetTwice(path: FlattenPath, shared: readonly PlannedFetch[]): boolean {
  return shared.some((fetch) => fetch.path.length < path.length && isPrefix(fetch.path, path));
}

function isPrefix(short: FlattenPath, long: FlattenPath): boolean {
  return short.length <= long.length && short.every((step, index) => isSameStep(step, long[index]));
}

function isSameStep(one: FlattenPath[number], other: FlattenPath[number] | undefined): boolean {
  return one.kind === other?.kind && (one.kind !== 'field' || (other.kind === 'field' && one.key.name === other.key.name));
}
