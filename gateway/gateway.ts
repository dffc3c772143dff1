import type { Caller } from './budget/budgets.ts';
import type { CallerBudget } from './budget/caller-budget.ts';
import type { SupergraphReport } from './generation/follow-supergraph.ts';
import type { GenerationBound, GenerationView } from './generation/generation.ts';
import type { HealthReport } from './http/health.ts';
import type { MountedHandler } from './http/mounts.ts';
import type { AdmitReplay } from './pipeline/admit-replay.ts';
import type { Idempotency } from './idempotency/idempotency.ts';
import type { PoliciesHook } from './pipeline/decide-access.ts';
import type { Subscribe, SubscriptionRequest } from './pipeline/event-stream.ts';
import type { BytesResult, ObjectResult, OperationRequest } from './pipeline/operation-request.ts';
import type { OverrideLabels } from './pipeline/override-labels.ts';
import type { Clock } from './platform/clock.ts';
import type { EdgeEvents } from './platform/http/limits/edge-events.ts';
import type { Logger } from './platform/logger.ts';
import type { Principal } from './platform/principal.ts';
import type { RequestHeaders } from './platform/request-headers.ts';
import type { StreamDelivery } from './subscriptions/stream-sender.ts';
import type { SubgraphAddress } from './supergraph/read-subgraphs.ts';
import type { SupergraphSource } from './supergraph/sources/supergraph-source.ts';
import type { SubgraphExecutor } from './supergraph/subgraph-executor.ts';

/** One graph, served. Every door goes through `run`. */
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
  /** What the caller may spend, to be handed to `run` and told in the answer; undefined where there is no end to it. */
  budgetOf(caller: Caller): CallerBudget | undefined;
  /** What is known of requests that came with an idempotency key, at all doors of this graph. */
  readonly idempotency: Idempotency;
  /** Checks the rights of a caller to a response that was stored with an idempotency key, before it is sent again. */
  readonly admitReplay: AdmitReplay;
  /** One operation, all stages; answers in JSON text. @throws GatewayError when the operation is refused */
  run(request: OperationRequest, output: 'bytes'): Promise<BytesResult>;
  /** One operation, all stages; answers in values. @throws GatewayError when the operation is refused */
  run(request: OperationRequest, output: 'object'): Promise<ObjectResult>;
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
   * Loads the supergraph and compiles, as `listen` and the first `run` do by themselves. Of a source on the network the
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
