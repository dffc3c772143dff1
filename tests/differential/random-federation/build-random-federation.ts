import { composeServices } from '@apollo/composition';
import { ROUTER_SUPPORTED_SUPERGRAPH_FEATURES, Supergraph } from '@apollo/federation-internals';
import { type DocumentNode, GraphQLError, type GraphQLSchema, execute, parse, validate } from 'graphql';
import type { SubgraphError, SubgraphExecutor, SubgraphResponse } from '../../../gateway/supergraph/subgraph-executor.ts';
import { resolveFromWorld } from './monolith-schema.ts';
import { type SubgraphText, readFacts } from './read-facts.ts';
import { type SubgraphContext, addResolvers, buildBareSchema } from './subgraph-schema.ts';
import { type Run, type World, createWorld } from './world.ts';

/** Subgraphs that compose, and one schema that says the same. */
export interface RandomFederation {
  readonly subgraphs: readonly SubgraphText[];
  readonly supergraphSdl: string;
  /** The public schema, with the resolvers of the one that is no federation. */
  readonly monolith: GraphQLSchema;
  readonly schemas: ReadonlyMap<string, GraphQLSchema>;
  readonly world: World;
}

/** Why subgraphs make no federation. */
export interface NoFederation {
  readonly reasons: readonly string[];
}

/** Composes subgraphs and fills them with a world. */
export function buildRandomFederation(subgraphs: readonly SubgraphText[], seed: number): RandomFederation | NoFederation {
  const composed = compose(subgraphs.map(readFacts));
  return typeof composed === 'string' ? addMocks(subgraphs, composed, seed) : composed;
}

/** Fills the subgraphs of a supergraph with a world. @throws Error when they leave a field without a possible value */
export function addMocks(subgraphs: readonly SubgraphText[], supergraphSdl: string, seed: number): RandomFederation {
  const facts = subgraphs.map(readFacts);
  const schemas = new Map(facts.map((subgraph) => [subgraph.name, buildBareSchema(subgraph)]));
  const supergraph = Supergraph.build(supergraphSdl, {
    supportedFeatures: ROUTER_SUPPORTED_SUPERGRAPH_FEATURES,
    validateSupergraph: false,
  });
  const monolith = supergraph.apiSchema().toGraphQLJSSchema();
  const world = createWorld(facts, { schemas, publicSchema: monolith }, seed);
  for (const subgraph of facts) {
    const schema = schemas.get(subgraph.name);
    if (schema !== undefined) addResolvers(schema, subgraph, facts);
  }
  resolveFromWorld(monolith, world, facts);
  return { subgraphs, supergraphSdl, monolith, schemas, world };
}

function compose(facts: readonly { readonly name: string; readonly document: DocumentNode }[]): string | NoFederation {
  try {
    const services = facts.map(({ name, document }) => ({ name, url: `http://${name}.test`, typeDefs: document }));
    const { supergraphSdl, errors = [] } = composeServices(services);
    return supergraphSdl ?? { reasons: errors.map(({ message }) => message) };
  } catch (error) {
    return { reasons: [`composition threw ${String(error)}`] };
  }
}

/** One request of a client. */
export interface RandomRequest {
  readonly text: string;
  /** Absent where the text has one operation. */
  readonly operationName?: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Labels of `@override` that are on. */
  readonly labels: readonly string[];
}

/** What one client sees, in a form that can be compared. */
export interface RandomResponse {
  readonly data: unknown;
  readonly errors: readonly { readonly message: string; readonly path?: readonly (string | number)[] | undefined }[];
}

/** Asks the schema that is no federation. */
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

/** What went to and fro. */
export interface Exchange {
  readonly subgraph: string;
  readonly body: string;
  readonly response: string;
}

/** The subgraphs of one run, with what they were asked. */
export interface SubgraphRun {
  readonly executor: SubgraphExecutor;
  readonly exchanges: Exchange[];
  /** Requests that are not valid against the schema of the subgraph: always a defect of who sends them. */
  readonly invalid: string[];
}

const documents = new WeakMap<GraphQLSchema, Map<string, DocumentNode>>();

/** Starts the subgraphs afresh. */
export function startSubgraphs({ schemas, world }: RandomFederation, labels: readonly string[]): SubgraphRun {
  const run: Run = { mutations: 0, labels: new Set(labels) };
  const contextValue: SubgraphContext = { world, run };
  const exchanges: Exchange[] = [];
  const invalid: string[] = [];
  const executor: SubgraphExecutor = async ({ subgraph, body }) => {
    const schema = schemas.get(subgraph);
    if (schema === undefined) throw new Error(`No subgraph ${subgraph}.`);
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
  return { executor, exchanges, invalid };
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
