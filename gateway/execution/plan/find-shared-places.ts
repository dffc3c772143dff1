import type { DataKey } from '../data/own-properties.ts';
import type { AnswerDraft } from './response-drafts.ts';
import type { MergeField, PathStep } from './compiled-plan.ts';

/** Objects inside of an answer of which equal ones may become one. */
export interface FoundPlace {
  /** Equal numbers share their objects with each other. */
  readonly place: number;
  readonly answer: AnswerDraft;
  /** From the root of the tree. */
  readonly path: readonly PathStep[];
  /** From the object that is answered about. */
  readonly steps: readonly PathStep[];
  readonly leaves: readonly DataKey[];
}

/** What may be shared in a plan. */
export interface Sharing {
  readonly places: readonly FoundPlace[];
  /** Whether what is inside of an answer about entities may stand in several places of the tree at once. */
  isShareable(answer: AnswerDraft): boolean;
}

interface Lookup {
  readonly answer: AnswerDraft;
  /** One of the answer's places. */
  readonly place: readonly PathStep[];
}

/**
 * Finds the places at which an object is known by its key alone when it arrives: all that one answer says of it goes into
 * its representations, and no other answer brings any of it. What is merged into it later depends on nothing but that,
 * so equal ones may be one object, which is looked up, merged and printed once, in however many places it stands.
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
  // One answer about the objects of several places does not know them apart: all of them share, or none does.
  const isComplete = ({ answer, steps, place }: FoundPlace): boolean =>
    answer.places.every((origin) => places.get(keysOf([...origin, ...steps]))?.place === place);
  return { places: [...places.values()].filter(isComplete), isShareable };
}

/** Data keys of a path as one text. */
function keysOf(path: readonly PathStep[]): string {
  return path.map(({ key }) => key.name).join('/');
}

/** Whether the objects at `inner` are those at `outer`, or inside of them, by the keys alone. */
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
  // What is asked for at the place and inside of it: only where it is the same, the objects of two places may be one.
  const asked = through.map(({ answer, place }) => {
    const [own, ...further] = place.slice(path.length - 1);
    return [answer.id, own && nameTypes(own), further.map(nameStep)];
  });
  const identity = JSON.stringify([origin.answer.fetch, leaves, asked]);
  return { identity, place: { answer: origin.answer, path, steps: path.slice(origin.place.length), leaves } };
}

/** What an answer at one place says of the objects at a path. */
function saidOf({ answer, place }: Lookup, path: readonly PathStep[]): readonly MergeField[] | undefined {
  if (!leadsThrough(path, place)) return undefined;
  let fields: readonly MergeField[] | undefined = answer.fields;
  for (const { key } of path.slice(place.length)) fields = fields?.find((field) => field.key.name === key.name)?.fields;
  return fields;
}

/** Whether types that matter on the way through an answer are known when it comes, and stay as they are. */
function saysTypes(origin: Lookup, path: readonly PathStep[], lookups: readonly Lookup[]): boolean {
  return path.slice(0, -1).every(({ types }, index) => {
    if (types === undefined || index < origin.place.length) return true;
    const way = path.slice(0, index + 1);
    const tellers = lookups.filter((lookup) => saidOf(lookup, way)?.some(({ key }) => key.name === '__typename'));
    return tellers.length === 1 && tellers[0] === origin;
  });
}

/** Inner objects may stand in several places where nothing else is merged into them, and where all places are treated alike. */
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

/** Whether all lookups let the same types through on the way to a path; what they ask of its own objects is their affair. */
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
