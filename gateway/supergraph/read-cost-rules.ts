import { type ConstDirectiveNode, type DocumentNode, Kind } from 'graphql';
import { argumentsOf } from '../directives/directive-locations.ts';
import { type LinkedFeature, directiveNameIn } from '../directives/read-features.ts';

/** Directives of demand control (cost specification v0.1), by schema coordinate. */
export interface CostRules {
  /** `@cost(weight:)`: `Account`, `Account.email`, `Query.search(term:)`, `Filter.text`. */
  readonly weights: ReadonlyMap<string, number>;
  /** `@listSize` of fields. */
  readonly listSizes: ReadonlyMap<string, ListSizeRule>;
}

/** Number of items of a field, or of the lists one level below it. */
export interface ListSizeRule {
  /** Number of items when no slicing argument defines it. @unit items */
  readonly assumedSize?: number;
  /** Arguments that limit the number of items. */
  readonly slicingArguments: readonly string[];
  /** Lists of the field's object to which the size applies. If empty, it applies to the list of the field itself. */
  readonly sizedFields: readonly string[];
  readonly requiresOneSlicingArgument: boolean;
  /** Whether the arguments were recognized by their names, because the field has no `@listSize`. @defaultValue false */
  readonly isRecognized?: boolean;
}

const COST = 'https://specs.apollo.dev/cost';

/** Reads the rules of a supergraph. Names that were changed on import are resolved by the address of the feature. */
export function readCostRules(document: DocumentNode, features: readonly LinkedFeature[]): CostRules {
  const weights = new Map<string, number>();
  const listSizes = new Map<string, ListSizeRule>();
  const feature = features.find(({ identity }) => identity === COST);
  if (feature === undefined) return { weights, listSizes };
  const [cost, listSize] = [directiveNameIn(feature, 'cost'), directiveNameIn(feature, 'listSize')];
  for (const { coordinate, directives } of costLocationsOf(document)) {
    for (const directive of directives) {
      if (directive.name.value === cost) readWeight(directive, coordinate, weights);
      else if (directive.name.value === listSize) listSizes.set(coordinate, toListSizeRule(argumentsOf(directive)));
    }
  }
  return { weights, listSizes };
}

/** Reads a weight. Negative weights become 0, because they would offset the cost of other fields. */
function readWeight(directive: ConstDirectiveNode, coordinate: string, weights: Map<string, number>): void {
  const weight = Number(argumentsOf(directive)['weight']);
  if (Number.isFinite(weight)) weights.set(coordinate, Math.max(0, weight));
}

function toListSizeRule({
  assumedSize,
  slicingArguments,
  sizedFields,
  requireOneSlicingArgument,
}: Readonly<Record<string, unknown>>): ListSizeRule {
  const slicing = namesIn(slicingArguments);
  return {
    ...(typeof assumedSize === 'number' ? { assumedSize: Math.max(0, assumedSize) } : {}),
    slicingArguments: slicing,
    sizedFields: namesIn(sizedFields),
    requiresOneSlicingArgument: slicing.length > 0 && requireOneSlicingArgument !== false,
  };
}

function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? (value as readonly unknown[]).filter((name) => typeof name === 'string') : [];
}

interface CostLocation {
  readonly coordinate: string;
  readonly directives: readonly ConstDirectiveNode[];
}

function* costLocationsOf({ definitions }: DocumentNode): Generator<CostLocation> {
  for (const definition of definitions) {
    if (!('name' in definition) || definition.name === undefined || definition.kind === Kind.DIRECTIVE_DEFINITION) continue;
    const type = definition.name.value;
    yield { coordinate: type, directives: (definition.directives ?? []) as readonly ConstDirectiveNode[] };
    for (const field of ('fields' in definition && definition.fields) || []) {
      const coordinate = `${type}.${field.name.value}`;
      yield { coordinate, directives: field.directives ?? [] };
      for (const argument of ('arguments' in field && field.arguments) || []) {
        yield { coordinate: `${coordinate}(${argument.name.value}:)`, directives: argument.directives ?? [] };
      }
    }
  }
}
