import type { GraphQLSchema } from 'graphql';
import type { SubgraphExecutor } from '../supergraph/subgraph-executor.ts';
import type { PreparedDocument } from './prepared-document.ts';
import type { PreparedOperation } from './prepared-operation.ts';

/** Names one loaded supergraph; a request that was bound to it runs on it to the end. */
export interface GenerationHandle {
  readonly id: string;
}

/** What a part of the product that compiles something for each generation gets to see of it. */
export interface GenerationView {
  /** The public schema: no federation internals, nothing inaccessible. */
  readonly schema: GraphQLSchema;
  /**
   * Parses a document, holds it against the limits, and validates it.
   *
   * @throws OperationRefused `GRAPHQL_PARSE_FAILED`, `GRAPHQL_VALIDATION_FAILED`, or the code of the limit that it exceeds
   */
  prepare(document: string): PreparedDocument;
}

/** One loaded supergraph with everything that was compiled for it. Immutable but for its caches. */
export interface Generation extends GenerationHandle, GenerationView, AsyncDisposable {
  readonly executor: SubgraphExecutor;
  /**
   * An operation of a document, from the cache where it is known.
   *
   * @throws OperationRefused what `prepare` throws, or `OPERATION_RESOLUTION_FAILURE`
   */
  prepareOperation(document: string, operationName?: string): PreparedOperation;
}

/** A value that belongs to a generation. `acquire` pins both until disposed. */
export interface GenerationBound<T> {
  /** @throws GatewayError `NO_SUPERGRAPH` while none is loaded */
  acquire(): { readonly value: T; readonly generation: GenerationHandle } & Disposable;
}
