import type { DefinitionOutline, DocumentOutline, SpreadOutline } from './outline-selections.ts';

/** How much an operation asks for, with all fragments expanded. Saturated numbers stand for "at least so many". */
export interface OperationWeight {
  /** Fields of the data on the longest way down. */
  readonly depth: number;
  readonly aliases: number;
  /** Fields, spreads and inline fragments: each is a step for whatever expands the operation. */
  readonly selections: number;
  /** The same below and including `__schema` and `__type`. */
  readonly introspectionDepth: number;
  readonly introspectionAliases: number;
  readonly introspectionSelections: number;
  /** Fields of the data that the operation selects itself, not below other fields. */
  readonly rootFields: number;
}

export type WeighOperation = (operation: DefinitionOutline) => OperationWeight;

type WritableWeight = { -readonly [Key in keyof OperationWeight]: OperationWeight[Key] };

/** A definition that is being weighed. */
interface Frame {
  readonly definition: DefinitionOutline;
  /** All of it counts as introspection, as it is spread there. */
  readonly isIntrospection: boolean;
  readonly weight: WritableWeight;
  /** The spread that is looked at. */
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
 * Weighs operations of a document that may not be valid, in time linear in the document: each fragment is weighed once outside and once
 * inside introspection, however often it is spread. No recursion, since fragments spread each other deeper than stacks are. A spread of
 * an unknown fragment, or of one that it stands in itself, weighs nothing but the spread; validation refuses both.
 *
 * @param ceilings what the numbers are cut at: doubled fragments would overflow any of them
 */
export function createWeighing({ fragments }: DocumentOutline, ceilings: OperationWeight): WeighOperation {
  const weights = new Map<DefinitionOutline, OperationWeight>();
  const introspectionWeights = new Map<DefinitionOutline, OperationWeight>();

  /** The weight of what a spread stands for, or the frame to find it out in. */
  function weightOf({ name, introspectionDepth }: SpreadOutline, isIntrospection: boolean): OperationWeight | Frame {
    const fragment = fragments.get(name);
    if (fragment === undefined) return WEIGHTLESS;
    const isInside = isIntrospection || introspectionDepth > 0;
    const known = isInside ? introspectionWeights : weights;
    const weight = known.get(fragment);
    if (weight !== undefined) return weight;
    known.set(fragment, WEIGHTLESS); // holds while it is being weighed: a spread of itself ends there
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

/** What a definition weighs without the fragments that it spreads. */
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

/** Adds what a fragment weighs to that in which it is spread. */
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

/** Twice is enough to tell that a field is there more than once. */
const ENOUGH = 2;

/**
 * How often an operation selects each of the root fields that were looked out for, with fragments expanded; 2 stands for more. A fragment
 * is looked at twice at most: what it has is then there twice. No recursion.
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
