import type { SourceLocation } from 'graphql';
import type { LongText } from '../platform/long-text.ts';
import type { SubgraphContext, SubgraphExecutor } from '../supergraph/subgraph-executor.ts';

/** A planned and compiled operation. It can be executed any number of times, also concurrently. */
export interface ExecutableOperation {
  /**
   * Sends requests to the subgraphs and prints the response. Failures become entries of `errors`.
   *
   * @throws the reason of `run.signal` when it is aborted with anything but a `GatewayError`, which means that no client waits for the
   * response
   * @throws any error of the executor other than a `GatewayError`. Such an error is a defect and must be logged.
   */
  execute(run: ExecutionRun): Promise<ExecutionResult>;
  /**
   * Event source of a subscription. `execute` runs one event: the executor returns the event as the response to the request of kind
   * `subscription`, without a request to a subgraph.
   *
   * @defaultValue undefined: The operation is not a subscription, or its root field is skipped.
   */
  readonly source?: EventSource | undefined;
}

/** Source of the events of a subscription. */
export interface EventSource {
  /** Name of the subgraph that sends the events. */
  readonly subgraph: string;
  /** Returns the subscription request as JSON text: `{"query":…,"variables":…}`. */
  bodyFor(variables: Readonly<Record<string, unknown>>): string;
}

/** Data of one request to a compiled operation. */
export interface ExecutionRun {
  /** Coerced variables: defaults are filled in, and absent variables stay absent. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Context passed to the executor with every subgraph request. */
  readonly context: SubgraphContext;
  readonly executor: SubgraphExecutor;
  /**
   * Stops the operation: no further subgraph requests are sent. When the reason is a `GatewayError` (`GATEWAY_TIMEOUT`), the data received
   * so far is returned and the error is reported for the missing fields.
   */
  readonly signal: AbortSignal;
  /**
   * Map from the response keys of the compiled operation to the client's response keys. Texts compiled for a map are cached as long as the
   * map exists, so pass the same map for the same text.
   *
   * @defaultValue The client uses the response keys of the compiled operation.
   */
  readonly aliases?: ReadonlyMap<string, string> | undefined;
  /**
   * Whether the map will not be used again, so that nothing compiled for it is cached.
   *
   * @defaultValue false
   */
  readonly isTransient?: boolean;
}

/** The response, or the initial payload of an incremental response, ready to be inserted between `{"data":` and `}`. */
export interface ExecutionResult {
  /** JSON text of `data`: an object with the client's fields in the client's order, or `null`. */
  readonly data: string;
  /** The same text in pieces, if it is long. `data` takes time and memory when its characters are first read. */
  readonly longData?: LongText;
  /** Errors without duplicates, in plan order and then in response order. Equal subgraph responses give equal errors. */
  readonly errors: readonly ExecutionError[];
  /** Number of objects in `data`, without the root. @defaultValue they are not counted */
  readonly objects?: number;
  /** Incremental payloads. Absent when the operation was compiled without `@defer`. */
  readonly deferred?: DeferredResponse;
}

/**
 * Incremental payloads after the initial one. Fetches continue until the run's signal stops them, even when no caller waits for their
 * results.
 */
export interface DeferredResponse {
  /** Whether more payloads follow. */
  readonly hasNext: boolean;
  /**
   * Returns the next payload as soon as at least one fragment is complete. It contains all complete fragments.
   *
   * @throws the same errors as `ExecutableOperation.execute`
   */
  next(): Promise<DeferredPayload>;
  /** Ends the response. The returned payload has null for each fragment that was not delivered. */
  giveUp(): DeferredPayload;
}

/** Deferred fragments delivered together. Outer fragments come before nested ones. */
export interface DeferredPayload {
  readonly patches: readonly DeferredPatch[];
}

/** A deferred fragment for one of the objects that it applies to. */
export interface DeferredPatch {
  readonly label: string | undefined;
  /** Path of the object: response keys and list indices of the client's response. */
  readonly path: readonly (string | number)[];
  /** JSON text: an object with the fields of the fragment, or `null`. */
  readonly data: string;
  /** Errors. Their paths start at the root of the response. */
  readonly errors: readonly ExecutionError[];
}

/** An entry of `errors` that uses the client's response keys. */
export interface ExecutionError {
  /** Text written for clients. */
  readonly message: string;
  /** Value of `extensions.code`. */
  readonly code: string;
  /**
   * Name of the subgraph, for an error that only development mode exposes.
   *
   * @defaultValue undefined: Clients are permitted to read the error.
   */
  readonly subgraph?: string;
  /** Locations of the field in the client's document. @defaultValue undefined: unknown. */
  readonly locations?: readonly SourceLocation[];
  /** Response keys and list indices of the client's response; absent when the error belongs to no field. */
  readonly path?: readonly (string | number)[];
}
