import { expect } from '@jest/globals';
import { type GraphQLSchema, Kind, type OperationDefinitionNode, buildSchema, isScalarType, isSpecifiedScalarType, parse } from 'graphql';
import { type CompileOperationInput, compileOperation } from '../../../../gateway/execution/compile-operation.ts';
import type { ExecutionResult } from '../../../../gateway/execution/executable-operation.ts';
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

/** Responses of the subgraphs, by name. A function receives the request. An error is thrown. */
export type Script = Readonly<Record<string, unknown>>;

export interface ScriptedRun {
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
  readonly aliases?: ReadonlyMap<string, string>;
  readonly settings?: Partial<CompileOperationInput>;
}

export interface ScriptedResult extends ExecutionResult {
  readonly requests: readonly SubgraphRequest[];
}

/** Runs an operation with a given plan and scripted subgraph responses. */
export type ScriptedGraph = (text: string, plan: OperationPlan, script: Script, run?: ScriptedRun) => Promise<ScriptedResult>;

/** Returns a function that runs operations on a schema. */
export function scriptedGraph(schema: GraphQLSchema): ScriptedGraph {
  // A value of a custom scalar can contain objects, which are not counted.
  const hasCustomScalar = Object.values(schema.getTypeMap()).some((type) => isScalarType(type) && !isSpecifiedScalarType(type));
  return async (text, plan, script, { settings, ...run } = {}) => {
    const document = parse(text);
    const operation = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION) as OperationDefinitionNode;
    const requests: SubgraphRequest[] = [];
    const executable = compileOperation({ plan, schema, document, operation, conditions: {}, ...settings });
    const result = await executable.execute({
      variables: {},
      context: { principal: ANONYMOUS, correlationId: 'test', headers: {} },
      signal: new AbortController().signal,
      executor: scriptedExecutor(script, requests),
      ...run,
    });
    if (result.deferred === undefined && !hasCustomScalar)
      expect(result.objects).toBe(Math.max(0, countObjects(JSON.parse(result.data)) - 1));
    return { ...result, requests };
  };
}

/** Counts the objects of a value, with itself. */
function countObjects(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inside = Object.values(value).reduce<number>((sum, each) => sum + countObjects(each), 0);
  return Array.isArray(value) ? inside : inside + 1;
}

/** Creates an executor that returns scripted responses and records all requests. */
export function scriptedExecutor(script: Script, requests: SubgraphRequest[]): SubgraphExecutor {
  return async (request) => {
    requests.push(request);
    const representations = request.entities?.representations();
    if (request.entities !== undefined && representations !== undefined) {
      const { variables } = JSON.parse(request.body) as { readonly variables: unknown };
      expect({ [request.entities.variableName]: representations }).toEqual(variables);
    }
    const reported = script[request.subgraph];
    const response: unknown = typeof reported === 'function' ? await reported(JSON.parse(request.body), requests.length) : reported;
    if (response instanceof Error) throw response;
    // Execution changes responses in place, so fixed responses are cloned. A function returns a new response each time.
    return (typeof reported === 'function' ? response : structuredClone(response)) as SubgraphResponse;
  };
}

/** Runs operations on the schema of this file. */
export const runScripted = scriptedGraph(SHOP);

/** Parses the data of a result. */
export function dataOf(result: ExecutionResult): unknown {
  return JSON.parse(result.data);
}

/** Returns the errors of a result as `path CODE`. */
export function errorsOf(result: ExecutionResult): readonly string[] {
  return result.errors.map(({ path, code }) => `${(path ?? []).join('.')} ${code}`);
}

/** Document and variables of a request. */
export interface SentBody {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Returns the bodies of all requests in the order in which they were sent. */
export function bodiesOf({ requests }: ScriptedResult): readonly SentBody[] {
  return requests.map(({ body }) => JSON.parse(body));
}
