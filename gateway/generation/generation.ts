import type { GraphQLSchema } from 'graphql';
import type { WholeAccess, WholeGrant } from '../authorisation/operation-authorisation.ts';
import type { LoadedSupergraph } from '../supergraph/load-supergraph.ts';
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
  /**
   * Who is denied a document of which everything is needed, before anything of a request is looked at.
   *
   * @defaultValue nobody is, as far as can be told beforehand
   * @throws as `prepare`
   */
  accessOf?(document: string): WholeAccess | undefined;
  /**
   * Who is granted all of a document, so that nothing of its answer is left out.
   *
   * @defaultValue nobody is, as far as can be told beforehand
   * @throws as `prepare`
   */
  grantOf?(document: string): WholeGrant;
  /**
   * The subgraphs that answer a field of the public schema with nothing but what they hold themselves; none where that is not known.
   *
   * @defaultValue the graph is not made of several
   */
  readonly ownersOf?: (typeName: string, fieldName: string) => ReadonlySet<string>;
}

/** One loaded supergraph with everything that was compiled for it. Immutable but for its caches. */
export interface Generation extends GenerationHandle, GenerationView, AsyncDisposable {
  readonly executor: SubgraphExecutor;
  /** Where its subgraphs answer, as it says. */
  readonly subgraphs?: LoadedSupergraph['subgraphs'];
  /** Tells if a document needs neither to be parsed nor validated. */
  isPrepared(document: string | PreparedDocument): boolean;
  /**
   * An operation of a document, from the cache where it is known.
   *
   * @throws OperationRefused what `prepare` throws, or `OPERATION_RESOLUTION_FAILURE`
   */
  prepareOperation(document: string | PreparedDocument, operationName?: string): PreparedOperation;
  /** The operations that were asked for most, the most used first: what `warm` of the next generation takes. */
  mostUsed?(limit: number): readonly UsedOperation[];
  /**
   * Prepares operations before they are asked for, so that a new generation is not slower than the one before. Those that
   * it refuses are left out.
   *
   * @param signal ends it early: what is not prepared by then is prepared when it is asked for
   */
  warm?(entries: readonly UsedOperation[], signal: AbortSignal): Promise<void>;
}

/** An operation as it was asked for. */
export interface UsedOperation {
  readonly document: string;
  readonly operationName?: string;
  /** Values of the variables in `@skip` and `@include`, and in `@defer` where it counts, by their names in the canonical operation. @defaultValue none: it has no such variables */
  readonly conditions?: Readonly<Record<string, boolean>>;
  /** Labels of `@override` that were on. @defaultValue none */
  readonly labels?: readonly string[];
  /** Whether its answer came in parts. @defaultValue at once */
  readonly isDeferring?: boolean;
  /** What was decided about the rights of its callers, by requirement. @defaultValue all was granted */
  readonly access?: Readonly<Record<string, string>>;
}

/** A value that belongs to a generation. `acquire` pins both until disposed. */
export interface GenerationBound<T> {
  /**
   * Resolves when it is there for the generation that is served, at once where none is served yet: then it comes with the
   * first one. Rejects with what its builder threw for the generation that is served; then it comes with none.
   */
  readonly ready: Promise<void>;
  /** @throws GatewayError `NO_SUPERGRAPH` while none is loaded */
  acquire(): { readonly value: T; readonly generation: GenerationHandle } & Disposable;
}
