import { type FieldNode, type GraphQLInputType, Kind, type SelectionSetNode, getNamedType, isInputObjectType } from 'graphql';
import type { QueryPlannerOptions } from '../../../gateway/planning/create-query-planner.ts';
import { type Engine, createEngine } from '../engine.ts';
import { type GeneratedOperation, generateOperation } from '../generate-operation.ts';
import { createRandom } from '../../support/random/random.ts';
import type { ValueSupplier } from '../generate-value.ts';
import { LOOK_UP } from './world.ts';
import {
  type Exchange,
  type NoFederation,
  type RandomResponse,
  type RandomFederation,
  type RandomRequest,
  queryMonolith,
  buildRandomFederation,
  startSubgraphs,
} from './build-random-federation.ts';
import { generateSubgraphs } from './generate-subgraphs.ts';
import { type Classification, classify } from './classify.ts';
import type { SubgraphText } from './read-facts.ts';

/** Number of operations that are run on each graph. */
export const OPERATIONS_OF_A_GRAPH = 40;

/** Aliases that equal the names of fields that keys and required fields are read from. */
const ALIASES = ['id', 'code', 'k1', 'org', 'owner', 'f0', 'f1', 'name', 'n0', 'm0', 'a1', 'b1', 'item1', 'constructor', 'toString'];

/** One graph, and an engine for it. */
export interface Graph {
  readonly federation: RandomFederation;
  readonly engine: Engine;
  readonly planning: QueryPlannerOptions;
  /** Builds the same federation from other subgraphs. */
  readonly rebuild: (subgraphs: readonly SubgraphText[], seed: number) => RandomFederation | NoFederation;
}

/** Result of one operation. */
export interface CaseResult {
  readonly request: RandomRequest;
  readonly classification: Classification;
  readonly truth: RandomResponse;
  readonly ours: RandomResponse | undefined;
  readonly exchanges: readonly Exchange[];
}

/** Creates the graph of a seed, or returns the reasons why it does not compose. */
export function createGraph(seed: number, planning?: QueryPlannerOptions): Graph | { readonly reasons: readonly string[] } {
  const federation = buildRandomFederation(generateSubgraphs(seed), seed);
  return 'reasons' in federation ? federation : toGraph(federation, planning);
}

/** Creates the engine of a federation. */
export function toGraph(
  federation: RandomFederation,
  planning: QueryPlannerOptions = {},
  rebuild: Graph['rebuild'] = buildRandomFederation,
): Graph {
  const { monolith: schema, served } = federation;
  const supergraphSdl = served?.supergraphSdl ?? federation.supergraphSdl;
  return { federation, engine: createEngine({ supergraphSdl, schema, planning }), planning, rebuild };
}

/** Creates the request of a case. The same seed and case create the same request. */
export function createRequest(federation: RandomFederation, seed: number, index: number): RandomRequest {
  const { monolith } = federation;
  const random = createRandom(seed * OPERATIONS_OF_A_GRAPH + index);
  const kind = monolith.getMutationType() && index % 6 === 5 ? 'mutation' : 'query';
  const maxFields = random.pick([4, 8, 15, 30]);
  const valueFor = keyValuesOf(federation);
  const generate = (): GeneratedOperation =>
    generateOperation({ schema: monolith, seed: random.below(1_000_000), kind, maxFields, keys: ALIASES, valueFor });
  const { text, variables } = generate();
  const labels = ['percent(100)', ...['custom', 'other'].filter(() => random.chance(0.5))];
  if (!random.chance(0.1)) return { text, variables, labels };
  const texts = [text, renamed(generate().text)];
  return { text: (random.chance(0.5) ? texts : texts.toReversed()).join('\n'), operationName: 'Generated', variables, labels };
}

/** Supplies the keys of entities as arguments of the root fields that find entities. */
function keyValuesOf({ monolith, world }: RandomFederation): ValueSupplier {
  const query = monolith.getQueryType();
  return (coordinate, random) => {
    const [, fieldName = '', argument = ''] = /^Query\.(\w+)\((\w+):\)$/.exec(coordinate) ?? [];
    const field = fieldName.startsWith(LOOK_UP) ? query?.getFields()[fieldName] : undefined;
    if (field === undefined || random.chance(0.15)) return undefined;
    const node = random.pick(world.candidates(getNamedType(field.type).name));
    const type = field.args.find(({ name }) => name === argument)?.type;
    return type === undefined
      ? undefined
      : world.inputsOf(node, selectionOf(argument, type), { mutations: 0, labels: new Set() })[argument];
  };
}

/** Selects a field with the fields of its input type. */
function selectionOf(name: string, type: GraphQLInputType): SelectionSetNode {
  const named = getNamedType(type);
  const inside = isInputObjectType(named) ? Object.values(named.getFields()).map((field) => selectionOf(field.name, field.type)) : [];
  const selections = inside.flatMap((set) => set.selections);
  const node = {
    kind: Kind.FIELD,
    name: { kind: Kind.NAME, value: name },
    ...(selections.length === 0 ? {} : { selectionSet: { kind: Kind.SELECTION_SET, selections } }),
  } satisfies FieldNode;
  return { kind: Kind.SELECTION_SET, selections: [node] };
}

/** Renames an operation, so that a document can contain it in addition to another. */
function renamed(text: string): string {
  return text.replace(' Generated', ' Other').replaceAll(/\bFragment(?=\d)/g, 'OtherFragment');
}

/** Runs a request on both sides, and compares the results. */
export async function runRequest({ federation, engine }: Graph, request: RandomRequest): Promise<CaseResult> {
  const truth = await queryMonolith(federation, request);
  const { executor, exchanges, invalid } = startSubgraphs(federation, request.labels);
  try {
    const ours = await engine.respond({ ...request, executor });
    return { request, truth, ours, exchanges, classification: classify(ours, truth, invalid) };
  } catch (error) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { request, truth, ours: undefined, exchanges, classification: { kind: 'wrong', class: 'no answer', detail } };
  }
}
