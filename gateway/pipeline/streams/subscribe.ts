import type { ExecutableOperation } from '../../execution/executable-operation.ts';
import type { Generation } from '../../generation/generation.ts';
import type { Generations } from '../../generation/generations.ts';
import type { Clock } from '../../platform/clock.ts';
import { GatewayError, INTERNAL_ERROR_MESSAGE, isErrorCode } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logger.ts';
import { isPromise } from '../../platform/maybe-promise.ts';
import { recordPromise } from '../../platform/operation-recorder.ts';
import type { SubgraphExecutor } from '../../supergraph/subgraph-executor.ts';
import type { SubgraphEvent, SubgraphStreams } from '../../supergraph/subgraph-streams.ts';
import { withDeadline } from '../execution/with-deadline.ts';
import type { PreparedRequest } from '../operation-run.ts';
import type { Authorize } from '../stages/authorize.ts';
import type { OperationChecks } from '../stages/check-operation.ts';
import type { ErrorLocator } from '../stages/locate-errors.ts';
import type { SelectLabels } from '../stages/override-labels.ts';
import type { EventStream, SubscriptionRequest } from './event-stream.ts';
import { createExpiryWheel } from './expiry-wheel.ts';
import {
  createOpenStreams,
  type MakeStreamDependencies,
  type OpenStreamsOptions,
  type StreamsReport,
  tokenExpired,
} from './open-streams.ts';
import { shareKeyOf, type SharingRules } from './share-key.ts';
import type { StreamBinding } from './stream-binding.ts';

/** Limits and connections of subscriptions. */
export interface SubscriptionSettings extends Pick<OpenStreamsOptions, 'reloadWindowMs'> {
  /** Opens streams of subgraphs. */
  readonly upstream: SubgraphStreams;
  readonly sharing: SharingRules;
  /** Maximum number of events that wait for a client. A client that exceeds it is dropped. @unit events */
  readonly maxQueuedEvents: number;
  /** Maximum size of these events. @unit bytes */
  readonly maxQueuedBytes: number;
  readonly clock: Clock;
}

/** Dependencies that subscriptions share with other operations. */
export interface SubscriptionsDependencies extends SubscriptionSettings {
  readonly generations: Generations;
  readonly checks: OperationChecks;
  readonly authorize: Authorize;
  readonly selectLabels: SelectLabels;
  readonly locator: ErrorLocator;
  /** Time for the execution of an event. @unit milliseconds */
  readonly operationTimeoutMs: number;
  readonly logger: Logger;
}

/** A prepared operation with its subscription request. */
export interface PreparedSubscription extends PreparedRequest {
  readonly request: SubscriptionRequest;
}

/** Runs all subscriptions of the gateway. */
export interface Subscriptions {
  /** @throws GatewayError `TOKEN_EXPIRED` for expired credentials */
  checkExpiry(request: SubscriptionRequest): void;
  /**
   * Authorizes and plans a subscription that was charged, and joins the stream that its subscribers share. The charge is the cost of one
   * event, because a subscriber to a shared stream causes no additional execution.
   *
   * @throws GatewayError when it is denied or its first subgraph cannot be reached
   */
  open(subscription: PreparedSubscription, variables: Variables): Promise<EventStream>;
  report(): StreamsReport;
  /** Ends all streams with `OVERLOADED`, because the gateway is shutting down and clients should subscribe to another instance. */
  close(): void;
}

type Variables = Readonly<Record<string, unknown>>;

