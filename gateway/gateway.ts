import type { Caller } from './budget/budgets.ts';
import type { CallerBudget } from './budget/caller-budget.ts';
import type { GatewayConfigInput } from './config/sections.ts';
import type { SupergraphReport } from './generation/follow-supergraph.ts';
import type { PerGeneration, GenerationView } from './generation/generation.ts';
import type { Hooks } from './hooks/hooks.ts';
import type { HealthReport } from './http/internal/health.ts';
import type { EmbeddedHandler, EmbeddedHandlers } from './http/server/embedded-handler.ts';
import type { MountedHandler } from './http/server/mounts.ts';
import type { AuthorizeReplay } from './pipeline/stages/authorize-replay.ts';
import type { Idempotency } from './idempotency/idempotency.ts';
import type { PoliciesHook } from './pipeline/stages/authorize.ts';
import type { Subscribe, SubscriptionRequest } from './pipeline/streams/event-stream.ts';
import type { BytesResult, ObjectResult, OperationError } from './pipeline/operation-result.ts';
import type { OperationRequest } from './pipeline/operation-request.ts';
import type { OverrideLabels } from './pipeline/stages/override-labels.ts';
import type { Clock } from './platform/clock.ts';
import type { EdgeEvents } from './platform/http/limits/edge-events.ts';
import type { Logger } from './platform/logger.ts';
import type { RequestRecorder } from './platform/operation-recorder.ts';
import type { PrimaryState } from './platform/primary-state.ts';
import type { Principal } from './platform/principal.ts';
import type { ShutdownCallback } from './platform/shutdown-callbacks.ts';
import type { RequestHeaders } from './platform/request-headers.ts';
import type { StreamDelivery } from './subscriptions/stream-sender.ts';
import type { SubgraphAddress } from './supergraph/read-subgraphs.ts';
import type { SourceDependencies } from './supergraph/sources/create-source.ts';
import type { TelemetryExporters } from './telemetry/open-recording.ts';
import type { SupergraphSource } from './supergraph/sources/supergraph-source.ts';
import type { SubgraphExecutor } from './supergraph/subgraph-executor.ts';

/** A query or mutation for `Gateway.run`. */
export interface OperationInput {
  /** Text of the GraphQL document. */
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  /** Operation to execute. @defaultValue the only one of the document */
  readonly operationName?: string | undefined;
  /** Caller, as `authenticate` returns it or as the application identifies it. @defaultValue an anonymous caller */
  readonly principal?: Principal | undefined;
  /**
   * Headers of the request that led to this operation, for the settings that read headers, such as `subgraphs.headers.propagate`. They are
   * not authenticated.
   *
   * @defaultValue none
   */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>> | Iterable<readonly [string, string]> | undefined;
  /** Stops a query when it is aborted. A mutation continues to its end. @defaultValue never aborted */
  readonly signal?: AbortSignal | undefined;
}

