import type { ObjectResult } from '../../gateway/index.ts';
import { recordStage, type StageRecorder } from '../../gateway/platform/operation-recorder.ts';
import type { HttpResponse, NamedHttpResponse } from '../../gateway/platform/http/response/send-response.ts';
import { readPreconditions } from '../request/conditional/preconditions.ts';
import type { KnownReads, KnownView } from '../request/known-reads.ts';
import type { AuthorizedRequest, RestRequest } from '../request/request-context.ts';
import type { FinalizeResponse } from '../response/finalize-response.ts';
import { isStorableFor } from '../response/storable-data.ts';
import type { StoredRequest, StoredResponses } from './stored-response.ts';
import type { RestGateway } from '../rest-gateway.ts';
import { executeRoute, operationOf, toRouteError } from './execute-route.ts';

export interface ReadResponderOptions {
  readonly gateway: Pick<RestGateway, 'budgetOf' | 'executeToObject'>;
  /** Makes the response of a result. @throws GatewayError if the resource does not exist or the operation failed */
  readonly respond: (result: ObjectResult, request: RestRequest) => NamedHttpResponse;
  readonly finalize: FinalizeResponse;
  readonly stored: StoredResponses;
}

/** Memos in which a read is remembered when its response is cached, and the recorder of its stages. */
export interface ReadMemory {
  readonly reads: KnownReads;
  /** Key of the read. */
  readonly key: string;
  readonly recorder: StageRecorder | undefined;
}

/** Responds to GET and HEAD requests. The response may come from the response cache. */
export interface ReadResponder {
  /**
   * Responds to a valid request.
   *
   * @throws GatewayError if the operation is rejected or failed, or the resource does not exist
   */
  respond(request: RestRequest, memory: ReadMemory): Promise<HttpResponse>;
  /**
   * Responds to a request that has a memo, so that it is known to be valid except for its preconditions.
   *
   * @throws GatewayError as `respond`; `BAD_REQUEST` for invalid preconditions
   */
  respondKnown(view: KnownView, request: AuthorizedRequest, memory: ReadMemory): Promise<HttpResponse>;
}

/**
 * Creates the responder. A cached response is used only for a successful response: if it would become an error, the operation is executed,
 * because errors are never cached.
 */
export function createReadResponder({ gateway, respond, finalize, stored }: ReadResponderOptions): ReadResponder {
  /** Makes the response, from a new execution if the cached response would be an error. */
  async function respondTo(found: ObjectResult, request: RestRequest, memory: ReadMemory): Promise<HttpResponse> {
    const { recorder } = memory;
    const shape = (result: ObjectResult) => recordStage(recorder, 'rest_shape', () => respond(result, request));
    let response: NamedHttpResponse;
    try {
      response = shape(found);
      if (found.cached !== undefined) remember(found, response, request, memory);
    } catch (error) {
      if (found.facts.ageSeconds === undefined) throw error;
      response = shape(await executeRoute(gateway, request));
    }
    return finalize(response, { headers: request.incoming.request.headers, preconditions: request.preconditions });
  }

  /** Remembers a read whose response is cached, and makes the response for later requests when it is read again. */
  function remember({ memo, cached, facts }: ObjectResult, response: NamedHttpResponse, request: RestRequest, memory: ReadMemory): void {
    const { renditionKey, incoming, representation } = request;
    if (memo !== undefined) memory.reads.remember(memory.key, request, memo, isStorableFor(request.route));
    // The body of an envelope contains the id of its request, and a hook may set other headers for each request.
    if (renditionKey === undefined || representation.shape === 'envelope' || facts.headers !== undefined) return;
    const rendition = stored.make(response, incoming.responseHeaders);
    if (rendition !== undefined) cached?.cached.renditions.add(renditionKey, rendition);
  }

  /** Responds with a stored response. Undefined if there is none. @throws GatewayError `PRECONDITION_FAILED` */
  function respondStored(found: ObjectResult, view: KnownView, request: StoredRequest, recorder: StageRecorder | undefined) {
    const { ageSeconds, headers } = found.facts;
    const rendition =
      ageSeconds === undefined || headers !== undefined ? undefined : found.cached?.cached.renditions.find(view.renditionKey);
    if (rendition === undefined || ageSeconds === undefined) return undefined;
    try {
      if (recorder === undefined) return stored.respond(rendition, request, ageSeconds);
      return recordStage(recorder, 'rest_shape', () => stored.respond(rendition, request, ageSeconds));
    } catch (error) {
      request.budget?.writeRateLimitHeaders(request.incoming.responseHeaders);
      throw error;
    }
  }

  return {
    async respond(request, memory) {
      const { route, stateQuery } = request;
      // A client whose tag was compared with the current version must not receive an older version.
      const isCacheable = !route.isNeverStored && stateQuery === undefined;
      const found = await executeRoute(gateway, request, isCacheable ? { isStorable: isStorableFor(route) } : undefined);
      return respondTo(found, request, memory);
    },

    async respondKnown(view, { incoming, route, principal, generation, table }, memory) {
      const { bound, document } = view.request;
      const { recorder } = memory;
      const { headers } = incoming.request;
      const preconditions =
        recorder === undefined
          ? readPreconditions(headers, true)
          : recordStage(recorder, 'rest_bind', () => readPreconditions(headers, true));
      const operation = operationOf(gateway, { incoming, route, principal, bound, generation, document }, view);
      const { budget } = operation;
      let found: ObjectResult;
      try {
        found = await gateway.executeToObject(operation);
      } catch (error) {
        budget?.writeRateLimitHeaders(incoming.responseHeaders);
        throw toRouteError(error, route);
      }
      const response = respondStored(found, view, { headers, preconditions, incoming, budget }, recorder);
      if (response !== undefined) return response;
      if (found.facts.headers !== undefined) Object.assign(incoming.responseHeaders, found.facts.headers);
      budget?.writeRateLimitHeaders(incoming.responseHeaders);
      return respondTo(
        found,
        { ...view.request, incoming, principal, generation, table, preconditions, renditionKey: view.renditionKey },
        memory,
      );
    },
  };
}
