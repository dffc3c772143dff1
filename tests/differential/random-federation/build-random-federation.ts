import { composeServices } from '@apollo/composition';
import { ROUTER_SUPPORTED_SUPERGRAPH_FEATURES, Supergraph } from '@apollo/federation-internals';
import { type DocumentNode, GraphQLError, type GraphQLSchema, execute, parse, validate } from 'graphql';
import type { SubgraphError, SubgraphExecutor, SubgraphResponse } from '../../../gateway/supergraph/subgraph-executor.ts';
import { resolveFromWorld } from './monolith-schema.ts';
import { type SubgraphText, readFacts } from './read-facts.ts';
import { type SubgraphContext, addResolvers, buildBareSchema } from './subgraph-schema.ts';
import type { FailureLimits } from './world-fields.ts';
import { type Run, type World, createWorld } from './world.ts';

/** Subgraphs that compose, and a single schema with the same data. */
export interface RandomFederation {
  readonly subgraphs: readonly SubgraphText[];
  readonly supergraphSdl: string;
  /** The public schema, with the resolvers of the single schema. */
  readonly monolith: GraphQLSchema;
  readonly schemas: ReadonlyMap<string, GraphQLSchema>;
  readonly world: World;
  /** The graph as the gateway serves it, if some subgraphs are not GraphQL servers. @defaultValue all subgraphs are GraphQL servers */
  readonly served?: ServedFederation;
}

/** A graph in which connectors resolve some subgraphs. */
export interface ServedFederation {
  readonly subgraphs: readonly SubgraphText[];
  /** Supergraph for the planner. */
  readonly supergraphSdl: string;
  /** Adds the connectors to the executor of the GraphQL subgraphs, for one run. */
  connect(executor: SubgraphExecutor, context: SubgraphContext, record: (call: RestCall) => void): SubgraphExecutor;
}

/** An HTTP request of a connector with its response. */
export interface RestCall {
  readonly subgraph: string;
  /** Kind of the connector. Absent if the request is not one of a connector. */
  readonly kind?: string;
  readonly request: string;
  readonly response?: object;
  /** Reason why the request is invalid. */
  readonly problem?: string;
}

/** Reason why subgraphs do not compose. */
export interface NoFederation {
  readonly reasons: readonly string[];
}

/** Composes subgraphs and fills them with a world. */
export function buildRandomFederation(subgraphs: readonly SubgraphText[], seed: number): RandomFederation | NoFederation {
  const composed = composeTexts(subgraphs.map(readFacts));
  return typeof composed === 'string' ? addMocks(subgraphs, composed, seed) : composed;
}

/** Fills the subgraphs of a supergraph with a world. @throws Error when they leave a field without a possible value */
export function addMocks(
  subgraphs: readonly SubgraphText[],
  supergraphSdl: string,
  seed: number,
  failures?: FailureLimits,
): RandomFederation {
  const facts = subgraphs.map(readFacts);
  const schemas = new Map(facts.map((subgraph) => [subgraph.name, buildBareSchema(subgraph)]));
  const supergraph = Supergraph.build(supergraphSdl, {
    supportedFeatures: ROUTER_SUPPORTED_SUPERGRAPH_FEATURES,
    validateSupergraph: false,
  });
  const monolith = supergraph.apiSchema().toGraphQLJSSchema();
  const world = createWorld(facts, { schemas, publicSchema: monolith, failures }, seed);
  for (const subgraph of facts) {
    const schema = schemas.get(subgraph.name);
    if (schema !== undefined) addResolvers(schema, subgraph, facts);
  }
  resolveFromWorld(monolith, world, facts);
  return { subgraphs, supergraphSdl, monolith, schemas, world };
}

/** Composes subgraphs. Returns the SDL of the supergraph. */
export function composeTexts(facts: readonly { readonly name: string; readonly document: DocumentNode }[]): string | NoFederation {
  try {
    const services = facts.map(({ name, document }) => ({ name, url: `http://${name}.test`, typeDefs: document }));
    const { supergraphSdl, errors = [] } = composeServices(services);
    return supergraphSdl ?? { reasons: errors.map(({ message }) => message) };
  } catch (error) {
    return { reasons: [`Composition threw an error: ${String(error)}`] };
  }
}