export function createSubscriptions(dependencies: SubscriptionsDependencies): Subscriptions {
  const { generations, checks, authorize, selectLabels, locator, operationTimeoutMs, logger } = dependencies;
  const { upstream, sharing, maxQueuedEvents, maxQueuedBytes, reloadWindowMs, clock } = dependencies;
  const now = (): number => clock.now();
  const wheel = createExpiryWheel(now);
  const streams = createOpenStreams({
    limits: { maxQueuedEvents, maxQueuedBytes },
    reloadWindowMs,
    wheel,
    now,
    random: Math.random,
    logger,
  });

  /** Authorizes and plans a subscription in one generation, which remains pinned until the binding is disposed of. */
  async function bind({ generation, ...subscription }: PreparedSubscription, variables: Variables): Promise<StreamBinding> {
    const { request, operation } = subscription;
    const pin = generations.pin(generation);
    try {
      const access = await authorize(operation, request);
      const labels = await selectLabels(operation, request);
      const planning = operation.executable(variables, labels, false, { access, planningCaller: request });
      const executable = isPromise(planning) ? await recordPromise(request.recorder, 'plan', planning) : planning;
      const { source } = executable;
      const context = { principal: request.principal, correlationId: request.correlationId, headers: request.headers };
      if (source === undefined) throw await toDenial(executable, { variables, context });
      return {
        generation,
        executable,
        source,
        variables,
        aliases: operation.aliases,
        body: source.bodyFor(variables),
        address: upstream.addressOf(source.subgraph, urlOf(generation, source.subgraph)),
        key: shareKeyOf({ operation: identityOf(subscription), variables, labels, access }, request, sharing),
        [Symbol.dispose]: () => pin[Symbol.dispose](),
      };
    } catch (error) {
      pin[Symbol.dispose]();
      throw error;
    }
  }

  /** Prepares the same subscription in another generation, without charging for it again. */
  async function rebind(subscription: PreparedSubscription, generation: Generation): Promise<StreamBinding> {
    const pin = generations.pin(generation);
    try {
      const operation = generation.prepareOperation(subscription.document, subscription.request.operationName);
      const again = { ...subscription, generation, operation };
      checks.checkSubscription(again);
      return await bind(again, checks.coerceVariables(again));
    } finally {
      pin[Symbol.dispose]();
    }
  }

  /** Makes the dependencies of a shared stream. Its requests use the context of the first subscriber. */
  function dependenciesFor({ principal, correlationId, headers }: SubscriptionRequest): ReturnType<MakeStreamDependencies> {
    const context = { principal, correlationId, headers };
    return {
      logger,
      maxPendingEvents: maxQueuedEvents,
      maxPendingBytes: maxQueuedBytes,
      open: ({ source: { subgraph }, body, generation }, lastEventId, listener) =>
        upstream.open({ subgraph, url: urlOf(generation, subgraph), body, context, lastEventId }, listener),
      run({ executable, variables, aliases, generation }, event) {
        const controller = new AbortController();
        // Each event is a separate operation for subgraphs: it is scheduled and logged as one.
        const run = { variables, context: { ...context }, executor: respondingWith(event, generation.executor), signal: controller.signal };
        return withDeadline(operationTimeoutMs, undefined, controller, () =>
          executable.execute(aliases === undefined ? run : { ...run, aliases }),
        );
      },
    };
  }

  /** Queue of moves to new generations, which run one after another. */
  let moving = Promise.resolve();
  generations.onReplaced((next) => {
    const pin = generations.pin(next);
    moving = moving
      .then(() => streams.move(pin.generation))
      .catch((error: unknown) => logger.error({ err: error }, 'The streams could not be moved to the new supergraph.'))
      .finally(() => pin[Symbol.dispose]());
  });

  return {
    checkExpiry(request) {
      if ((expiryOf(request)() ?? Number.POSITIVE_INFINITY) <= now()) throw tokenExpired();
    },
    async open(subscription, variables) {
      const { request, document } = subscription;
      const { correlationId, lastEventId, signal, operationName } = request;
      const subscriber = {
        correlationId,
        lastEventId,
        wantsBookmarks: request.wantsBookmarks === true,
        locate: (errors: Parameters<ErrorLocator['locateErrors']>[0]) => locator.locateErrors(errors, document, operationName),
        signal,
        expiresAt: expiryOf(request),
        rebind: (generation: Generation) => rebind(subscription, generation),
      };
      return streams.join(await bind(subscription, variables), subscriber, () => dependenciesFor(request));
    },
    report: () => streams.report(),
    close() {
      wheel[Symbol.dispose]();
      streams.close(new GatewayError('OVERLOADED', 'This gateway is shutting down. Subscribe again.', { headers: { 'retry-after': '1' } }));
    },
  };
}

function expiryOf({ expiresAt, principal }: SubscriptionRequest): () => number | undefined {
  return expiresAt ?? (() => principal.expiresAt);
}

function urlOf({ subgraphs }: Generation, subgraph: string): string {
  return subgraphs?.get(subgraph)?.url ?? '';
}

/** Identifies the operation with its response keys. */
function identityOf({ operation, document, request }: Pick<PreparedSubscription, 'operation' | 'document' | 'request'>): string {
  const text = typeof document === 'string' ? document : document.text;
  return operation.streamId ?? JSON.stringify([text, request.operationName]);
}

/** Creates an executor that returns the event as the response of the first subgraph. */
function respondingWith({ response }: SubgraphEvent, executor: SubgraphExecutor): SubgraphExecutor {
  return (request, signal) => (request.kind === 'subscription' ? Promise.resolve(response) : executor(request, signal));
}

/** Makes the error of a subscription that has no stream because its root field is denied. */
async function toDenial(
  executable: ExecutableOperation,
  run: Pick<Parameters<ExecutableOperation['execute']>[0], 'variables' | 'context'>,
): Promise<GatewayError> {
  const executor: SubgraphExecutor = () =>
    Promise.reject(new Error('A subscription without a stream must not send requests to subgraphs.'));
  const { errors } = await executable.execute({ ...run, executor, signal: new AbortController().signal });
  const [first] = errors;
  return first !== undefined && isErrorCode(first.code)
    ? new GatewayError(first.code, first.message)
    : new GatewayError('INTERNAL_SERVER_ERROR', INTERNAL_ERROR_MESSAGE);
}
