import { composeServices } from '@apollo/composition';
import { ROUTER_SUPPORTED_SUPERGRAPH_FEATURES, Supergraph, operationFromDocument } from '@apollo/federation-internals';
import { QueryPlanner } from '@apollo/query-planner';
import { type OperationDefinitionNode, parse } from 'graphql';
import { type CompileOperationInput, compileOperation } from '../../../../gateway/execution/compile-operation.ts';
import type { ExecutionOutcome } from '../../../../gateway/execution/executable-operation.ts';
import { ANONYMOUS } from '../../../../gateway/platform/principal.ts';
import type { SubgraphRequest, SubgraphResponse } from '../../../../gateway/supergraph/subgraph-executor.ts';

const HEAD = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.7", import: ["@key", "@external", "@requires", "@shareable"])\n`;

const SUBGRAPHS = {
  shop: `${HEAD}
    enum Size { SMALL LARGE }
    interface Thing { id: ID! }
    type Crate implements Thing { id: ID! weight: Int }
    type Letter implements Thing { id: ID! text: String }
    union Item = Crate | Letter
    type Product @key(fields: "id") { id: ID! name: String! price: Float size: Size tags: [String!] count: Int isNew: Boolean matrix: [[Int!]] related: [Product] }
    type Query {
      product(id: ID = "1", representations: Int): Product
      products: [Product!]
      must: Product!
      things: [Thing]
      items: [Item]
      anything: Product
    }
    type Mutation { step(name: String!): String last: Int! }
  `,
  stock: `${HEAD}
    type Product @key(fields: "id") {
      id: ID! price: Float @external
      left: Int place: Place must: String! tax: Float @requires(fields: "price")
      near(representations: Int): Int
    }
    type Place { city: String! }
    type Query { places: [Place!] }
    type Mutation { other: String }
  `,
  tax: `${HEAD}
    type Product @key(fields: "id") { id: ID! tax: Float @external label: String @requires(fields: "tax") }
  `,
};

/** What the subgraphs answer; a function decides by the request, an error is thrown. */
export type Script = Readonly<Record<string, unknown>>;

export interface ScriptedRun {
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
  readonly settings?: Partial<CompileOperationInput>;
}

export interface ScriptedOutcome extends ExecutionOutcome {
  readonly requests: readonly SubgraphRequest[];
}

/** Runs an operation with subgraphs that answer as they are told. */
export type ScriptedGraph = (text: string, script: Script, run?: ScriptedRun) => Promise<ScriptedOutcome>;

/** Composes subgraphs, by name, into a graph to run operations over. */
export function scriptedGraph(subgraphs: Readonly<Record<string, string>>): ScriptedGraph {
  const composed = composeServices(Object.entries(subgraphs).map(([name, text]) => ({ name, url: '', typeDefs: parse(text) })));
  const supergraph = Supergraph.build(composed.supergraphSdl ?? String(composed.errors), {
    supportedFeatures: ROUTER_SUPPORTED_SUPERGRAPH_FEATURES,
  });
  const planner = new QueryPlanner(supergraph);
  const schema = supergraph.apiSchema().toGraphQLJSSchema();
  return async (text, script, { variables = {}, signal, settings } = {}) => {
    const document = parse(text);
    const plan = planner.buildQueryPlan(operationFromDocument(supergraph.apiSchema(), document));
    const operation = document.definitions[0] as OperationDefinitionNode;
    const requests: SubgraphRequest[] = [];
    const outcome = await compileOperation({ plan, schema, supergraph, document, operation, ...settings }).execute({
      variables,
      context: { principal: ANONYMOUS, correlationId: 'test', headers: {} },
      signal: signal ?? new AbortController().signal,
      executor: async (request) => {
        requests.push(request);
        const told = script[request.subgraph];
        const answer: unknown = typeof told === 'function' ? await told(JSON.parse(request.body), requests.length) : told;
        if (answer instanceof Error) throw answer;
        // Execution changes answers in place; one that a function made is nobody else's.
        return (typeof told === 'function' ? answer : structuredClone(answer)) as SubgraphResponse;
      },
    });
    return { ...outcome, requests };
  };
}

/** Runs operations over the graph of this file. */
export const runScripted = scriptedGraph(SUBGRAPHS);

/** The data of an outcome as values. */
export function dataOf(outcome: ExecutionOutcome): unknown {
  return JSON.parse(outcome.data);
}

/** The errors of an outcome as `path CODE`. */
export function errorsOf(outcome: ExecutionOutcome): readonly string[] {
  return outcome.errors.map(({ path, code }) => `${(path ?? []).join('.')} ${code}`);
}
