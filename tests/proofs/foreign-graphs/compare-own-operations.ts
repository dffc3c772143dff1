import { isDeepStrictEqual } from 'node:util';
import {
  type DocumentNode,
  GraphQLNonNull,
  Kind,
  OperationTypeNode,
  VariablesInAllowedPositionRule,
  buildSchema,
  getNullableType,
  isInputType,
  parse,
  print,
  typeFromAST,
  validate,
  visit,
} from 'graphql';
import { applyPatches } from '../../support/graphql/apply-patches.ts';
import { createEngine } from '../../differential/engine.ts';
import { generateValue } from '../../differential/generate-value.ts';
import { createRandom } from '../../support/random/random.ts';
import {
  type RandomFederation,
  type RandomRequest,
  type SubgraphRun,
  queryMonolith,
  startSubgraphs,
} from '../../differential/random-federation/build-random-federation.ts';
import { type Classification, classify } from '../../differential/random-federation/classify.ts';
import { type Graph, runRequest, toGraph } from '../../differential/random-federation/run-case.ts';
import { loadSupergraph } from '../../../gateway/supergraph/load-supergraph.ts';
import { withDefer } from '../../support/schema/with-defer.ts';
import { isExcused } from './compare-execution.ts';
import type { ExpectedPlan } from './expected-plans.ts';
import { NOT_EXECUTED, NOT_MOCKED, REJECTIONS, REJECTED_OPERATIONS, reasonOf } from './known-reasons.ts';
import type { LoadedForeign } from './load-all.ts';
import { mockFederation } from './mock-federation.ts';
import { type Report, count } from './report.ts';

/** Compares the responses to the operations of other projects' tests with those of a single schema. */
export async function compareOwnOperations(expected: readonly ExpectedPlan[], seed: number, report: Report): Promise<void> {
  const counts = new Map<string, number>();
  const graphs = new Map<string, Graph | NotExecuted>();
  for (const { name, file, sdl, operation } of expected) {
    const graph = graphs.get(sdl) ?? createOwnGraph(sdl, seed);
    graphs.set(sdl, graph);
    const request = 'message' in graph ? graph : prepare(graph.federation, operation, seed);
    if ('message' in graph || 'message' in request) {
      const { reason, message } = 'message' in request ? request : { reason: undefined, message: '' };
      count(counts, `not executed: ${reason ?? 'no known reason'}`);
      if (reason === undefined) report.failure('own operation not executed for no known reason', `${name}: ${message.slice(0, 300)}`);
      continue;
    }
    const classification = await runOwn(graph, request);
    const result = resultOf({ file, sdl }, request, classification);
    count(counts, `${request.isDeferring ? 'with @defer, ' : ''}${result}`);
    if (request.isCorrected) count(counts, 'of all, with a Boolean variable in @skip or @include made non-null first');
    if (classification.kind === 'wrong' && result === WRONG)
      report.failure(`own operation differs: ${classification.class}`, `${name}: ${classification.detail.slice(0, 300)}`);
  }
  report.table('Operations of the tests, executed', counts);
}

const WRONG = 'wrong results';

function resultOf(supergraph: Pick<LoadedForeign, 'file' | 'sdl'>, request: RandomRequest, classification: Classification): string {
  if (classification.kind === 'right') return 'correct results';
  if (isExcused(supergraph, request, classification)) return 'different on a corrupt supergraph';
  const reason = reasonOf(REJECTED_OPERATIONS, classification.detail);
  return reason === undefined ? WRONG : `rejected: ${reason}`;
}

/**
 * Runs an operation on both sides. A single schema executes an operation with `@defer` as one without it. The gateway executes it as a
 * whole and with incremental payloads.
 */
