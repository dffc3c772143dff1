import type { SourceLocation } from 'graphql';
import type { SubgraphContext, SubgraphExecutor } from '../supergraph/subgraph-executor.ts';

/** An operation that was planned and compiled: run it as often as wanted, also concurrently. */
export interface ExecutableOperation {
  /**
   * Asks the subgraphs and prints the client's answer. What fails on the way becomes an entry of `errors`.
   *
   * @throws the reason of `run.signal` when it is aborted with anything but a `GatewayError`: nobody waits for the answer
   * @throws whatever else than a `GatewayError` the executor threw: a defect, to be logged
   */
  execute(run: ExecutionRun): Promise<ExecutionOutcome>;
  /**
   * Of a subscription: where its events come from. `execute` runs one event, which is what the executor answers to the
   * request of kind `subscription`; no subgraph is to be asked for it.
   *
   * @defaultValue none: it is no subscription, or its root field is skipped
   */
  readonly source?: EventSource | undefined;
}

/** The stream of events that a subscription is made of. */
export interface EventSource {
  /** Who gives the events. */
  readonly subgraph: string;
  /** What it is asked, as JSON text: `{"query":…,"variables":…}`. */
  bodyFor(variables: Readonly<Record<string, unknown>>): string;
}

/** What one request brings to a compiled operation. */
export interface ExecutionRun {
  /** Coerced: defaults filled in, absent ones absent. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Goes along with every request to a subgraph. */
  readonly context: SubgraphContext;
  readonly executor: SubgraphExecutor;
  /**
   * Stops the operation: no further subgraph is asked. Aborted with a `GatewayError` as reason (`GATEWAY_TIMEOUT`), what
   * arrived so far is answered and the error stands where the rest is missing.
   */
  readonly signal: AbortSignal;
  /**
   * From the response keys of the compiled operation to the client's own. What was made for a map is kept as long as the
   * map is: bring the same one for the same text.
   *
   * @defaultValue every response key is the client's own
   */
  readonly aliases?: ReadonlyMap<string, string>;
  /**
   * The map will not come again: what is made for it is not kept.
   *
   * @defaultValue false
   */
  readonly isPassing?: boolean;
}

/** The answer, or the first part of it, ready to be put between `{"data":` and `}`. */
export interface ExecutionOutcome {
  /** JSON text of `data`: an object in the client's shape and order, or `null`. */
  readonly data: string;
  /** Without duplicates, in the order of the plan and then of the response; the same for the same answers of the subgraphs. */
  readonly errors: readonly ExecutionError[];
  /** What comes later. Absent where the operation was compiled to be answered at once. */
  readonly deferred?: DeferredAnswer;
}

/** What comes after the first part of an answer. Fetches that nobody waits for go on until the signal of the run stops them. */
export interface DeferredAnswer {
  /** Whether there is a next part. */
  readonly hasNext: boolean;
  /**
   * The next part, as soon as a fragment is there; all that are go with it.
   *
   * @throws as `ExecutableOperation.execute`
   */
  next(): Promise<DeferredPart>;
  /** Ends it: each fragment that has not come, as null. */
  giveUp(): DeferredPart;
}

/** Fragments under `@defer` that came together: outer ones before those inside of them. */
export interface DeferredPart {
  readonly patches: readonly DeferredPatch[];
}

/** A fragment at one of the objects at which it stands. */
export interface DeferredPatch {
  readonly label: string | undefined;
  /** Of the object: response keys and list indices of the client's response. */
  readonly path: readonly (string | number)[];
  /** JSON text: an object with the fields of the fragment, or `null`. */
  readonly data: string;
  /** At paths from the root of the response. */
  readonly errors: readonly ExecutionError[];
}

/** One entry of `errors`, in the client's own terms. */
export interface ExecutionError {
  /** Written for clients. */
  readonly message: string;
  /** Goes into `extensions.code`. */
  readonly code: string;
  /** Name of the subgraph, of an error that passes in development only. @defaultValue the error may be read by clients */
  readonly subgraph?: string;
  /** Response keys and list indices of the client's response; absent when the error belongs to no field. */
  /** Where the client's document asks for the field. @defaultValue not known */
  readonly locations?: readonly SourceLocation[];
  readonly path?: readonly (string | number)[];
}
