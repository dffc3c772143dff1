import { type GraphQLSchema, Kind, type OperationDefinitionNode, buildSchema, parse } from 'graphql';
import { type CompileOperationInput, compileOperation } from '../../../../gateway/execution/compile-operation.ts';
import type { ExecutionOutcome } from '../../../../gateway/execution/executable-operation.ts';
import type { OperationPlan } from '../../../../gateway/planning/operation-plan.ts';
import { ANONYMOUS } from '../../../../gateway/platform/principal.ts';
import type { SubgraphExecutor, SubgraphRequest, SubgraphResponse } from '../../../../gateway/supergraph/subgraph-executor.ts';

const SHOP = buildSchema(`
  enum Size { SMALL LARGE }
  interface Thing { id: ID! }
  type Crate implements Thing { id: ID! weight: Int }
  type Letter implements Thing { id: ID! text: String }
  union Item = Crate | Letter
  type Product {
    id: ID! name: String! price: Float size: Size tags: [String!] count: Int isNew: Boolean matrix: [[Int!]] related: [Product] toString: String
    left(unit: String): Int place: Place must: String! tax: Float near(representations: Int): Int label: String maker: Maker
  }
  type Place { city: String! owner: Maker }
  type Maker { id: ID! name: String! country: String products: [Product] }
  type Query {
    product(id: ID = "1", representations: Int): Product
    products: [Product!]
    grid: [[Product]]
    must: Product!
    things: [Thing]
    items: [Item]
    anything: Product
    places: [Place!]
    constructor: Product
  }
  type Mutation { step(name: String!): String other: String }
`);

/** What the subgraphs answer; a function decides by the request, an error is thrown. */
export type Script = Readonly<Record<string, unknown>>;

export interface ScriptedRun {
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
  readonly aliases?: ReadonlyMap<string, string>;
  readonly settings?: Partial<CompileOperationInput>;
}

export interface ScriptedOutcome extends ExecutionOutcome {
  readonly requests: readonly SubgraphRequest[];
}

/** Runs an operation by a plan, with subgraphs that answer as they are told. */
export type ScriptedGraph = (text: string, plan: OperationPlan, script: Script, run?: ScriptedRun) => Promise<ScriptedOutcome>;

/** Runs operations over a schema. */
export function scriptedGraph(schema: GraphQLSchema): ScriptedGraph {
  return async (text, plan, script, { settings, ...run } = {}) => {
    const document = parse(text);
    const operation = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION) as OperationDefinitionNode;
    const requests: SubgraphRequest[] = [];
    const executable = compileOperation({ plan, schema, document, operation, conditions: {}, ...settings });
    const outcome = await executable.execute({
      variables: {},
      context: { principal: ANONYMOUS, correlationId: 'test', headers: {} },
      signal: new AbortController().signal,
      executor: scriptedExecutor(script, requests),
      ...run,
    });
    return { ...outcome, requests };
  };
}

/** Subgraphs that answer as they are told, and remember what they were asked. */
export function scriptedExecutor(script: Script, requests: SubgraphRequest[]): SubgraphExecutor {
  return async (request) => {
    requests.push(request);
    const told = script[request.subgraph];
    const answer: unknown = typeof told === 'function' ? await told(JSON.parse(request.body), requests.length) : told;
    if (answer instanceof Error) throw answer;
    // Execution changes answers in place; one that a function made is nobody else's.
    return (typeof told === 'function' ? answer : structuredClone(answer)) as SubgraphResponse;
  };
}

/** Runs operations over the graph of this file. */
export const runScripted = scriptedGraph(SHOP);

/** The data of an outcome as values. */
export function dataOf(outcome: ExecutionOutcome): unknown {
  return JSON.parse(outcome.data);
}

/** The errors of an outcome as `path CODE`. */
export function errorsOf(outcome: ExecutionOutcome): readonly string[] {
  return outcome.errors.map(({ path, code }) => `${(path ?? []).join('.')} ${code}`);
}

/** A request's text and variables. */
export interface SentBody {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** What was sent, in its order. */
export function bodiesOf({ requests }: ScriptedOutcome): readonly SentBody[] {
  return requests.map(({ body }) => JSON.parse(body));
}
