import type { ObjectResult } from '../../gateway/index.ts';
import type { HttpResponse, NamedHttpResponse } from '../../gateway/platform/http/response/send-response.ts';
import { recordStage, type StageRecorder } from '../../gateway/platform/operation-recorder.ts';
import type { KnownReads } from '../request/known-reads.ts';
import type { RestRequest } from '../request/request-context.ts';
import type { FinalizeResponse } from '../response/finalize-response.ts';
import { isResultObject, valueAt } from '../response/result-data.ts';
import type { StoredResponses } from '../response/stored-response.ts';
import type { RestGateway } from '../rest-gateway.ts';
import { executeRoute } from './execute-route.ts';

export interface ReadResponderOptions {
  readonly gateway: Pick<RestGateway, 'budgetOf' | 'executeToObject'>;
  /** Makes the response of a result. @throws GatewayError if the resource does not exist or the operation failed */
  readonly respond: (result: ObjectResult, request: RestRequest) => NamedHttpResponse;
  readonly finalize: FinalizeResponse;
  readonly stored: StoredResponses;
}

/** Where a read is remembered when its response is cached. */
export interface ReadMemory {
  readonly reads: KnownReads;
  /** Key of the read. */
  readonly key: string;
}

/**
 * Responds to a valid GET or HEAD request. The response may come from the response cache.
 *
 * @throws GatewayError if the operation is rejected or failed, or the resource does not exist
 */
export type RespondToRead = (request: RestRequest, memory: ReadMemory, recorder: StageRecorder | undefined) => Promise<HttpResponse>;

/**
 * Creates the responder. A cached response is used only for a successful response: if it would become an error, the operation is executed,
 * because errors are never cached.
 */
export function createReadResponder({ gateway, respond, finalize, stored }: ReadResponderOptions): RespondToRead {
  async function execute(request: RestRequest, result: ObjectResult, recorder: StageRecorder | undefined) {
    try {
      return { result, response: recordStage(recorder, 'rest_shape', () => respond(result, request)) };
    } catch (error) {
      if (result.facts.ageSeconds === undefined) throw error;
      const current = await executeRoute(gateway, request);
      return { result: current, response: recordStage(recorder, 'rest_shape', () => respond(current, request)) };
    }
  }

  /** Remembers a read whose response is cached, and makes the response for later requests when it is read again. */
  function remember(result: ObjectResult, response: NamedHttpResponse, request: RestRequest, { reads, key }: ReadMemory): void {
    const { known, incoming, representation } = request;
    if (result.memo !== undefined) reads.remember(key, request, result.memo);
    // The body of an envelope contains the id of its request.
    if (known === undefined || result.cached === undefined || representation.shape === 'envelope') return;
    const rendition = stored.make(response, incoming.responseHeaders);
    if (rendition !== undefined) result.cached.cached.renditions.add(known.renditionKey, rendition);
  }

  return async (request, memory, recorder) => {
    const { incoming, route, known, preconditions, stateQuery } = request;
    const { headers } = incoming.request;
    // A request with a tag whose version has just been read does not get an older version.
    const isCacheable = !route.isNeverStored && stateQuery === undefined;
    const cached = isCacheable ? { isStorable: (data: string) => isThere(data, route), memos: known?.memos } : undefined;
    const found = await executeRoute(gateway, request, cached);
    const { ageSeconds } = found.facts;
    const rendition = known && found.cached?.cached.renditions.find(known.renditionKey);
    if (rendition !== undefined && ageSeconds !== undefined) {
      const { correlationId, responseHeaders } = incoming;
      const read = { headers, preconditions, correlationId, ageSeconds, responseHeaders };
      return recordStage(recorder, 'rest_shape', () => stored.respond(rendition, read));
    }
    const { result, response } = await execute(request, found, recorder);
    if (result.cached !== undefined) remember(result, response, request, memory);
    return finalize(response, { headers, preconditions });
  };
}

/** Whether the data contains the resource. Its absence is an error, and errors are not cached. */
function isThere(data: string, { result: { path, shape } }: RestRequest['route']): boolean {
  if (!data.includes('null') && !data.includes('false')) return true;
  const root = valueAt(JSON.parse(data), path);
  return isResultObject(root) || Array.isArray(root) || (shape.size === 0 && root !== null && root !== undefined && root !== false);
}
