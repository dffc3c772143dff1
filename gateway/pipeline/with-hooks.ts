import { checkResponseHeaders, requireObject, withHeaderChanges } from '../hooks/apply-changes.ts';
import type { CompiledHooks } from '../hooks/compile-hooks.ts';
import { RequestState } from '../hooks/hooked-request.ts';
import type { ResponseChanges, ResponseHookContext } from '../hooks/hooks.ts';
import { GatewayError } from '../platform/errors.ts';
import { chain, isPromise, type MaybePromise } from '../platform/maybe-promise.ts';
import type { ExecuteStage } from './execution/execute.ts';
import type { OperationRequest } from './operation-request.ts';
import type { ObjectResult, ResultFacts } from './operation-result.ts';
import type { AroundOperation, ExecutedOrSubscribed } from './pipeline.ts';
import type { EventStream } from './streams/event-stream.ts';
import { withEventHook } from './streams/with-event-hook.ts';
import type { IdempotentPipeline, IdempotentResult } from './with-idempotency.ts';

/** Whether a hook runs for each request. `onPlan` does not, so it adds nothing to the pipeline. */
export function hasRequestHooks(hooks: CompiledHooks | undefined): hooks is CompiledHooks {
  return hooks !== undefined && Object.keys(hooks).some((name) => name !== 'onPlan');
}

/** A request whose hooks run. */
type StartedRequest = OperationRequest & { readonly hooked: RequestState };

/** Changes of a response, after their check. */
interface CheckedChanges {
  headers?: ResultFacts['headers'];
  extensions?: NonNullable<ResponseChanges['extensions']>;
}

/**
 * Runs the hooks of requests, responses and events around a pipeline. All transports use the result, so that no transport can bypass a hook.
 *
 * HTTP caches must not store a response that a hook changed, or whose request a hook changed, because they know neither change.
 */
export function withHooks(pipeline: IdempotentPipeline, hooks: CompiledHooks): IdempotentPipeline {
  const { onRequest, onResponse, onEvent } = hooks;

  function start<Request extends OperationRequest>(request: Request): MaybePromise<Request & StartedRequest> {
    const { transport, principal, correlationId, remoteAddress, headers, operationName, signal } = request;
    const hooked = new RequestState({ transport, principal, correlationId, remoteAddress, headers, operationName, signal });
    if (onRequest === undefined) return { ...request, hooked };
    const running = onRequest(hooked, (changes) => {
      if (changes.headers === undefined) return;
      hooked.headers = withHeaderChanges(hooked.headers, changes.headers);
      hooked.isChanged = true;
    });
    return chain(running, () => ({ ...request, headers: hooked.headers, hooked }));
  }

  /** Runs `onResponse`. @returns the changes of all modules */
  function changesOf(context: Omit<ResponseHookContext, 'kind' | 'name'>, { operation }: RequestState): MaybePromise<CheckedChanges> {
    const collected: CheckedChanges = {};
    if (onResponse === undefined) return collected;
    const running = onResponse({ ...context, kind: operation?.kind, name: operation?.name }, ({ headers, extensions }) => {
      if (headers !== undefined) collected.headers = { ...collected.headers, ...checkResponseHeaders(headers) };
      if (extensions !== undefined) collected.extensions = { ...collected.extensions, ...requireObject(extensions, 'extensions') };
    });
    return chain(running, () => collected);
  }

  function finishText(result: IdempotentResult, hooked: RequestState): MaybePromise<IdempotentResult> {
    const changes = changesOf(
      {
        request: hooked,
        errorCodes: result.facts.errorCodes,
        isRejected: false,
        isCacheable: result.cached !== undefined,
        cost: () => (isExecuted(result) ? hooked.costOf?.((JSON.parse(result.body) as { readonly data: unknown }).data) : undefined),
      },
      hooked,
    );
    return chain(changes, ({ headers, extensions }) => {
      if (headers === undefined && extensions === undefined && !hooked.isChanged) return result;
      const { cached: _cached, memo: _memo, bytes: _bytes, longBody, ...rest } = result;
      const body = extensions === undefined ? result.body : `${result.body.slice(0, -1)},"extensions":${JSON.stringify(extensions)}}`;
      return { ...rest, body, longBody: extensions === undefined ? longBody : undefined, facts: uncached(result.facts, headers) };
    });
  }

  function finishObject(result: ObjectResult, hooked: RequestState): MaybePromise<ObjectResult> {
    const changes = changesOf(
      {
        request: hooked,
        errorCodes: result.facts.errorCodes,
        isRejected: false,
        isCacheable: result.facts.cachePolicy !== undefined,
        cost: () => hooked.costOf?.(result.data),
      },
      hooked,
    );
    return chain(changes, ({ headers }) => {
      if (headers === undefined && !hooked.isChanged) return result;
      return withFacts(result, uncached(result.facts, headers));
    });
  }

  /** Makes the error for the client. Errors that are no rejection have no response: the client has disconnected, or the gateway logs a defect. */
  function finishRejection(error: unknown, hooked: RequestState): unknown {
    if (onResponse === undefined || !(error instanceof GatewayError)) return error;
    const context = { request: hooked, errorCodes: [error.code], isRejected: true, isCacheable: false, cost: () => undefined };
    return chain(changesOf(context, hooked), ({ headers }) => (headers === undefined ? error : withErrorHeaders(error, headers)));
  }

  async function run<Request extends OperationRequest, Result>(
    request: Request,
    work: (started: Request & StartedRequest) => Promise<Result>,
    finish: (result: Result, hooked: RequestState) => MaybePromise<Result>,
  ): Promise<Result> {
    const starting = start(request);
    const started = isPromise(starting) ? await starting : starting;
    const { hooked } = started;
    let result: Result;
    try {
      result = await work(started);
    } catch (error) {
      throw await finishRejection(error, hooked);
    }
    return finish(result, hooked);
  }

  function finishStream(stream: EventStream, hooked: RequestState): EventStream {
    return onEvent === undefined ? stream : withEventHook(stream, hooked, onEvent);
  }

  return {
    execute: (request) => run(request, (started) => pipeline.execute(started), finishText),
    executeToObject: (request) => run(request, (started) => pipeline.executeToObject(started), finishObject),
    subscribe: (request) => run(request, (started) => pipeline.subscribe(started), finishStream),
    executeOrSubscribe: (request, toSubscription) =>
      run<OperationRequest, ExecutedOrSubscribed<IdempotentResult>>(
        request,
        (started) =>
          pipeline.executeOrSubscribe(started, (operation) => {
            // Transports may return a request that they made before the hooks ran.
            const { headers, variables } = operation;
            return { ...toSubscription(operation), headers, variables, hooked: started.hooked };
          }),
        (result, hooked) => {
          if ('stream' in result) return { stream: finishStream(result.stream, hooked) };
          return chain(finishText(result.response, hooked), (response) => ({ response }));
        },
      ),
  };
}

