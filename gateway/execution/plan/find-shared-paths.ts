import type { DataKey } from '../data/own-properties.ts';
import type { ResponseDraft } from './response-drafts.ts';
import type { MergeField, PathStep } from './compiled-plan.ts';

/** A path inside a subgraph result at which equal objects can become one. */
export interface SharedPathDraft {
  /** Number of the group. Paths with the same number share their objects. */
  readonly index: number;
  readonly draft: ResponseDraft;
  /** Path from the root of the tree. */
  readonly path: readonly PathStep[];
  /** Steps from the object that the result belongs to. */
  readonly steps: readonly PathStep[];
  readonly leaves: readonly DataKey[];
}

/** Results of the sharing analysis of a plan. */
export interface Sharing {
  readonly paths: readonly SharedPathDraft[];
  /** Whether objects inside an entity of this result can be referenced from several positions of the tree at once. */
  isShareable(draft: ResponseDraft): boolean;
}

interface Lookup {
  readonly draft: ResponseDraft;
  /** One of the target paths of the result. */
  readonly path: readonly PathStep[];
}

/**
 * Finds the paths at which an object is identified by its key alone when it arrives. All fields that the result has of it are part of its
 * representations, and no other result has any of these fields. Later merges then depend only on the key, so equal objects can be one
 * object. That object is looked up, merged and printed once for all its positions.
 */
export function findSharedPaths(drafts: readonly ResponseDraft[]): Sharing {
  const lookups = drafts.flatMap((draft) => draft.paths.map((path) => ({ draft, path })));
  const shareable = new Map(drafts.map((draft) => [draft, canBeShared(draft, lookups)]));
  const isShareable = (draft: ResponseDraft): boolean => shareable.get(draft) === true;
  const numbers = new Map<string, number>();
  const paths = new Map<string, SharedPathDraft>();
  for (const { path } of lookups) {
    const identity = keysOf(path);
    if (path.length === 0 || paths.has(identity)) continue;
    const found = findPath(path, lookups, isShareable);
    if (found === undefined) continue;
    const number = numbers.get(found.identity) ?? numbers.size;
    numbers.set(found.identity, number);
    paths.set(identity, { ...found.path, index: number });
  }
  // A result for the objects of several paths does not distinguish them. Either all of these paths share their objects or none does.
  const isComplete = ({ draft, steps, index: path }: SharedPathDraft): boolean =>
    draft.paths.every((origin) => paths.get(keysOf([...origin, ...steps]))?.index === path);
  return { paths: [...paths.values()].filter(isComplete), isShareable };
}

/** Joins the data keys of a path into one string. */
function keysOf(path: readonly PathStep[]): string {
  return path.map(({ key }) => key.name).join('/');
}

/** Whether `inner` starts with all data keys of `outer`. */
export function leadsThrough(inner: readonly PathStep[], outer: readonly PathStep[]): boolean {
  return outer.length <= inner.length && outer.every(({ key }, index) => key.name === inner[index]?.key.name);
}

function findPath(
  path: readonly PathStep[],
  lookups: readonly Lookup[],
  isShareable: (draft: ResponseDraft) => boolean,
): { readonly identity: string; readonly path: Omit<SharedPathDraft, 'index'> } | undefined {
  const origins = lookups.filter((lookup) => lookup.path.length < path.length && saidOf(lookup, path) !== undefined);
  const [origin, ...others] = origins;
  if (origin === undefined || others.length > 0) return undefined;
  const fields = saidOf(origin, path) ?? [];
  const through = lookups.filter(({ path: pathSteps }) => leadsThrough(pathSteps, path));
  const here = through.filter(({ path: pathSteps }) => pathSteps.length === path.length);
  const represented = new Set(here.flatMap(({ draft }) => draft.representations.flatMap((plan) => plan.fields.map(({ key }) => key))));
  const leaves = fields.flatMap(({ key }) => (key.name === '__typename' ? [] : [key]));
  if (leaves.length === 0 || fields.some((field) => field.fields !== undefined) || !leaves.every(({ name }) => represented.has(name))) {
    return undefined;
  }
  if (through.some(({ draft }) => draft.contextArguments !== undefined) || !haveSameTypes(path, [...through, origin])) return undefined;
  if (origin.path.length > 0 && !isShareable(origin.draft)) return undefined;
  if (!saysTypes(origin, path, lookups)) return undefined;
  // The lookups at this path and beneath it. Objects of two paths can only be shared when these are identical.
  const requested = through.map(({ draft, path: pathSteps }) => {
    const [own, ...further] = pathSteps.slice(path.length - 1);
    return [draft.id, own && nameTypes(own), further.map(nameStep)];
  });
  const identity = JSON.stringify([origin.draft.fetch, leaves, requested]);
  return { identity, path: { draft: origin.draft, path, steps: path.slice(origin.path.length), leaves } };
}

/** Returns the fields that a result at one path has of the objects at another path. */
function saidOf({ draft, path: pathSteps }: Lookup, path: readonly PathStep[]): readonly MergeField[] | undefined {
  if (!leadsThrough(path, pathSteps)) return undefined;
  let fields: readonly MergeField[] | undefined = draft.fields;
  for (const { key } of path.slice(pathSteps.length)) fields = fields?.find((field) => field.key.name === key.name)?.fields;
  return fields;
}

/** Whether `__typename` values that the path depends on arrive with the origin and are not changed by other fetches. */
function saysTypes(origin: Lookup, path: readonly PathStep[], lookups: readonly Lookup[]): boolean {
  return path.slice(0, -1).every(({ types }, index) => {
    if (types === undefined || index < origin.path.length) return true;
    const parentPath = path.slice(0, index + 1);
    const typenameLookups = lookups.filter((lookup) => saidOf(lookup, parentPath)?.some(({ key }) => key.name === '__typename'));
    return typenameLookups.length === 1 && typenameLookups[0] === origin;
  });
}

/** Inner objects can be shared when no other fetch merges into them and all target paths are handled alike. */
function canBeShared(draft: ResponseDraft, lookups: readonly Lookup[]): boolean {
  const inner = draft.fields.filter(({ fields }) => fields !== undefined);
  return draft.paths.every((path) => {
    const through = lookups.filter(({ path: pathSteps }) => leadsThrough(pathSteps, path));
    if (through.some((lookup) => lookup.draft.contextArguments !== undefined) || !haveSameTypes(path, through)) return false;
    return lookups.every((lookup) => {
      if (lookup.path === path) return true;
      const known = saidOf(lookup, path) ?? [];
      return !inner.some(({ key }) => known.some((field) => field.key.name === key.name));
    });
  });
}

/** Whether all lookups require the same types along a path. The types that they require of the objects at its end can differ. */
function haveSameTypes(path: readonly PathStep[], lookups: readonly Lookup[]): boolean {
  return lookups.every(({ path: pathSteps }) =>
    path.slice(0, -1).every((step, index) => {
      const other = pathSteps[index];
      return other === undefined || nameStep(step) === nameStep(other);
    }),
  );
}

function nameStep(step: PathStep): string {
  return `${step.key.name}|${nameTypes(step)}`;
}

function nameTypes({ types }: PathStep): string {
  return types === undefined ? '' : [...types].sort().join();
}
