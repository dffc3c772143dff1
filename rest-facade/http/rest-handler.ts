import type { PerGeneration, Idempotency, ObjectResult } from '../../gateway/index.ts';
import type { Codings } from '../../gateway/platform/http/response/compress.ts';
import { guardRawRequest } from '../../gateway/platform/http/request/raw-request-guard.ts';
import type { HttpResponse, NamedHttpResponse } from '../../gateway/platform/http/response/send-response.ts';
import type { Logger } from '../../gateway/platform/logger.ts';
import { recordPromise, recordStage } from '../../gateway/platform/operation-recorder.ts';
import { printTemplate } from '../compile/endpoint/path-template.ts';
import type { RouteTable } from '../compile/route-table.ts';
import { type IfMatchFailureStatus, toPreconditionError } from '../errors/precondition-error.ts';
import { keyOfRead, type KnownRead, type KnownReads, type KnownView, viewFor } from '../request/known-reads.ts';
import { splitTarget } from '../request/request-address.ts';
import type { AuthorizedRequest, IncomingRestRequest, RestHandler, RestRequest } from '../request/request-context.ts';
import { createResponseFinalizer } from '../response/finalize-response.ts';
import { toRestResponse } from '../response/rest-response.ts';
import { createStoredResponses } from './stored-response.ts';
import { currentEntityTag } from '../response/validator-headers.ts';
import type { RestGateway } from '../rest-gateway.ts';
import { authorizeFields, rejectDeniedCaller } from './authorize-request.ts';
import { checkReadOnly } from './check-read-only.ts';
import { executeConditionally, type ExecuteRequest, respondNotModified } from './conditional-request.ts';
import { type DeprecationOptions, writeDeprecation } from './deprecation.ts';
import { executeRoute, type ExecutionHooks } from './execute-route.ts';
import { respondOnce } from './idempotent-write.ts';
import { locateResource, respondToOptions, routeOf } from './match-route.ts';
import { readRestRequest, type ReadRequestOptions } from './read-rest-request.ts';
import type { CurrentTable } from './route-tables.ts';
import { createReadResponder } from './respond-to-read.ts';
import { readStreamRequest, sendEvents } from './resource-stream.ts';

/** Route table with the memos of its reads. */
interface ServedTable extends RouteTable {
  readonly reads: KnownReads;
}

export interface RestHandlerOptions extends ReadRequestOptions, DeprecationOptions {
  readonly gateway: Pick<RestGateway, 'authorizeReplay' | 'authenticate' | 'budgetOf' | 'executeToObject' | 'recorderOf' | 'stream'>;
  readonly logger: Logger;
  /** Store of requests with an `Idempotency-Key`. */
  readonly idempotency: Idempotency;
  readonly table: PerGeneration<CurrentTable<ServedTable>>;
  /** Content codings of responses. */
  readonly codings: Codings;
  readonly ifMatchFailure: IfMatchFailureStatus;
  /** Time for which an expired response may be served while a new one is fetched. @unit seconds @defaultValue 0 */
  readonly staleWhileRevalidateSeconds?: number | undefined;
  /** @unit bytes */
  readonly maxUrlBytes: number;
}

type PinnedTable = ReturnType<RestHandlerOptions['table']['acquire']>;

function locate(incoming: IncomingRestRequest, url: string, table: RouteTable): Pick<KnownRead, 'target' | 'resource'> {
  const target = splitTarget(url);
  return { target, resource: locateResource(incoming, target, table) };
}

/** Returns whether the listener has made all checks of the guard. Its limit of the URL can be higher than that of the facade. */
function hasPassedGuard(
  { isGuarded, request: { url = '' } }: IncomingRestRequest,
  { maxUrlBytes }: Pick<RestHandlerOptions, 'maxUrlBytes'>,
): boolean {
  return isGuarded && url.length <= maxUrlBytes;
}