async function runOwn(graph: Graph, request: OwnRequest): Promise<Classification> {
  if (!request.isDeferring) return (await runRequest(graph, request)).classification;
  const { federation } = graph;
  const engine = createEngine({ supergraphSdl: federation.supergraphSdl, schema: withDefer(federation.monolith) });
  const truth = await queryMonolith(federation, { ...request, text: withoutDefer(request.text) });
  const start = (): SubgraphRun => startSubgraphs(federation, []);
  try {
    const [first, second] = [start(), start()];
    const whole = classify(await engine.respond({ ...request, executor: first.executor }), truth, first.invalid);
    if (whole.kind === 'wrong') return whole;
    const parts = await engine.respondInMultipart({ ...request, executor: second.executor });
    const data = applyPatches(parts, truth.errors.length > 0);
    if (second.invalid[0] !== undefined) return { kind: 'wrong', class: 'invalid subgraph request', detail: second.invalid[0] };
    if (truth.errors.length > 0 || isDeepStrictEqual(data, truth.data)) return whole;
    return { kind: 'wrong', class: 'data', detail: `merged payloads ${JSON.stringify(data)}, expected ${JSON.stringify(truth.data)}` };
  } catch (error) {
    return { kind: 'wrong', class: 'no answer', detail: error instanceof Error ? error.message : String(error) };
  }
}

function withoutDefer(text: string): string {
  return print(visit(parse(text), { Directive: ({ name }) => (name.value === 'defer' ? null : undefined) }));
}

interface NotExecuted {
  readonly reason: string | undefined;
  readonly message: string;
}

interface OwnRequest extends RandomRequest {
  readonly isCorrected: boolean;
  readonly isDeferring: boolean;
}

function createOwnGraph(sdl: string, seed: number): Graph | NotExecuted {
  try {
    loadSupergraph(sdl);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { reason: reasonOf(REJECTIONS, message), message };
  }
  try {
    return toGraph(mockFederation(sdl, seed));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { reason: reasonOf(NOT_MOCKED, message), message };
  }
}

/** Returns the operation with values for its variables, or the reason why it cannot be executed. */
function prepare({ monolith, supergraphSdl }: RandomFederation, text: string, seed: number): OwnRequest | NotExecuted {
  const document = readDocument(text);
  if ('message' in document) return { reason: reasonOf(NOT_EXECUTED, document.message), message: document.message };
  const schema = withDefer(monolith);
  const isLoose = validate(schema, document, [VariablesInAllowedPositionRule]).length > 0;
  const corrected = isLoose ? withRequiredConditions(document) : document;
  const [failure] = validate(schema, corrected);
  if (failure !== undefined) {
    const reason = isValidWithHidden(supergraphSdl, corrected)
      ? 'it selects an @inaccessible field'
      : reasonOf(NOT_EXECUTED, failure.message);
    return { reason, message: failure.message };
  }
  const operation = corrected.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION);
  if (operation?.operation === OperationTypeNode.SUBSCRIPTION) {
    return { reason: 'a subscription, whose response is a stream', message: 'a subscription' };
  }
  const random = createRandom(seed);
  const variables: Record<string, unknown> = {};
  for (const { variable, type: written } of operation?.variableDefinitions ?? []) {
    const type = typeFromAST(schema, written);
    if (!isInputType(type)) continue;
    const present = new GraphQLNonNull(getNullableType(type));
    variables[variable.name.value] = generateValue({ random, valueFor: () => undefined }, present, variable.name.value);
  }
  return { text: isLoose ? print(corrected) : text, variables, labels: [], isCorrected: isLoose, isDeferring: /@defer\b/.test(text) };
}

/** Whether an operation is valid against the supergraph including everything that is hidden from clients. */
function isValidWithHidden(supergraphSdl: string, document: DocumentNode): boolean {
  return validate(buildSchema(supergraphSdl, { assumeValidSDL: true }), document).length === 0;
}

function readDocument(text: string): DocumentNode | Error {
  try {
    return parse(text);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Makes Boolean variables non-null, as `@skip` and `@include` require: planners do not validate, and tests omit it. */
function withRequiredConditions(document: DocumentNode): DocumentNode {
  return visit(document, {
    VariableDefinition(node) {
      const { type } = node;
      if (type.kind !== Kind.NAMED_TYPE || type.name.value !== 'Boolean') return undefined;
      return { ...node, type: { kind: Kind.NON_NULL_TYPE, type } };
    },
  });
}
