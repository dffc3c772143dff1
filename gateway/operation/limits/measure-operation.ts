import type { DefinitionOutline, DocumentOutline, SpreadOutline } from './outline-selections.ts';

/** Size of an operation with all fragments expanded. A number at its ceiling means "at least this many". */
export interface OperationMetrics {
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

export type MeasureOperation = (operation: DefinitionOutline) => OperationMetrics;

type WritableMetrics = { -readonly [Key in keyof OperationMetrics]: OperationMetrics[Key] };

/** A definition that is being measured. */
interface Frame {
  readonly definition: DefinitionOutline;
  /** Whether the definition is spread inside introspection, so that all of it counts as introspection. */
  readonly isIntrospection: boolean;
  readonly metrics: WritableMetrics;
  /** Index of the spread that is being processed. */
  next: number;
}

const NO_METRICS: OperationMetrics = {
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
export function createOperationMeasure({ fragments }: DocumentOutline, ceilings: OperationMetrics): MeasureOperation {
  const metricsOfDefinition = new Map<DefinitionOutline, OperationMetrics>();
  const introspectionWeights = new Map<DefinitionOutline, OperationMetrics>();

  /** Returns the size of the fragment that is spread, or a frame to measure it. */
  function metricsOf({ name, introspectionDepth }: SpreadOutline, isIntrospection: boolean): OperationMetrics | Frame {
    const fragment = fragments.get(name);
    if (fragment === undefined) return NO_METRICS;
    const isInside = isIntrospection || introspectionDepth > 0;
    const known = isInside ? introspectionWeights : metricsOfDefinition;
    const metrics = known.get(fragment);
    if (metrics !== undefined) return metrics;
    known.set(fragment, NO_METRICS); // Applies while the fragment is being measured, so that a spread of itself ends here.
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
        cut(frame.metrics, ceilings);
        if (frame !== root) (frame.isIntrospection ? introspectionWeights : metricsOfDefinition).set(frame.definition, frame.metrics);
        continue;
      }
      const below = metricsOf(spread, frame.isIntrospection);
      if ('next' in below) {
        frames.push(below);
        continue;
      }
      frame.next += 1;
      add(frame, spread, below);
      cut(frame.metrics, ceilings);
    }
    return root.metrics;
  };
}

function frameOf(definition: DefinitionOutline, isIntrospection: boolean): Frame {
  return { definition, isIntrospection, metrics: ownWeight(definition, isIntrospection), next: 0 };
}

/** Returns the size of a definition without the fragments that it spreads. */
function ownWeight(definition: DefinitionOutline, isIntrospection: boolean): WritableMetrics {
  const { dataDepth, dataAliases, dataSelections, introspectionDepth, introspectionAliases, introspectionSelections } = definition;
  if (isIntrospection) {
    return {
      ...NO_METRICS,
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
function add({ metrics, isIntrospection }: Frame, { dataDepth, introspectionDepth }: SpreadOutline, below: OperationMetrics): void {
  if (!isIntrospection) metrics.depth = Math.max(metrics.depth, dataDepth + below.depth);
  metrics.aliases += below.aliases;
  metrics.selections += below.selections;
  const above = introspectionDepth + (isIntrospection ? dataDepth : 0);
  metrics.introspectionDepth = Math.max(metrics.introspectionDepth, above + below.introspectionDepth);
  metrics.introspectionAliases += below.introspectionAliases;
  metrics.introspectionSelections += below.introspectionSelections;
  if (dataDepth === 0) metrics.rootFields += below.rootFields;
}

function cut(metrics: WritableMetrics, ceilings: OperationMetrics): void {
  metrics.depth = Math.min(metrics.depth, ceilings.depth);
  metrics.aliases = Math.min(metrics.aliases, ceilings.aliases);
  metrics.selections = Math.min(metrics.selections, ceilings.selections);
  metrics.introspectionDepth = Math.min(metrics.introspectionDepth, ceilings.introspectionDepth);
  metrics.introspectionAliases = Math.min(metrics.introspectionAliases, ceilings.introspectionAliases);
  metrics.introspectionSelections = Math.min(metrics.introspectionSelections, ceilings.introspectionSelections);
  metrics.rootFields = Math.min(metrics.rootFields, ceilings.rootFields);
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
