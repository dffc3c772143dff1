import type { IncomingRequest } from './gateway-interface.ts';

// These types have the shape of those of `@apollo/gateway`, so that an application that migrates can remove that package.

/** Name and URL of a subgraph, as `ServiceEndpointDefinition` of `@apollo/gateway`. */
export interface SubgraphEndpoint {
  readonly name: string;
  readonly url?: string;
}

/** A request that a data source sends to its subgraph, as `GraphQLDataSourceProcessOptions` of `@apollo/gateway`. */
export interface DataSourceRequest {
  readonly request: IncomingRequest['request'];
  /** `incoming operation`, `health check` or `loading schema`. */
  readonly kind: string;
  /** Context of Apollo Server. Empty for requests that do not belong to an operation of a client. */
  readonly context: IncomingRequest['context'];
  /** Request of the client. Present for incoming operations. */
  readonly incomingRequestContext?: IncomingRequest;
  /** Aborted when the response is no longer needed. Present for incoming operations. */
  readonly signal?: AbortSignal;
}

/** Sends requests to one subgraph, as `GraphQLDataSource` of `@apollo/gateway`. */
export interface DataSource {
  process(options: DataSourceRequest): Promise<NonNullable<IncomingRequest['response']>>;
}

/** Functions that a supergraph manager calls. */
export interface SupergraphHookOptions {
  /** Serves a newer supergraph. @throws Error when it is not a valid supergraph */
  update(supergraphSdl: string): void;
  /** Checks that every subgraph of a supergraph is available. @throws Error that names the first one that is not */
  healthCheck(supergraphSdl: string): Promise<void>;
  /** Returns the data source of a subgraph. */
  getDataSource(definition: SubgraphEndpoint): DataSource;
}

/** Returns the first supergraph, and may provide newer ones, as `SupergraphSdlHook` of `@apollo/gateway`. */
export type SupergraphHook = (options: SupergraphHookOptions) => Promise<FirstSupergraph>;

/** The first supergraph of a manager. */
export interface FirstSupergraph {
  readonly supergraphSdl: string;
  /** Called when the gateway stops. */
  readonly cleanup?: () => Promise<void>;
}

/** An object that provides supergraphs, as `SupergraphManager` of `@apollo/gateway`. */
export interface SupergraphProvider {
  initialize(options: SupergraphHookOptions): Promise<FirstSupergraph>;
}
