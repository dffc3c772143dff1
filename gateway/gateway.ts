import type { Caller } from './budget/budgets.ts';
import type { CallerBudget } from './budget/caller-budget.ts';
import type { SupergraphReport } from './generation/follow-supergraph.ts';
import type { GenerationBound, GenerationView } from './generation/generation.ts';
import type { HealthReport } from './http/internal/health.ts';
import type { MountedHandler } from './http/server/mounts.ts';
import type { AuthorizeReplay } from './pipeline/stages/authorize-replay.ts';
import type { Idempotency } from './idempotency/idempotency.ts';
import type { PoliciesHook } from './pipeline/stages/authorize.ts';
import type { Subscribe, SubscriptionRequest } from './pipeline/streams/event-stream.ts';
import type { BytesResult, ObjectResult } from './pipeline/operation-result.ts';
import type { OperationRequest } from './pipeline/operation-request.ts';
import type { OverrideLabels } from './pipeline/stages/override-labels.ts';
import type { Clock } from './platform/clock.ts';
import type { EdgeEvents } from './platform/http/limits/edge-events.ts';
import type { Logger } from './platform/logger.ts';
import type { Principal } from './platform/principal.ts';
import type { RequestHeaders } from './platform/request-headers.ts';
import type { StreamDelivery } from './subscriptions/stream-sender.ts';
import type { SubgraphAddress } from './supergraph/read-subgraphs.ts';
import type { SupergraphSource } from './supergraph/sources/supergraph-source.ts';
import type { SubgraphExecutor } from './supergraph/subgraph-executor.ts';

/** One graph, served. */
export interface Gateway extends AsyncDisposable {
  /**
   * Credentials to principal. Knows no operation.
   *
   * @param remoteAddress who pays for credentials that are not good; nobody where it is absent
   * @throws GatewayError `UNAUTHENTICATED`; `RATE_LIMITED` in its place to an address whose budget is used up
   */
  authenticate(headers: RequestHeaders, remoteAddress?: string): Promise<Principal>;
  /** How callers may prove who they are: a value of `WWW-Authenticate` for those who have not tried to. */
  readonly challenges: string;
  /** What the caller may spend, to be handed to `execute`, and written into the headers of the response. */
  budgetOf(caller: Caller): CallerBudget;
  /** What is known of requests that came with an idempotency key, at all doors of this graph. */
  readonly idempotency: Idempotency;
  /** Checks the rights of a caller to a response that was stored with an idempotency key, before it is sent again. */
  readonly admitReplay: AuthorizeReplay;
  /** Executes a query or mutation. The result is the response as JSON text. @throws GatewayError when the operation is rejected */
  execute(request: OperationRequest): Promise<BytesResult>;
  /** Executes a query or mutation. The result has the data as values. @throws GatewayError when the operation is rejected */
  executeToObject(request: OperationRequest): Promise<ObjectResult>;
  /**
   * Runs a subscription and sends its events as they come, with the limits, the checks of credentials, and the end of `/graphql`.
   * Resolves when the stream is over.
   *
   * @throws GatewayError when it is refused; nothing is written by then
   */
  stream(request: SubscriptionRequest, delivery: StreamDelivery): Promise<void>;
  /**
   * Called with each generation while it is being built; may refuse it (throw), and returns what belongs to it. Where one
   * is served already, it is called for that one first, and `ready` tells when that is done.
   */
  onGeneration<T>(build: (view: GenerationView) => T | Promise<T>): GenerationBound<T>;
  /** A handler for paths that are not ours: the longest path wins; one handler without paths owns the rest and its 404. */
  mount(handler: MountedHandler, paths?: readonly string[]): void;
  /**
   * Loads the supergraph and compiles, as `listen` and the first `execute` do by themselves. Of a source on the network the
   * first look is waited for; when it fails the gateway refuses everything with `NO_SUPERGRAPH` until one succeeds.
   *
   * @throws Error when the supergraph is on this machine and cannot be served
   */
  load(): Promise<void>;
  /** Whether requests are served, as `/health` tells. */
  health(): HealthReport;
  /** What is served, and what became of the supergraphs before. */
  generations(): GenerationsReport;
  /** Loads the supergraph, compiles, then opens both listeners; without waiting for a source on the network. @throws as `load`, and ListenFailure */
  listen(): Promise<{ readonly url: string; readonly internalUrl: string }>;
}

/** The supergraphs in memory, and what became of those that were offered. */
export interface GenerationsReport extends SupergraphReport {
  /** Of the supergraph that is served; undefined while there is none. */
  readonly current: string | undefined;
  /** Those in memory: the one that is served, and those before it whose last request has not ended. */
  readonly alive: number;
}

/** What a test, or an embedding application, may put in place of the real thing. */
export interface GatewayDependencies {
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** What asks the subgraphs in place of our own HTTP client; made for each supergraph that is loaded, and disposed with it. */
  readonly subgraphExecutor?: (subgraphs: ReadonlyMap<string, SubgraphAddress>) => SubgraphExecutor & AsyncDisposable;
  /** Where supergraphs come from in place of what the configuration names. */
  readonly supergraphSource?: () => SupergraphSource;
  /** Runs subscriptions in place of our own engine. */
  readonly subscribe?: Subscribe;
  /** Decides labels of `@override`. @defaultValue all are off but those of the form `percent(x)` */
  readonly overrideLabels?: OverrideLabels;
  /** Decides policies of `@policy`. @defaultValue no caller fulfils any */
  readonly policies?: PoliciesHook;
  /** Hears of connections, requests and responses that the bounds of the listeners refuse or cut: a hook for metrics. @defaultValue nobody does */
  readonly edgeEvents?: EdgeEvents;
  /**
   * Whether anybody tells who the callers are. Where nobody does, a supergraph that the gateway must guard is refused, and `@auth` is
   * left to the subgraphs.
   *
   * @defaultValue true
   */
  readonly knowsCallers?: boolean;
}