/** Runs `onOperation` between preparing and charging an operation. */
export function createAroundOperation({ onOperation }: CompiledHooks): AroundOperation {
  return (next) => (prepared) => {
    const { request, document, operation } = prepared;
    const { hooked } = request;
    if (hooked !== undefined) hooked.operation = { kind: operation.kind, name: operation.name };
    if (onOperation === undefined || hooked === undefined) return next(prepared);
    const context = {
      request: hooked,
      kind: operation.kind,
      name: operation.name,
      document: typeof document === 'string' ? document : document.text,
      variables: request.variables ?? NO_VARIABLES,
    };
    const running = onOperation(context, ({ variables }) => {
      if (variables === undefined) return;
      context.variables = requireObject(variables, 'variables');
      hooked.isChanged = true;
      prepared.request = { ...prepared.request, variables };
    });
    return isPromise(running) ? runAfter(running, () => next(prepared)) : next(prepared);
  };
}

async function runAfter<T>(running: Promise<void>, work: () => Promise<T>): Promise<T> {
  await running;
  return work();
}

/** Notes how the cost of each executed operation is computed, for `onResponse`. Returns the same stage when no hook uses it. */
export function withNotedCost(execute: ExecuteStage, hooks: CompiledHooks | undefined): ExecuteStage {
  if (hooks?.onResponse === undefined) return execute;
  return (run, isText) => {
    const { operation, variables, estimated, request } = run;
    if (request.hooked !== undefined) {
      request.hooked.costOf = (data) => ({ estimated, actual: operation.actualCost(data, variables) });
    }
    return execute(run, isText);
  };
}

const NO_VARIABLES: Readonly<Record<string, unknown>> = {};

/** Whether a response contains the complete data of an execution, so that its cost is known. */
function isExecuted({ incremental, cached, isReplayed }: IdempotentResult): boolean {
  return incremental === undefined && isReplayed !== true && (cached === undefined || cached.executed !== undefined);
}

/** Adds headers, and removes everything that allows HTTP caches to store the response. */
function uncached({ errorCodes, isPersonal }: ResultFacts, headers: ResultFacts['headers']): ResultFacts {
  return {
    errorCodes,
    ...(isPersonal === undefined ? {} : { isPersonal }),
    ...(headers === undefined ? {} : { headers }),
  };
}

/** Copies a result without reading its data, which may not be parsed yet. */
function withFacts(result: ObjectResult, facts: ResultFacts): ObjectResult {
  const { text, errors } = result;
  return {
    ...(text === undefined ? {} : { text }),
    errors,
    facts,
    get data() {
      return result.data;
    },
  };
}

/** Returns an error of the same class with more headers. Requests that share an execution share its errors, so the error is not changed. */
function withErrorHeaders(error: GatewayError, headers: NonNullable<ResultFacts['headers']>): GatewayError {
  const added = Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : value.join(', ')]);
  return Object.create(error, {
    headers: { value: { ...(Object.fromEntries(added) as Record<string, string>), ...error.headers }, enumerable: true },
  }) as GatewayError;
}
