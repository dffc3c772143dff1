import type { Budgets } from '../budget/budgets.ts';
import type { ExecutableOperation } from '../execution/executable-operation.ts';
import type { GenerationPin, Generations } from '../generation/generations.ts';
import type { PreparedDocument } from '../generation/prepared-document.ts';
import type { PreparedOperation } from '../generation/prepared-operation.ts';
import { OperationRefused } from '../operation/errors.ts';
import { GatewayError, INTERNAL_ERROR_MESSAGE, isErrorCode } from '../platform/errors.ts';
import type { SubgraphExecutor } from '../supergraph/subgraph-executor.ts';
import type { SubgraphEvent, SubgraphStreams } from '../supergraph/subgraph-streams.ts';
import type { AccessDecider } from './decide-access.ts';
import type { Subscribe, SubscriptionRequest } from './event-stream.ts';
import type { CostLimit } from './limit-cost.ts';
import type { ErrorLocator } from './locate-errors.ts';
import type { OperationRequest } from './operation-request.ts';
import type { LabelDecider } from './override-labels.ts';
import { refuseIntrospection } from './refuse-introspection.ts';
import { type MakeParts, type OpenStreams, tokenExpired } from './streams/open-streams.ts';
import { type SharingRules, shareKeyOf } from './streams/share-key.ts';
import type { SharedStreamParts } from './streams/shared-stream.ts';
import type { StreamBinding } from './streams/stream-binding.ts';
import { withDeadline } from './with-deadline.ts';
import { payDocument } from './pay-document.ts';

/** The stages that subscriptions have in common with other operations, and what is theirs alone. */
export interface SubscriptionStages {
  readonly generations: Generations;
  readonly documentOf: (request: OperationRequest) => string | PreparedDocument | Promise<string>;
  readonly register: (request: OperationRequest) => void;
  readonly decideAccess: AccessDecider;
  readonly decideLabels: LabelDecider;
  readonly limitCost: CostLimit | undefined;
  readonly budgets: Budgets | undefined;
  /** Prepares a new document when it is the caller's turn. */
  readonly inTurn: <T>(request: OperationRequest, prepare: () => T) => Promise<T> | T;
  readonly isIntrospectionAllowed: boolean;
  /** Until an event must be run. @unit milliseconds */
  readonly operationTimeoutMs: number;
  readonly locator: ErrorLocator;
  /** Who asks subgraphs for streams. */
  readonly upstream: SubgraphStreams;
  readonly open: OpenStreams;
  readonly sharing: SharingRules;
  readonly shared: Pick<SharedStreamParts, 'logger' | 'maxPendingEvents' | 'maxPendingBytes'>;
  /** Wall clock. @unit milliseconds since the epoch */
  readonly now: () => number;
}

const NONE: Readonly<Record<string, unknown>> = Object.freeze({});

/**
 * Runs a subscription through the stages of every operation, in their order, and opens its stream. Its cost, that of one
 * event, is paid once, when it begins: who gets the same events as others makes no work by them.
 */
