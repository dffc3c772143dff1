import type { DefinitionOutline, DocumentOutline, SpreadOutline } from './outline-selections.ts';

/** Size of an operation with all fragments expanded. A number at its ceiling means "at least this many". */
export interface OperationWeight {
  /** Number of data fields on the longest path. */
  readonly depth: number;
  readonly aliases: number;
  /** Fields, spreads and inline fragments. Each is a step for code that expands the operation. */
  readonly selections: number;
  /** Depth of `__schema` and `__type`, including these fields. */
  readonly introspectionDepth: number;
  readonly introspectionAliases: number;
  readonly introspectionSelections: number;
  /** Data fields that the operation selects at its root. */
  readonly rootFields: number;
}

export type WeighOperation = (operation: DefinitionOutline) => OperationWeight;

type WritableWeight = { -readonly [Key in keyof OperationWeight]: OperationWeight[Key] };

/** A definition that is being measured. */
interface Frame {
  readonly definition: DefinitionOutline;
  /** Whether the definition is spread inside introspection, so that all of it counts as introspection. */
  readonly isIntrospection: boolean;
  readonly weight: WritableWeight;
  /** Index of the spread that is being processed. */
  next: number;
}

const WEIGHTLESS: OperationWeight = {
  depth: 0,
  aliases: 0,
  selections: 0,
  introspectionDepth: 0,
  introspectionAliases: 0,
  introspectionSelections: 0,
  rootFields: 0,
};

/**
 * Measures operations of a document that may be invalid, in time linear in the document. Each fragment is measured once outside and once
 * inside introspection, regardless of the number of its spreads. There is no recursion, because fragments can be nested deeper than the
 * call stack. A spread of an unknown fragment, or of a fragment within itself, counts only as one spread; validation rejects both.
 *
 * @param ceilings maximum of each number: doubled fragments would overflow any number
 */
export function createWeighing({ fragments }: DocumentOutline, ceilings: OperationWeight): WeighOperation {
  const weights = new Map<DefinitionOutline, OperationWeight>();
  const introspectionWeights = new Map<DefinitionOutline, OperationWeight>();

  /** Returns the size of the fragment that is spread, or a frame to measure it. */
  function weightOf({ name, introspectionDepth }: SpreadOutline, isIntrospection: boolean): OperationWeight | Frame {
    const fragment = fragments.get(name);
    if (fragment === undefined) return WEIGHTLESS;
    const isInside = isIntrospection || introspectionDepth > 0;
    const known = isInside ? introspectionWeights : weights;
    const weight = known.get(fragment);
    if (weight !== undefined) return weight;
    known.set(fragment, WEIGHTLESS); // Applies while the fragment is being measured, so that a spread of itself ends here.
    return frameOf(fragment, isInside);
  }

  return (operation) => {
    if (operation.spreads.length === 0) return ownWeight(operation, false);
    const root = frameOf(operation, false);
    const frames = [root];
    for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
      const spread = frame.definition.spreads[frame.next];
      if (spread === undefined) {
        frames.pop();
        cut(frame.weight, ceilings);
        if (frame !== root) (frame.isIntrospection ? introspectionWeights : weights).set(frame.definition, frame.weight);
        continue;
      }
      const below = weightOf(spread, frame.isIntrospection);
      if ('next' in below) {
        frames.push(below);
        continue;
      }
      frame.next += 1;
      add(frame, spread, below);
      cut(frame.weight, ceilings);
    }
    return root.weight;
  };
}

function frameOf(definition: DefinitionOutline, isIntrospection: boolean): Frame {
  return { definition, isIntrospection, weight: ownWeight(definition, isIntrospection), next: 0 };
}

/** Returns the size of a definition without the fragments that it spreads. */
function ownWeight(definition: DefinitionOutline, isIntrospection: boolean): WritableWeight {
  const { dataDepth, dataAliases, dataSelections, introspectionDepth, introspectionAliases, introspectionSelections } = definition;
  if (isIntrospection) {
    return {
      ...WEIGHTLESS,
      introspectionDepth: definition.wholeDepth,
      introspectionAliases: dataAliases + introspectionAliases,
      introspectionSelections: dataSelections + introspectionSelections,
    };
  }
  return {
    depth: dataDepth,
    aliases: dataAliases,
    selections: dataSelections,
    introspectionDepth,
    introspectionAliases,
    introspectionSelections,
    rootFields: definition.rootFields,
  };
}

/** Adds the size of a fragment to the definition that spreads it. */
function add({ weight, isIntrospection }: Frame, { dataDepth, introspectionDepth }: SpreadOutline, below: OperationWeight): void {
  if (!isIntrospection) weight.depth = Math.max(weight.depth, dataDepth + below.depth);
  weight.aliases += below.aliases;
  weight.selections += below.selections;
  const above = introspectionDepth + (isIntrospection ? dataDepth : 0);
  weight.introspectionDepth = Math.max(weight.introspectionDepth, above + below.introspectionDepth);
  weight.introspectionAliases += below.introspectionAliases;
  weight.introspectionSelections += below.introspectionSelections;
  if (dataDepth === 0) weight.rootFields += below.rootFields;
}

function cut(weight: WritableWeight, ceilings: OperationWeight): void {
  weight.depth = Math.min(weight.depth, ceilings.depth);
  weight.aliases = Math.min(weight.aliases, ceilings.aliases);
  weight.selections = Math.min(weight.selections, ceilings.selections);
  weight.introspectionDepth = Math.min(weight.introspectionDepth, ceilings.introspectionDepth);
  weight.introspectionAliases = Math.min(weight.introspectionAliases, ceilings.introspectionAliases);
  weight.introspectionSelections = Math.min(weight.introspectionSelections, ceilings.introspectionSelections);
  weight.rootFields = Math.min(weight.rootFields, ceilings.rootFields);
}

/** Two is enough to detect that a field is selected more than once. */
const ENOUGH = 2;

/**
 * Counts how often an operation selects each of the watched root fields, with fragments expanded; 2 means two or more. A fragment is
 * visited at most twice, because its fields then occur twice. No recursion.
 */
export function countWatchedFields({ fragments }: DocumentOutline, operation: DefinitionOutline): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const looks = new Map<DefinitionOutline, number>();
  const pending: DefinitionOutline[] = [operation];
  for (let definition = pending.pop(); definition !== undefined; definition = pending.pop()) {
    for (const name of definition.watchedFields) counts.set(name, Math.min(ENOUGH, (counts.get(name) ?? 0) + 1));
    for (const { name, dataDepth, introspectionDepth } of definition.spreads) {
      const fragment = dataDepth + introspectionDepth === 0 ? fragments.get(name) : undefined;
      const before = fragment === undefined ? ENOUGH : (looks.get(fragment) ?? 0);
      if (fragment === undefined || before >= ENOUGH) continue;
      looks.set(fragment, before + 1);
      pending.push(fragment);
    }
  }
  return counts;
}