/** Returns the memo of the caller. Undefined if there is none, or if the version of the resource may have to be read first. */
function usableView(known: KnownRead, { incoming, principal, route }: AuthorizedRequest): KnownView | undefined {
  const isVersionRead = route.result.validators.version?.sparesSubgraphs === true;
  return isVersionRead && incoming.request.headers['if-none-match'] !== undefined ? undefined : viewFor(known, principal);
}

/** Creates the handler with the stages of a REST request, from top to bottom. A stage rejects the request by throwing. */
export function createRestHandler(options: RestHandlerOptions): RestHandler {
  const { gateway } = options;
  const finalize = createResponseFinalizer(options.codings, options.now);
  const read: ExecuteRequest = (request) => executeRoute(gateway, request);
  const reading = createReadResponder({ gateway, respond, finalize, stored: createStoredResponses(options.codings, options.now) });

  /** @param pinned route table, pinned until the response is complete */
  async function handlePinned(incoming: IncomingRestRequest, pinned: PinnedTable): Promise<HttpResponse | undefined> {
    const {
      value: { current: table },
      generation,
    } = pinned;
    const { headers, method = '', url = '/' } = incoming.request;

    const key = keyOfRead(incoming.request, incoming.basePath);
    const known = key === undefined ? undefined : table.reads.find(key);
    const { target, resource } = known ?? locate(incoming, url, table);
    if (known !== undefined) incoming.responseHeaders['api-version'] = String(resource.version);
    if (method === 'OPTIONS') return respondToOptions(resource, options.mediaTypeVendor);
    const route = routeOf(resource.match, method);
    const recorder = gateway.recorderOf?.(incoming.request);
    recorder?.route({ template: resource.match.mount + printTemplate(route.template), version: resource.version });
    writeDeprecation(route, { resource, incoming }, options, table);

    const principal = await gateway.authenticate(headers, incoming.request.socket.remoteAddress ?? '');
    rejectDeniedCaller(route, principal, table.accessOf(route));
    authorizeFields(route, { query: resource.query, principal }, options, table);
    const authorized = { incoming, target, resource, route, principal, generation, table };
    if (route.isStream) {
      const stream = await readStreamRequest(authorized, options);
      const sent = sendEvents(options, stream);
      pinned[Symbol.dispose](); // A stream has its own pin. This pin would never be released.
      return sent;
    }

    const view = known && usableView(known, authorized);
    if (view !== undefined && key !== undefined) return await reading.respondKnown(view, authorized, { reads: table.reads, key, recorder });
    const request = await recordPromise(recorder, 'rest_bind', readRestRequest(authorized, options));
    const notModified = request.stateQuery === undefined ? undefined : await respondNotModified(read, request);
    if (notModified !== undefined) return notModified;
    if (key !== undefined) return reading.respond(request, { reads: table.reads, key, recorder });
    const response = await respondOnce(options, request, {
      execute: (hooks) => execute(request, hooks),
      respond: (result) =>
        recorder === undefined ? respond(result, request) : recordStage(recorder, 'rest_shape', () => respond(result, request)),
    });
    return finalize(response, { headers, preconditions: undefined });
  }

  async function execute(request: RestRequest, hooks?: ExecutionHooks): Promise<ObjectResult> {
    if (request.readOnly !== undefined) await checkReadOnly(read, request);
    return executeConditionally((write) => executeRoute(gateway, write, hooks), request);
  }

  function respond(result: ObjectResult, request: RestRequest): NamedHttpResponse {
    try {
      return toRestResponse(result, request, options);
    } catch (error) {
      throw toPreconditionError(error, request, { ifMatchFailure: options.ifMatchFailure, currentTag: currentEntityTag(result, request) });
    }
  }

  return async (incoming) => {
    if (!hasPassedGuard(incoming, options)) guardRawRequest(incoming.request, options);
    const pinned = options.table.acquire();
    try {
      return await handlePinned(incoming, pinned);
    } finally {
      pinned[Symbol.dispose](); // The compiled form of `using` is slower than some of the stages.
    }
  };
}