export function createSubscribe(stages: SubscriptionStages): Subscribe {
  const { generations, documentOf, register, limitCost, budgets, inTurn, operationTimeoutMs, locator, upstream, open, now } = stages;

  async function bind(pin: GenerationPin, ready: Ready, request: SubscriptionRequest): Promise<StreamBinding> {
    try {
      const { generation } = pin;
      const { prepared, variables, operation } = ready;
      const access = prepared.authorisation && (await stages.decideAccess(prepared.authorisation, request));
      const labels = await labelsOf(prepared, request);
      const executable = await prepared.executable(variables, labels, false, { access, asking: request });
      const { source } = executable;
      const context = { principal: request.principal, correlationId: request.correlationId, headers: request.headers };
      if (source === undefined) throw await toRefusal(executable, { variables, context });
      return {
        generation,
        executable,
        source,
        variables,
        aliases: prepared.aliases,
        body: source.bodyFor(variables),
        address: upstream.addressOf(source.subgraph, generation.subgraphs?.get(source.subgraph)?.url ?? ''),
        key: shareKeyOf({ operation, variables, labels, access }, request, stages.sharing),
        [Symbol.dispose]: () => pin[Symbol.dispose](),
      };
    } catch (error) {
      pin[Symbol.dispose]();
      throw error;
    }
  }

  async function labelsOf({ labels = [] }: PreparedOperation, request: OperationRequest): Promise<readonly string[]> {
    return labels.length === 0 ? labels : stages.decideLabels(labels, request);
  }

  function prepare(pin: GenerationPin, document: string | PreparedDocument, request: SubscriptionRequest): Ready {
    const prepared = pin.generation.prepareOperation(document, request.operationName);
    if (prepared.kind !== 'subscription') throw new GatewayError('BAD_REQUEST', 'Only a subscription is answered with a stream.');
    refuseIntrospection(prepared, stages.isIntrospectionAllowed);
    const text = typeof document === 'string' ? document : document.text;
    const operation = prepared.streamId ?? JSON.stringify([text, request.operationName]);
    try {
      return { prepared, variables: prepared.coerceVariables(request.variables ?? NONE), operation };
    } catch (error) {
      throw locator.locateRefusal(error, document, request.operationName);
    }
  }

  /** What runs a stream; the first who asks for it stands for all who share it. */
  function partsFor({ principal, correlationId, headers }: SubscriptionRequest): ReturnType<MakeParts> {
    const context = { principal, correlationId, headers };
    return {
      ...stages.shared,
      open: ({ source, body, generation }, lastEventId, listener) =>
        upstream.open(
          { subgraph: source.subgraph, url: generation.subgraphs?.get(source.subgraph)?.url ?? '', body, context, lastEventId },
          listener,
        ),
      run({ executable, variables, aliases, generation }, event) {
        const controller = new AbortController();
        // Each event is an operation of its own to the subgraphs: it takes turns and is logged as one.
        const run = { variables, context: { ...context }, executor: answering(event, generation.executor), signal: controller.signal };
        return withDeadline(operationTimeoutMs, undefined, controller, () =>
          executable.execute(aliases === undefined ? run : { ...run, aliases }),
        );
      },
    };
  }

  return async (request) => {
    const { principal, correlationId, lastEventId, signal } = request;
    const expiresAt = request.expiresAt ?? (() => principal.expiresAt);
    if ((expiresAt() ?? Number.POSITIVE_INFINITY) <= now()) throw tokenExpired();
    const document = await documentOf(request);
    const budget = request.budget ?? budgets?.of(request);
    const pin = generations.pin(request.generation);
    let ready: Ready;
    let { documentCharge: paid = 0 } = request;
    try {
      if (pin.generation.isPrepared(document)) {
        ready = prepare(pin, document, request);
      } else {
        paid = request.documentCharge ?? (await payDocument(budget, document));
        ready = await inTurn(request, () => prepare(pin, document, request));
      }
      await budget?.spend('subscription', limitCost?.(ready.prepared, ready.variables) ?? 0, paid);
      register(request);
    } catch (error) {
      pin[Symbol.dispose]();
      if (budget !== undefined && error instanceof OperationRefused) await budget.payRefusal(paid);
      throw error;
    }
    const binding = await bind(pin, ready, request);
    return open.join(
      binding,
      {
        correlationId,
        lastEventId,
        wantsMarks: request.wantsMarks === true,
        locate: (errors) => locator.locateErrors(errors, document, request.operationName),
        signal,
        expiresAt,
        async rebind(generation) {
          const next = generations.pin(generation);
          let again: Ready;
          try {
            again = prepare(next, document, request);
          } catch (error) {
            next[Symbol.dispose]();
            throw error;
          }
          return bind(next, again, request);
        },
      },
      () => partsFor(request),
    );
  };
}

/** A subscription with the variables of one request. */
interface Ready {
  readonly prepared: PreparedOperation;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Names what is asked, and under which response keys. */
  readonly operation: string;
}

/** The first subgraph has answered already: by the event. */
function answering({ response }: SubgraphEvent, executor: SubgraphExecutor): SubgraphExecutor {
  return (request, signal) => (request.kind === 'subscription' ? Promise.resolve(response) : executor(request, signal));
}

/** What a subscription is refused with that has no stream: its root field is denied. */
async function toRefusal(
  executable: ExecutableOperation,
  run: Pick<Parameters<ExecutableOperation['execute']>[0], 'variables' | 'context'>,
): Promise<GatewayError> {
  const executor: SubgraphExecutor = () => Promise.reject(new Error('Nobody is asked for what is not streamed.'));
  const { errors } = await executable.execute({ ...run, executor, signal: new AbortController().signal });
  const [first] = errors;
  return first !== undefined && isErrorCode(first.code)
    ? new GatewayError(first.code, first.message)
    : new GatewayError('INTERNAL_SERVER_ERROR', INTERNAL_ERROR_MESSAGE);
}