/** Response of `Gateway.run`, equal to the response over HTTP. */
export interface OperationOutput<Data = Readonly<Record<string, unknown>>> {
  /** Absent when the operation was rejected; null when an error has reached the root. */
  readonly data?: Data | null;
  /** Errors of the operation, with their codes in `extensions.code`. Absent without errors. */
  readonly errors?: readonly OperationError[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** A gateway that serves one graph. */
export interface Gateway extends AsyncDisposable {
  /**
   * Authenticates the credentials of a request, independently of any operation.
   *
   * @param remoteAddress address that is charged for invalid credentials; without an address, failures are not charged
   * @throws GatewayError `UNAUTHENTICATED` for invalid credentials; `RATE_LIMITED` instead when the budget of the address is used up
   */
  authenticate(headers: RequestHeaders, remoteAddress?: string): Promise<Principal>;
  /** Authentication schemes that the gateway accepts, as a `WWW-Authenticate` value for requests without credentials. */
  readonly challenges: string;
  /** Returns the budget of a caller. Pass it to `execute`, and write it into the response headers. */
  budgetOf(caller: Caller): CallerBudget;
  /** Stored results of requests with an idempotency key, shared by all transports of this graph. */
  readonly idempotency: Idempotency;
  /** Returns the recorder of a request, for components that are mounted in the gateway. Undefined when telemetry is off. */
  readonly recorderOf?: ((request: { readonly headers: RequestHeaders }) => RequestRecorder | undefined) | undefined;
  /** Settings of the response cache, for components that serve its responses in other formats. Undefined when responses are not cached. */
  readonly responseCache?: ResponseCacheSettings | undefined;
  /** Checks the caller's permission to receive a response that was stored with an idempotency key, before the response is replayed. */
  readonly authorizeReplay: AuthorizeReplay;
  /**
   * Executes a query or mutation with defaults for everything except its text, and returns the response as an object.
   *
   * An operation that is rejected or fails is not thrown: `errors` contains its codes.
   *
   * @throws TypeError when the input is not that of an operation
   * @throws Error when the gateway is closed, or when the local supergraph cannot be served
   * @throws the reason of `signal` when it is aborted
   */
  run<Data = Readonly<Record<string, unknown>>>(input: OperationInput): Promise<OperationOutput<Data>>;
  /** Executes a query or mutation. The result is the response as JSON text. @throws GatewayError when the operation is rejected */
  execute(request: OperationRequest): Promise<BytesResult>;
  /** Executes a query or mutation. The result has the data as values. @throws GatewayError when the operation is rejected */
  executeToObject(request: OperationRequest): Promise<ObjectResult>;
  /**
   * Runs a subscription and sends its events as they arrive. The limits, credential checks and close behavior are those of `/graphql`.
   * Resolves when the stream has ended.
   *
   * @throws GatewayError when the subscription is rejected; nothing has been written at that point
   */
  stream(request: SubscriptionRequest, delivery: StreamDelivery): Promise<void>;
  /**
   * Prepares `supergraph.warmSamples` generated operations while the gateway has no requests. Nothing is sent or stored. V8 then has
   * optimized most of the code when the first operations of clients arrive. The command `serve` calls it after the start. Does nothing
   * without a supergraph, and with a hook `onPlan`, which would receive these operations.
   */
  warmUp(): Promise<void>;
  /**
   * Registers a function that is called with each generation while it is being built. It may reject the generation by throwing, and returns
   * data that is bound to the generation. If a generation is being served already, the function is called for that generation first;
   * `ready` resolves when that call has finished.
   */
  onGeneration<T>(build: (view: GenerationView) => T | Promise<T>): PerGeneration<T>;
  /**
   * Serves requests of a server of the application, with all paths and checks of the public listener. The server must not have read the
   * body. The first request loads the supergraph, unless `load` was called before. If it cannot be loaded, later requests try again
   * after a delay of 1 to 30 seconds. Does not open a listener.
   */
  readonly handler: EmbeddedHandler;
  /**
   * Takes a connection that a client of a server of the application upgrades to a WebSocket at `/graphql`. Call it for the event `upgrade`.
   *
   * @returns false for other upgrades, or when WebSockets are disabled. The connection is then unchanged, and the application must handle
   * or close it
   */
  readonly upgrade: EmbeddedHandlers['upgrade'];
  /**
   * Mounts a handler for paths that the gateway does not serve. The longest matching path wins. One handler without paths receives all
   * remaining requests and is responsible for the 404.
   */
  mount(handler: MountedHandler, paths?: readonly string[]): void;
  /**
   * Loads the supergraph and compiles it. `listen` and the first `execute` call it implicitly. For a network source, it waits for the first
   * poll. If that poll fails, the gateway rejects all requests with `NO_SUPERGRAPH` until a poll succeeds.
   *
   * @throws Error when the supergraph is local and cannot be served
   */
  load(): Promise<void>;
  /**
   * Applies the reloadable settings of a configuration to new requests, and returns the settings that only a restart changes. Requests in
   * progress continue with their settings.
   *
   * @throws ConfigurationInvalid when the configuration has a mistake; nothing has changed then
   * @throws any error with which the current supergraph cannot be served by the new limits; nothing has changed then
   */
  reload(config: GatewayConfigInput): Promise<ReloadReport>;
  /** Returns whether the gateway serves requests, as reported by `/health`. */
  health(): HealthReport;
  /** Returns the generation that is being served and the status of earlier supergraphs. */
  generations(): GenerationsReport;
  /**
   * Loads the supergraph, compiles it, and opens both listeners. Does not wait for a network source.
   *
   * @throws the errors of `load`, and ListenFailure
   */
  listen(): Promise<{ readonly url: string; readonly internalUrl: string }>;
  /**
   * Registers a function that `close` calls after the last request has ended, for example to send buffered telemetry. `close` waits up to 5
   * seconds for all of them. An error is logged.
   */
  onShutdown(callback: ShutdownCallback): void;
  /**
   * Stops the gateway. A gateway that listens reports at once that it is not ready, and serves requests for `server.shutdown.lameDuckMs`.
   * Then it finishes the requests in progress, for up to `server.drainTimeoutMs`, and closes streams, listeners and connections to subgraphs.
   * Further calls return the same promise. `Symbol.asyncDispose` does the same, for `await using`.
   */
  close(): Promise<void>;
}

/** Settings of the response cache. */
export interface ResponseCacheSettings {
  /** Maximum number of cached responses. @unit entries */
  readonly maxEntries: number;
  /** Maximum memory of cached responses. @unit bytes */
  readonly maxBytes: number;
  /** Time for which an expired response may be served while a new one is fetched. @unit seconds */
  readonly staleWhileRevalidateSeconds: number;
  /** Whether a request with a memo is served without its operation. False when a hook runs for each operation. */
  readonly servesMemos: boolean;
}

/** Result of reloading a configuration, as paths of settings. */
export interface ReloadReport {
  /** Settings that were changed. */
  readonly applied: readonly string[];
  /** Settings that differ and were not changed, because they need a restart. */
  readonly needRestart: readonly string[];
}

/** Status of the supergraphs in memory and of those that the source provided. */
export interface GenerationsReport extends SupergraphReport {
  /** Id of the supergraph that is being served. Undefined before the first one is loaded. */
  readonly current: string | undefined;
  /** Number of supergraphs in memory: the one that is being served, and earlier ones whose last request has not ended. */
  readonly alive: number;
}

/** Dependencies that a test or an embedding application can replace. */
export interface GatewayDependencies {
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** Sends requests to the subgraphs instead of the built-in HTTP client. Created for each loaded supergraph and disposed with it. */
  readonly subgraphExecutor?: (subgraphs: ReadonlyMap<string, SubgraphAddress>) => SubgraphExecutor & AsyncDisposable;
  /** Provides supergraphs instead of the configured source. */
  readonly supergraphSource?: (dependencies: SourceDependencies) => SupergraphSource;
  /** Runs subscriptions instead of the built-in engine. */
  readonly subscribe?: Subscribe;
  /** Evaluates `@override` labels. @defaultValue all labels are off except those of the form `percent(x)` */
  readonly overrideLabels?: OverrideLabels;
  /** Environment variables, of which connectors read those of the setting `connectors.env`. @defaultValue none */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Evaluates `@policy` policies. @defaultValue no caller satisfies any policy */
  readonly policies?: PoliciesHook;
  /** Hooks of the application. They run after those of the modules of the setting `hooks.modules`. @defaultValue none */
  readonly hooks?: Hooks | readonly Hooks[];
  /**
   * Receives events about connections, requests and responses that the listener limits reject or close, for example for metrics.
   *
   * @defaultValue events are discarded
   */
  readonly edgeEvents?: EdgeEvents;
  /** Receives the lines of the access log instead of the output that `telemetry.accessLog` names. */
  readonly accessLog?: (line: string) => void;
  /** Exporters of spans and metrics, used instead of those for the URLs of the section `telemetry`. */
  readonly telemetryExporters?: TelemetryExporters;
  /**
   * State that several gateway processes on one machine share if no Redis is configured. `gatefold serve --workers` provides it.
   *
   * @defaultValue state is stored in this process
   */
  readonly primary?: PrimaryState;
  /**
   * Whether an authentication provider identifies callers. If false, a supergraph that requires authorization by the gateway is rejected,
   * and `@auth` is left to the subgraphs.
   *
   * @defaultValue true
   */
  readonly hasAuthentication?: boolean;
}
