import type { GenerationBound, Idempotency, ObjectResult } from '../../gateway/index.ts';
import type { Codings } from '../../gateway/platform/http/compress.ts';
import { guardRawRequest } from '../../gateway/platform/http/raw-request-guard.ts';
import type { NamedReply } from '../../gateway/platform/http/send-reply.ts';
import type { Logger } from '../../gateway/platform/logger.ts';
import type { RouteTable } from '../compile/route-table.ts';
import { type IfMatchFailureStatus, toPreconditionError } from '../errors/precondition-error.ts';
import { currentEntityTag } from '../response/validator-headers.ts';
import { createResponseFinalizer } from '../response/finalize-response.ts';
import { toRestResponse } from '../response/rest-response.ts';
import type { RestGateway } from '../rest-gateway.ts';
import { authorizeCaller, rejectDeniedCaller } from './authorize.ts';
import { authorizeFields } from './authorize.ts';
import { optionsHeaders } from './match-route.ts';
import { respondNotModified } from './conditional-request.ts';
import { respondOnce } from './idempotent-write.ts';
import { checkReadOnly } from './check-read-only.ts';
import { checkStreamParent } from './resource-stream.ts';
import { executeConditionally } from './conditional-request.ts';
import { executeRoute, type ExecutionHooks } from './execute-route.ts';
import { routeOf } from './match-route.ts';
import type { IncomingRestRequest } from '../request/request-context.ts';
import { locateResource } from './match-route.ts';
import { readRequest, type ReadRequestOptions } from './read-request.ts';
import type { RestRequest } from '../request/request-context.ts';
import { splitTarget } from '../request/request-address.ts';
import { readStreamRequest, sendEvents } from './resource-stream.ts';
import { type DeprecationOptions, writeDeprecation } from './deprecation.ts';

export interface RestHandlerOptions extends ReadRequestOptions, DeprecationOptions {
  readonly gateway: Pick<RestGateway, 'admitReplay' | 'authenticate' | 'budgetOf' | 'run' | 'stream'>;
  readonly logger: Logger;
  /** What is known of requests with an `Idempotency-Key`. */
  readonly idempotency: Idempotency;
  readonly table: GenerationBound<RouteTable>;
  /** In which content codings answers may go. */
  readonly codings: Codings;
  readonly ifMatchFailure: IfMatchFailureStatus;
  /** @unit bytes */
  readonly maxUrlBytes: number;
}

type PinnedTable = ReturnType<GenerationBound<RouteTable>['acquire']>;

/** Answers a request to a resource; with undefined where it has been sent as a stream. @throws GatewayError for every refusal and failure */
export type RestHandler = (incoming: IncomingRestRequest) => Promise<NamedReply | undefined>;

/** The whole life of a REST request, top to bottom; a stage refuses by throwing. */
export function createRestHandler(options: RestHandlerOptions): RestHandler {
  const { gateway, table } = options;
  const deliver = createResponseFinalizer(options.codings, options.now);

  function answerOrFail(result: ObjectResult, ready: RestRequest): NamedReply {
    try {
      return toRestResponse(result, ready, options);
    } catch (error) {
      throw toPreconditionError(error, ready, { ifMatchFailure: options.ifMatchFailure, currentTag: currentEntityTag(result, ready) });
    }
  }

  async function execute(ready: RestRequest, value: PinnedTable['value'], hooks?: ExecutionHooks): Promise<ObjectResult> {
    if (ready.readOnly !== undefined) await checkReadOnly((query) => executeRoute(gateway, query), ready, value.documentOf);
    return executeConditionally((write) => executeRoute(gateway, write, hooks), ready);
  }

  function answerReady(ready: RestRequest, value: PinnedTable['value']): Promise<NamedReply> {
    return respondOnce(options, ready, {
      execute: (hooks) => execute(ready, value, hooks),
      answer: (result) => answerOrFail(result, ready),
    });
  }

  /** @param pinned held until the answer is there */
  async function answerPinned(incoming: IncomingRestRequest, pinned: PinnedTable): Promise<NamedReply | undefined> {
    const { request } = incoming;
    const { headers } = request;
    const target = splitTarget(request.url ?? '/');
    const resource = locateResource(incoming, target, pinned.value);
    const { match, version } = resource;
    if (request.method === 'OPTIONS') {
      return { status: 204, headers: optionsHeaders(match, { version, vendor: options.mediaTypeVendor }), body: '' };
    }
    const route = routeOf(match, request.method ?? '');
    writeDeprecation(route, { resource, incoming }, options, pinned.value);
    const principal = await authorizeCaller(gateway, request, route, pinned.value.accessOf(route));
    const { generation, value } = pinned;
    authorizeFields(route, { query: resource.query, principal }, options, value);
    if (route.isStream) {
      const parent = value.streamParents.get(route)?.get(resource.version);
      if (parent !== undefined) rejectDeniedCaller(parent, principal, value.accessOf(parent));
      const stream = readStreamRequest({ incoming, resource, route, principal }, value, options);
      if (parent !== undefined) await checkStreamParent(options, { incoming, resource, parent, principal, generation }, value);
      const streamed = sendEvents(options, stream);
      pinned[Symbol.dispose](); // its own pin keeps what a stream runs on; this one must not: a stream has no end
      return streamed;
    }
    const ready = await readRequest({ incoming, target, resource, route, principal, generation }, value, options);
    if (ready.stateQuery !== undefined) {
      const known = await respondNotModified((query) => executeRoute(gateway, query), ready);
      if (known !== undefined) return known;
    }
    const preconditions = route.method === 'GET' ? ready.preconditions : undefined;
    return deliver(await answerReady(ready, value), { headers, preconditions });
  }

  return async (incoming) => {
    guardRawRequest(incoming.request, options);
    const pinned = table.acquire();
    try {
      return await answerPinned(incoming, pinned);
    } finally {
      pinned[Symbol.dispose](); // `using` is compiled to what costs more than many a stage
    }
  };
}