/** A client request. */
export interface RandomRequest {
  readonly text: string;
  /** Name of the operation. Absent if the document has one operation. */
  readonly operationName?: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Active labels of `@override`. */
  readonly labels: readonly string[];
}

/** Result that a client receives, in a comparable form. */
export interface RandomResponse {
  readonly data: unknown;
  readonly errors: readonly { readonly message: string; readonly path?: readonly (string | number)[] | undefined }[];
}

/** Executes a request on the single schema. */
export async function queryMonolith(
  { monolith, world }: RandomFederation,
  { text, operationName, variables, labels }: RandomRequest,
): Promise<RandomResponse> {
  const run: Run = { mutations: 0, labels: new Set(labels) };
  const document = parse(text);
  const result = await execute({
    schema: monolith,
    document,
    operationName,
    variableValues: { ...variables },
    contextValue: { world, run },
  });
  return {
    data: result.data === undefined ? null : JSON.parse(JSON.stringify(result.data)),
    errors: (result.errors ?? []).map(({ message, path }) => ({ message, path })),
  };
}

/** A subgraph request with its response. */
export interface Exchange {
  readonly subgraph: string;
  readonly body: string;
  readonly response: string;
  /** Kind of the connector that sent the request. Absent for a GraphQL request. */
  readonly connector?: string;
}

/** The subgraphs of one run, with the requests they received. */
export interface SubgraphRun {
  readonly executor: SubgraphExecutor;
  readonly exchanges: Exchange[];
  /** Requests that are not valid against the schema of the subgraph. These are always defects of the sender. */
  readonly invalid: string[];
}

const documents = new WeakMap<GraphQLSchema, Map<string, DocumentNode>>();

/** Starts the subgraphs with new state. */
export function startSubgraphs({ schemas, world, served }: RandomFederation, labels: readonly string[]): SubgraphRun {
  const run: Run = { mutations: 0, labels: new Set(labels) };
  const contextValue: SubgraphContext = { world, run };
  const exchanges: Exchange[] = [];
  const invalid: string[] = [];
  const executor: SubgraphExecutor = async ({ subgraph, body }) => {
    const schema = schemas.get(subgraph);
    if (schema === undefined) throw new Error(`The subgraph ${subgraph} does not exist.`);
    const { query, variables } = JSON.parse(body) as { query: string; variables?: Record<string, unknown> };
    const document = readRequest(schema, query);
    if (document instanceof Error) {
      invalid.push(`${subgraph}: ${document.message} in ${query}`);
      return { data: null, errors: [{ message: document.message, code: 'GRAPHQL_VALIDATION_FAILED' }] };
    }
    const result = await execute({ schema, document, variableValues: variables ?? {}, contextValue });
    const text = JSON.stringify(result);
    const response = JSON.parse(text) as { data?: SubgraphResponse['data']; errors?: readonly WireError[] };
    exchanges.push({ subgraph, body, response: text });
    if (response.data === undefined) invalid.push(`${subgraph}: ${response.errors?.[0]?.message ?? 'no data'} in ${body}`);
    const errors = (response.errors ?? []).map(toSubgraphError);
    return { data: response.data ?? null, ...(errors.length > 0 && { errors }) };
  };
  if (served === undefined) return { executor, exchanges, invalid };
  const connected = served.connect(executor, contextValue, ({ subgraph, kind, request, response, problem }) => {
    if (problem !== undefined) invalid.push(`${subgraph}: ${problem} in ${request}`);
    exchanges.push({
      subgraph,
      body: request,
      response: JSON.stringify(response ?? null),
      ...(kind === undefined ? {} : { connector: kind }),
    });
  });
  return { executor: connected, exchanges, invalid };
}

interface WireError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
}

function toSubgraphError({ message, path }: WireError): SubgraphError {
  return path === undefined ? { message, code: 'WORLD' } : { message, path, code: 'WORLD' };
}

function readRequest(schema: GraphQLSchema, text: string): DocumentNode | Error {
  const known = documents.get(schema) ?? new Map<string, DocumentNode>();
  documents.set(schema, known);
  let document = known.get(text);
  if (document === undefined) {
    try {
      document = parse(text);
    } catch (error) {
      return error instanceof Error ? error : new GraphQLError(String(error));
    }
    const [failure] = validate(schema, document);
    if (failure !== undefined) return failure;
    known.set(text, document);
  }
  return document;
}
