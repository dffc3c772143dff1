import type { GraphQLSchema } from 'graphql';
import type { WholeAccess, WholeGrant } from '../authorization/operation-authorization.ts';
import type { LimitMode } from '../operation/limits/limit-mode.ts';
import type { StageRecorder } from '../platform/operation-recorder.ts';
import type { SubgraphState } from '../subgraph-client/subgraph-state.ts';
import type { LoadedSupergraph } from '../supergraph/load-supergraph.ts';
import type { SubgraphContext, SubgraphExecutor } from '../supergraph/subgraph-executor.ts';
import type { PreparedDocument } from './prepared-document.ts';
import type { PreparedOperation } from './prepared-operation.ts';

/** Handle of one loaded supergraph. A request that pinned it runs on it to the end. */
export interface GenerationHandle {
  readonly id: string;
  /** Returns the state of each subgraph. @defaultValue undefined: an application sends the requests to subgraphs itself. */
  readonly subgraphStates?: (() => readonly SubgraphState[]) | undefined;
}

/** View of a generation for components that compile data for each generation. */
export interface GenerationView {
  /** The public schema, without federation internals and inaccessible elements. */
  readonly schema: GraphQLSchema;
  /**
   * Parses a document, checks the limits and validates it.
   *
   * @throws OperationRejected `GRAPHQL_PARSE_FAILED`, `GRAPHQL_VALIDATION_FAILED`, or the code of the exceeded limit
   */
  prepare(document: string): PreparedDocument;
  /**
   * Returns a check that decides in advance whether a caller is denied a document that is needed as a whole.
   *
   * @defaultValue undefined: No caller can be denied in advance.
   * @throws the same errors as `prepare`
   */
  accessOf?(document: string): WholeAccess | undefined;
  /**
   * Returns a check that decides in advance whether a caller is permitted to see all of a document, so that no part of the response is left
   * out.
   *
   * @defaultValue undefined: No caller can be granted access in advance.
   * @throws the same errors as `prepare`
   */
  grantOf?(document: string): WholeGrant;
  /**
   * Returns the subgraphs that resolve a field of the public schema from their own data alone; empty when that is unknown.
   *
   * @defaultValue undefined: The graph does not consist of several subgraphs.
   */
  readonly ownersOf?: (typeName: string, fieldName: string) => ReadonlySet<string>;
}

/** One loaded supergraph with everything compiled for it. Immutable except for its caches. */
export interface Generation extends GenerationHandle, GenerationView, AsyncDisposable {
  readonly executor: SubgraphExecutor;
  /** Whether operations above `limits.maxCost` are rejected. Decided once for each supergraph. */
  readonly costMode: LimitMode;
  /** Maximum cost of an operation. @unit points @defaultValue the limit of the configuration */
  readonly maxCost?: number;
  /** Addresses of the subgraphs, according to the supergraph. */
  readonly subgraphs?: LoadedSupergraph['subgraphs'];
  /** Whether a document needs neither parsing nor validation. */
  isPrepared(document: string | PreparedDocument): boolean;
  /**
   * Returns an operation of a document, from the cache if possible.
   *
   * @param recorder records parsing and validation of a document that is not cached. @defaultValue they are not recorded
   * @throws OperationRejected the errors of `prepare`, or `OPERATION_RESOLUTION_FAILURE`
   */
  prepareOperation(document: string | PreparedDocument, operationName?: string, recorder?: StageRecorder): PreparedOperation;
  /** Returns the most requested operations, the most used first, as input for `warm` of the next generation. */
  mostUsed?(limit: number): Promise<readonly UsedOperation[]>;
  /**
   * Prepares operations before they are requested, so that a new generation is not slower than the previous one. Operations that the
   * generation rejects are skipped.
   *
   * @param signal Ends the preparation early. The remaining operations are prepared when they are requested.
   */
  warm?(entries: readonly UsedOperation[], signal: AbortSignal): Promise<void>;
  /**
   * Prepares a document and executes it with made-up responses of subgraphs, so that V8 optimizes the code. Nothing is stored or sent. A
   * document that is rejected is skipped.
   */
  exercise?(document: string, context: SubgraphContext): Promise<void>;
}

/** An operation and the decisions for one of its variants. */
export interface UsedOperation {
  readonly document: string;
  readonly operationName?: string;
  /**
   * Values of the variables in `@skip`, `@include` and active `@defer` directives, by their names in the canonical operation.
   *
   * @defaultValue {}: The operation has no such variables.
   */
  readonly conditions?: Readonly<Record<string, boolean>>;
  /** Labels of `@override` that were active. @defaultValue [] */
  readonly labels?: readonly string[];
  /** Whether the response was delivered incrementally. @defaultValue false */
  readonly isDeferring?: boolean;
  /** Authorization decisions for the callers, by requirement. @defaultValue undefined: All requirements were granted. */
  readonly access?: Readonly<Record<string, string>>;
}

/** A value that belongs to a generation. `acquire` pins both until disposal. */
export interface PerGeneration<T> {
  /**
   * Resolves when the value exists for the current generation. When no generation is served yet, it resolves at once, and the value is
   * built with the first generation. It rejects with the error of the builder for the current generation, and the value is then built for
   * no generation.
   */
  readonly ready: Promise<void>;
  /** @throws GatewayError `NO_SUPERGRAPH` while no supergraph is loaded */
  acquire(): { readonly value: T; readonly generation: GenerationHandle } & Disposable;
}
