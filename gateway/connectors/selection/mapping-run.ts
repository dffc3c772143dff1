import type { SelectionProblem, MappingVariables } from './compiled-mapping.ts';
import { MAX_MAPPING_PROBLEMS } from './mapping-limits.ts';

/** State of one run of a mapping. */
export interface MappingRun {
  readonly variables: MappingVariables;
  /** Values that `->as` declared, each at the number of its declaration. */
  readonly locals: unknown[];
  /** Not present if problems are not recorded. The links below are set only if it is present. */
  readonly problems: SelectionProblem[] | undefined;
  /** Number of problems before which no more are recorded. */
  readonly maxProblems: number;
  /** Location of `$` in the input. */
  root: PlaceLink | undefined;
  /** Location of `@` in the input. */
  current: PlaceLink | undefined;
}

/** Part of a location in the input: keys below a parent, and then an index, which loops change. */
export interface PlaceLink {
  readonly parent: PlaceLink | undefined;
  readonly keys: readonly string[];
  /** -1 outside of lists. */
  index: number;
}

/** Location of a value, as far as it is known before a run: keys below `$`, below `@`, or below a variable or literal. */
export interface StaticPlace {
  readonly base: 'root' | 'current' | 'none';
  readonly keys: readonly string[];
}

/** Computes a value from `$` and `@`. */
export type Evaluate = (root: unknown, current: unknown, run: MappingRun) => unknown;

/** Creates the state of a run. */
export function newMappingRun(variables: MappingVariables, problems: SelectionProblem[] | undefined): MappingRun {
  const maxProblems = (problems?.length ?? 0) + MAX_MAPPING_PROBLEMS;
  return { variables, locals: [], problems, maxProblems, root: undefined, current: undefined };
}

/** Links a location to the locations of the run. */
export function linkTo({ base, keys }: StaticPlace, run: MappingRun): PlaceLink {
  return { parent: base === 'root' ? run.root : base === 'current' ? run.current : undefined, keys, index: -1 };
}

/** Returns a location one key deeper. */
export function placeBelow({ base, keys }: StaticPlace, key: string): StaticPlace {
  return { base, keys: [...keys, key] };
}

/** Records a problem, if problems are recorded and the limit is not reached. */
export function reportProblem(
  run: MappingRun,
  message: string,
  offset: number,
  { place, indexes = [] }: { readonly place: StaticPlace; readonly indexes?: readonly number[] | undefined },
): undefined {
  const { problems } = run;
  if (problems === undefined || problems.length >= run.maxProblems) return;
  const path: (string | number)[] = [];
  appendLink(linkTo(place, run), path);
  // The indexes belong before the last key, which is the one that the items do not have.
  if (indexes.length > 0) path.splice(path.length - 1, 0, ...indexes);
  problems.push({ message, path, offset });
}

function appendLink(link: PlaceLink | undefined, path: (string | number)[]): void {
  if (link === undefined) return;
  appendLink(link.parent, path);
  path.push(...link.keys);
  if (link.index >= 0) path.push(link.index);
}
