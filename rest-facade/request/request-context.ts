import type { OutgoingHttpHeaders } from 'node:http';
import type { ReceivedRequest } from '../../gateway/platform/http/plain/plain-request.ts';
import type { OutgoingResponse } from '../../gateway/platform/http/response/outgoing-response.ts';
import type { GenerationHandle, PreparedDocument, Principal } from '../../gateway/index.ts';
import type { HttpResponse } from '../../gateway/platform/http/response/send-response.ts';
import type { RestRoute } from '../compile/rest-route.ts';
import type { PrintedItems } from '../compile/result/printed-items.ts';
import type { RouteTable } from '../compile/route-table.ts';
import type { Preconditions } from './conditional/preconditions.ts';
import type { StateQuery } from './conditional/state-query.ts';
import type { WriteCondition } from './conditional/write-condition.ts';
import type { LocatedResource } from './negotiation/choose-version.ts';
import type { Acceptance, Representation } from './negotiation/content-negotiation.ts';
import type { Preferences } from './negotiation/prefer.ts';
import type { BoundRequest } from './parameters/bind-request.ts';
import type { ReadOnlyMembers } from './read-only-members.ts';
import type { RequestAddress, RequestTarget } from './request-address.ts';

/** A request with the data of its connection and headers. */
export interface IncomingRestRequest {
  readonly request: ReceivedRequest;
  /** Response object, for event streams. */
  readonly response: OutgoingResponse;
  /** Path under which the facade is mounted in another server. Empty at the root. */
  readonly basePath: string;
  readonly correlationId: string;
  /** Whether the listener has checked the raw request, as `guardRawRequest` does. */
  readonly isGuarded: boolean;
  /** Parsed `Accept` header. */
  readonly acceptance: Acceptance;
  readonly signal: AbortSignal;
  /** Headers for every response, including errors. Version and rate limit headers are added as soon as they are known. */
  readonly responseHeaders: OutgoingHttpHeaders;
}

/** Handles a request. Resolves to undefined if the response was sent as a stream. @throws GatewayError for every error */
export type RestHandler = (incoming: IncomingRestRequest) => Promise<HttpResponse | undefined>;

/** A request whose caller is authorized and which has passed all checks before execution. */
export interface RestRequest {
  readonly incoming: IncomingRestRequest;
  readonly target: RequestTarget;
  readonly resource: LocatedResource;
  readonly route: RestRoute;
  readonly principal: Principal;
  readonly generation: GenerationHandle;
  /** All routes of the generation. */
  readonly table: RouteTable;
  readonly representation: Representation;
  readonly preferences: Preferences;
  /** Whether the client does not want the written resource in the response. */
  readonly isMinimal: boolean;
  /** Whether fields are omitted that callers without credentials may not see. */
  readonly isAnonymousView: boolean;
  readonly bound: BoundRequest;
  /** Members of the body that the resource shows but the write cannot change. */
  readonly readOnly?: ReadOnlyMembers | undefined;
  readonly document: PreparedDocument;
  /** Position of the items in the printed data. Absent if items are not shown as they are printed. */
  readonly printedItems?: PrintedItems | undefined;
  readonly address: RequestAddress;
  /** Preconditions of the request. */
  readonly preconditions?: Preconditions | undefined;
  /** Condition of the write that follows from the preconditions. */
  readonly condition?: WriteCondition | undefined;
  /** Query for the current state of the resource, if a precondition depends on it. */
  readonly stateQuery?: StateQuery | undefined;
  /** Key of the responses that were made for equal requests. Undefined if there is no memo of such a request. */
  readonly renditionKey?: symbol | undefined;
}

/** The part of a request that is known after authorization and before validation. */
export type AuthorizedRequest = Pick<RestRequest, 'incoming' | 'target' | 'resource' | 'route' | 'principal' | 'generation' | 'table'>;
