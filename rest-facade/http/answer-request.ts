import type { GenerationBound, Idempotency, ObjectResult } from '../../gateway/index.ts';
import type { Codings } from '../../gateway/platform/http/response/compress.ts';
import { guardRawRequest } from '../../gateway/platform/http/request/raw-request-guard.ts';
import type { NamedReply } from '../../gateway/platform/http/response/send-response.ts';
import type { Logger } from '../../gateway/platform/logger.ts';
import { type IfMatchFailure, toPreconditionFailure } from '../errors/precondition-failure.ts';
import type { RouteTable } from '../mapping/compile-route-table.ts';
import { currentTagOf } from '../response/current-tag.ts';
import { createDelivery } from '../response/deliver-answer.ts';
import { toAnswer } from '../response/to-answer.ts';
import type { RestGateway } from '../rest-gateway.ts';
import { admitCaller, refuseCaller } from './admit-caller.ts';
import { admitFields } from './admit-fields.ts';
import { optionsHeaders } from './allowed-methods.ts';
import { answerKnown } from './answer-known.ts';
import { answerOnce } from './answer-once.ts';
import { checkReadOnly } from './check-read-only.ts';
import { checkStreamParent } from './check-stream-parent.ts';
import { executeConditionally } from './execute-conditionally.ts';
import { type ExecutionHooks, executeRoute } from './execute-route.ts';
import { routeOf, splitTarget } from './find-route.ts';
import type { IncomingRequest } from './incoming-request.ts';
import { type SunsetOptions, locateResource, tellSunset } from './locate-resource.ts';
import { type ReadyLimits, makeReady } from './make-ready.ts';
import type { ReadyRequest } from './ready-request.ts';
import { bindStream, streamRoute } from './stream-route.ts';

export interface AnswerOptions extends ReadyLimits, SunsetOptions {
  readonly gateway: Pick<RestGateway, 'admitReplay' | 'authenticate' | 'budgetOf' | 'run' | 'stream'>;
  readonly logger: Logger;
  /** What is known of requests with an `Idempotency-Key`. */
  readonly idempotency: Idempotency;
  readonly table: GenerationBound<RouteTable>;
  /** In which content codings answers may go. */
  readonly codings: Codings;
  readonly ifMatchFailure: IfMatchFailure;
  /** @unit bytes */
  readonly maxUrlBytes: number;
}

type PinnedTable = ReturnType<GenerationBound<RouteTable>['acquire']>;

/** Answers a request to a resource; with undefined where it has been sent as a stream. @throws GatewayError for every refusal and failure */
export type AnswerRequest = (incoming: IncomingRequest) => Promise<NamedReply | undefined>;

/** The whole life of a REST request, top to bottom; a stage refuses by throwing. */
export function createAnswerRequest(options: AnswerOptions): AnswerRequest {
  const { gateway, table } = options;
  const deliver = createDelivery(options.codings, options.now);

  function answerOrFail(result: ObjectResult, ready: ReadyRequest): NamedReply {
    try {
      return toAnswer(result, ready, options);
    } catch (error) {
      throw toPreconditionFailure(error, ready, { ifMatchFailure: options.ifMatchFailure, currentTag: currentTagOf(result, ready) });
    }
  }

  async function execute(ready: ReadyRequest, value: PinnedTable['value'], hooks?: ExecutionHooks): Promise<ObjectResult> {
    if (ready.readOnly !== undefined) await checkReadOnly((query) => executeRoute(gateway, query), ready, value.documentOf);
    return executeConditionally((write) => executeRoute(gateway, write, hooks), ready);
  }

  function answerReady(ready: ReadyRequest, value: PinnedTable['value']): Promise<NamedReply> {
    return answerOnce(options, ready, {
      execute: (hooks) => execute(ready, value, hooks),
      answer: (result) => answerOrFail(result, ready),
    });
  }

  /** @param pinned held until the answer is there */
  async function answerPinned(incoming: IncomingRequest, pinned: PinnedTable): Promise<NamedReply | undefined> {
    const { request } = incoming;
    const { headers } = request;
    const target = splitTarget(request.url ?? '/');
    const resource = locateResource(incoming, target, pinned.value);
    const { match, version } = resource;
    if (request.method === 'OPTIONS') {
      return { status: 204, headers: optionsHeaders(match, { version, vendor: options.mediaTypeVendor }), body: '' };
    }
    const route = routeOf(match, request.method ?? '');
    tellSunset(route, { resource, incoming }, options, pinned.value);
    const principal = await admitCaller(gateway, request, route, pinned.value.accessOf(route));
    const { generation, value } = pinned;
    admitFields(route, { query: resource.query, principal }, options, value);
    if (route.isStream) {
      const parent = value.streamParents.get(route)?.get(resource.version);
      if (parent !== undefined) refuseCaller(parent, principal, value.accessOf(parent));
      const stream = bindStream({ incoming, resource, route, principal }, value, options);
      if (parent !== undefined) await checkStreamParent(options, { incoming, resource, parent, principal, generation }, value);
      const streamed = streamRoute(options, stream);
      pinned[Symbol.dispose](); // its own pin keeps what a stream runs on; this one must not: a stream has no end
      return streamed;
    }
    const ready = await makeReady({ incoming, target, resource, route, principal, generation }, value, options);
    if (ready.stateQuery !== undefined) {
      const known = await answerKnown((query) => executeRoute(gateway, query), ready);
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
