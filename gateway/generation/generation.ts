import type { GraphQLSchema } from 'graphql';
import type { PreparedDocument } from './prepared-document.ts';

/** Names one loaded supergraph; a request that was bound to it runs on it to the end. */
export interface GenerationHandle {
  readonly id: string;
}

/** What a part of the product that compiles something for each generation gets to see of it. */
export interface GenerationView {
  /** The public schema: no federation internals, nothing inaccessible. */
  readonly schema: GraphQLSchema;
  /**
   * Parses and validates a document.
   *
   * @throws OperationRefused `GRAPHQL_PARSE_FAILED` or `GRAPHQL_VALIDATION_FAILED`
   */
  prepare(document: string): PreparedDocument;
}

/** A value that belongs to a generation. `acquire` pins both until disposed. */
export interface GenerationBound<T> {
  acquire(): { readonly value: T; readonly generation: GenerationHandle } & Disposable;
}
