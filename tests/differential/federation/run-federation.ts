import { ApolloGateway, type GraphQLDataSource } from '@apollo/gateway';
import { type DocumentNode, GraphQLError, Kind, type OperationDefinitionNode, execute, parse } from 'graphql';
import type { SubgraphError, SubgraphExecutor, SubgraphResponse } from '../../../gateway/supergraph/subgraph-executor.ts';
import { createEngine } from '../engine.ts';
import type { Federation } from './build-federation.ts';
import { createWorld, type World } from './world.ts';

/** One request. */
export interface FederationRequest {
  readonly text: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly operationName?: string;
}

/** Result that a client receives, in a comparable form. */
export interface FederatedResponse {
  readonly data: unknown;
  readonly errors: readonly { readonly message: string; readonly code: string; readonly path?: readonly (string | number)[] }[];
  /** Reason why there is no result: the planner gave up. */
  readonly failure?: string;
}

/** Changes the response of a subgraph as it would come over the wire. It throws to make the subgraph fail. */
export type SubgraphFailure = (subgraph: string, response: WireResponse) => WireResponse;

export interface WireResponse {
  readonly data?: unknown;
  readonly errors?: readonly WireError[];
}

export interface WireError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: { readonly code?: string };
}

export interface FederationRunner {
  /** Gatefold's executor. */
  ours(request: FederationRequest, failure?: SubgraphFailure): Promise<FederatedResponse>;
  /** The stock `ApolloGateway`. */
  stock(request: FederationRequest, failure?: SubgraphFailure): Promise<FederatedResponse>;
  /** One graphql-js schema with the same data. */
  monolith(request: FederationRequest): Promise<FederatedResponse>;
}

/** Starts the stock gateway and Gatefold's planner on a federation. */
export async function createFederationRunner(federation: Federation): Promise<FederationRunner> {
  const stock = await createStock(federation);
  const { supergraphSdl, schema } = federation;
  const engine = createEngine({ supergraphSdl, schema });
  const ours: FederationRunner['ours'] = async ({ text, variables = {}, operationName }, failure) => {
    const executor = inMemoryExecutor(federation, createWorld(), failure);
    return engine.respond({ text, variables, operationName, labels: [], executor });
  };
  const monolith: FederationRunner['monolith'] = async ({ text, variables, operationName }) => {
    const result = await execute({
      schema: federation.monolith,
      document: parse(text),
      variableValues: { ...variables },
      contextValue: { world: createWorld() },
      ...(operationName !== undefined && { operationName }),
    });
    return toResponse(result.data, result.errors ?? []);
  };
  return { ours, stock, monolith };
}

function selectOperation(document: DocumentNode, name: string | undefined): OperationDefinitionNode {
  const operation = document.definitions.find((definition): definition is OperationDefinitionNode => {
    return definition.kind === Kind.OPERATION_DEFINITION && (name === undefined || definition.name?.value === name);
  });
  if (operation === undefined) throw new Error('The operation does not exist.');
  return operation;
}

async function callSubgraph(
  federation: Federation,
  world: World,
  name: string,
  body: { readonly query: string; readonly variables?: Readonly<Record<string, unknown>> | undefined },
): Promise<WireResponse> {
  const schema = federation.subgraphs.get(name);
  if (schema === undefined) throw new Error(`The subgraph ${name} does not exist.`);
  const result = await execute({ schema, document: parse(body.query), variableValues: { ...body.variables }, contextValue: { world } });
  return JSON.parse(JSON.stringify(result));
}

/** Reduces responses as the subgraph client does: only codes that a resolver set are forwarded, other errors get constant texts. */
function inMemoryExecutor(
  federation: Federation,
  world: World,
  failure: SubgraphFailure = (_name, response) => response,
): SubgraphExecutor {
  return async ({ subgraph, body }) => {
    const response = failure(subgraph, await callSubgraph(federation, world, subgraph, JSON.parse(body)));
    const errors = (response.errors ?? []).map(toSubgraphError);
    return { data: response.data as NonNullable<SubgraphResponse['data']>, ...(errors.length > 0 && { errors }) };
  };
}

/** The stock gateway accepts plain objects as errors, as it parses them from the wire. */
function toStockResponse(response: unknown): StockHttpResponse {
  return response as StockHttpResponse;
}

function toSubgraphError({ message, path, extensions }: WireError): SubgraphError {
  const code = extensions?.code;
  const reported = code === undefined ? { message: 'masked', code: 'INTERNAL_SERVER_ERROR' } : { message, code };
  return path === undefined ? reported : { ...reported, path };
}

async function createStock(federation: Federation): Promise<FederationRunner['stock']> {
  const gateway = new ApolloGateway({
    supergraphSdl: federation.supergraphSdl,
    buildService: ({ name }): GraphQLDataSource<StockContext> => ({
      async process({ request, context }) {
        const { world, failure } = context as StockContext;
        const response = await callSubgraph(federation, world, name, { query: request.query ?? '', variables: request.variables });
        return toStockResponse(failure === undefined ? response : failure(name, response));
      },
    }),
  });
  const { executor } = await gateway.load();
  return async ({ text, variables = {}, operationName }, failure) => {
    const document = parse(text);
    const context: unknown = {
      request: { query: text, variables, operationName },
      document,
      operation: selectOperation(document, operationName),
      operationName: operationName ?? null,
      queryHash: `${operationName ?? ''}/${text}`,
      source: text,
      schema: federation.schema,
      context: { world: createWorld(), failure },
      metrics: {},
      cache: undefined,
      logger: { debug() {}, info() {}, warn() {}, error() {} },
    };
    const result = await executor(context as Parameters<typeof executor>[0]).catch((error: unknown) => String(error));
    if (typeof result === 'string') return { data: null, errors: [], failure: result };
    const completions = (result.extensions?.['valueCompletion'] ?? []) as readonly GraphQLError[];
    return toResponse(result.data, [...(result.errors ?? []), ...completions]);
  };
}

type StockHttpResponse = Awaited<ReturnType<GraphQLDataSource<StockContext>['process']>>;

interface StockContext {
  readonly world: World;
  readonly failure: SubgraphFailure | undefined;
  readonly [key: string]: unknown;
}

function toResponse(data: unknown, errors: readonly (GraphQLError | Error)[]): FederatedResponse {
  return {
    data: data === undefined ? null : JSON.parse(JSON.stringify(data)),
    errors: errors.map((error) => {
      const path = error instanceof GraphQLError ? error.path : undefined;
      const code = error instanceof GraphQLError && typeof error.extensions['code'] === 'string' ? error.extensions['code'] : '';
      return path === undefined ? { message: error.message, code } : { message: error.message, code, path };
    }),
  };
}
