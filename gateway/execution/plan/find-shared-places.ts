import type { DataKey } from '../data/own-properties.ts';
import type { AnswerDraft } from './response-drafts.ts';
import type { MergeField, PathStep } from './compiled-plan.ts';

/** A path inside a subgraph result at which equal objects can become one. */
export interface FoundPlace {
  /** Number of the group. Paths with the same number share their objects. */
  readonly place: number;
  readonly answer: AnswerDraft;
  /** Path from the root of the tree. */
  readonly path: readonly PathStep[];
  /** Steps from the object that the result belongs to. */
  readonly steps: readonly PathStep[];
  readonly leaves: readonly DataKey[];
}

/** Results of the sharing analysis of a plan. */
export interface Sharing {
  readonly places: readonly FoundPlace[];
  /** Whether objects inside an entity of this result can be referenced from several positions of the tree at once. */
  isShareable(answer: AnswerDraft): boolean;
}

interface Lookup {
  readonly answer: AnswerDraft;
  /** One of the target paths of the result. */
  readonly place: readonly PathStep[];
}

/**
 * Finds the paths at which an object is identified by its key alone when it arrives. All fields that the result has of it are part of its
 * representations, and no other result has any of these fields. Later merges then depend only on the key, so equal objects can be one
 * object. That object is looked up, merged and printed once for all its positions.
 */
export function findSharedPlaces(answers: readonly AnswerDraft[]): Sharing {
  const lookups = answers.flatMap((answer) => answer.places.map((place) => ({ answer, place })));
  const shareable = new Map(answers.map((answer) => [answer, canBeShared(answer, lookups)]));
  const isShareable = (answer: AnswerDraft): boolean => shareable.get(answer) === true;
  const numbers = new Map<string, number>();
  const places = new Map<string, FoundPlace>();
  for (const { place } of lookups) {
    const identity = keysOf(place);
    if (place.length === 0 || places.has(identity)) continue;
    const found = findPlace(place, lookups, isShareable);
    if (found === undefined) continue;
    const number = numbers.get(found.identity) ?? numbers.size;
    numbers.set(found.identity, number);
    places.set(identity, { ...found.place, place: number });
  }
  // A result for the objects of several paths does not distinguish them. Either all of these paths share their objects or none does.
  const isComplete = ({ answer, steps, place }: FoundPlace): boolean =>
    answer.places.every((origin) => places.get(keysOf([...origin, ...steps]))?.place === place);
  return { places: [...places.values()].filter(isComplete), isShareable };
}

/** Joins the data keys of a path into one string. */
function keysOf(path: readonly PathStep[]): string {
  return path.map(({ key }) => key.name).join('/');
}

/** Whether `inner` starts with all data keys of `outer`. */
export function leadsThrough(inner: readonly PathStep[], outer: readonly PathStep[]): boolean {
  return outer.length <= inner.length && outer.every(({ key }, index) => key.name === inner[index]?.key.name);
}

function findPlace(
  path: readonly PathStep[],
  lookups: readonly Lookup[],
  isShareable: (answer: AnswerDraft) => boolean,
): { readonly identity: string; readonly place: Omit<FoundPlace, 'place'> } | undefined {
  const origins = lookups.filter((lookup) => lookup.place.length < path.length && saidOf(lookup, path) !== undefined);
  const [origin, ...others] = origins;
  if (origin === undefined || others.length > 0) return undefined;
  const fields = saidOf(origin, path) ?? [];
  const through = lookups.filter(({ place }) => leadsThrough(place, path));
  const here = through.filter(({ place }) => place.length === path.length);
  const represented = new Set(here.flatMap(({ answer }) => answer.representations.flatMap((plan) => plan.fields.map(({ key }) => key))));
  const leaves = fields.flatMap(({ key }) => (key.name === '__typename' ? [] : [key]));
  if (leaves.length === 0 || fields.some((field) => field.fields !== undefined) || !leaves.every(({ name }) => represented.has(name))) {
    return undefined;
  }
  if (through.some(({ answer }) => answer.contextArguments !== undefined) || !haveSameTypes(path, [...through, origin])) return undefined;
  if (origin.place.length > 0 && !isShareable(origin.answer)) return undefined;
  if (!saysTypes(origin, path, lookups)) return undefined;
  // The lookups at this path and beneath it. Objects of two paths can only be shared when these are identical.
  const asked = through.map(({ answer, place }) => {
    const [own, ...further] = place.slice(path.length - 1);
    return [answer.id, own && nameTypes(own), further.map(nameStep)];
  });
  const identity = JSON.stringify([origin.answer.fetch, leaves, asked]);
  return { identity, place: { answer: origin.answer, path, steps: path.slice(origin.place.length), leaves } };
}

/** Returns the fields that a result at one path has of the objects at another path. */
function saidOf({ answer, place }: Lookup, path: readonly PathStep[]): readonly MergeField[] | undefined {
  if (!leadsThrough(path, place)) return undefined;
  let fields: readonly MergeField[] | undefined = answer.fields;
  for (const { key } of path.slice(place.length)) fields = fields?.find((field) => field.key.name === key.name)?.fields;
  return fields;
}

/** Whether `__typename` values that the path depends on arrive with the origin and are not changed by other fetches. */
function saysTypes(origin: Lookup, path: readonly PathStep[], lookups: readonly Lookup[]): boolean {
  return path.slice(0, -1).every(({ types }, index) => {
    if (types === undefined || index < origin.place.length) return true;
    const way = path.slice(0, index + 1);
    const tellers = lookups.filter((lookup) => saidOf(lookup, way)?.some(({ key }) => key.name === '__typename'));
    return tellers.length === 1 && tellers[0] === origin;
  });
}

/** Inner objects can be shared when no other fetch merges into them and all target paths are handled alike. */
function canBeShared(answer: AnswerDraft, lookups: readonly Lookup[]): boolean {
  const inner = answer.fields.filter(({ fields }) => fields !== undefined);
  return answer.places.every((path) => {
    const through = lookups.filter(({ place }) => leadsThrough(place, path));
    if (through.some((lookup) => lookup.answer.contextArguments !== undefined) || !haveSameTypes(path, through)) return false;
    return lookups.every((lookup) => {
      if (lookup.place === path) return true;
      const known = saidOf(lookup, path) ?? [];
      return !inner.some(({ key }) => known.some((field) => field.key.name === key.name));
    });
  });
}

/** Whether all lookups require the same types along a path. The types that they require of the objects at its end can differ. */
function haveSameTypes(path: readonly PathStep[], lookups: readonly Lookup[]): boolean {
  return lookups.every(({ place }) =>
    path.slice(0, -1).every((step, index) => {
      const other = place[index];
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
