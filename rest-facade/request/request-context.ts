import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { GenerationHandle, PreparedDocument, Principal } from '../../gateway/index.ts';
import type { NamedReply } from '../../gateway/platform/http/response/send-response.ts';
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

/** A request as it came in, with what its connection and its headers say of it. */
export interface IncomingRestRequest {
  readonly request: IncomingMessage;
  /** For answers that have no end. */
  readonly response: ServerResponse;
  /** Path below which the facade is mounted in another server; empty at its root. */
  readonly basePath: string;
  readonly correlationId: string;
  /** What its `Accept` header says. */
  readonly acceptance: Acceptance;
  readonly signal: AbortSignal;
  /** Of the answer, whatever it is; what is known of the version and of the caller's budget is added. */
  readonly responseHeaders: OutgoingHttpHeaders;
}

/** Handles a request; resolves to undefined where the response has been sent as a stream. @throws GatewayError for every error */
export type RestHandler = (incoming: IncomingRestRequest) => Promise<NamedReply | undefined>;

/** A request whose caller is authorized, and which has passed every check that comes before its operation is executed. */
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
  /** Whether the client does not want to see what it has written. */
  readonly isMinimal: boolean;
  /** Whether fields are left out that callers without credentials may not see. */
  readonly isAnonymousView: boolean;
  readonly bound: BoundRequest;
  /** What the body has of the resource that a write does not change. */
  readonly readOnly?: ReadOnlyMembers | undefined;
  readonly document: PreparedDocument;
  /** Where the items of the answer stand in what is printed; absent where they are not shown as they are printed. */
  readonly printedItems?: PrintedItems | undefined;
  readonly address: RequestAddress;
  /** As they were sent. */
  readonly preconditions?: Preconditions | undefined;
  /** What of them a write waits for. */
  readonly condition?: WriteCondition | undefined;
  /** Tells in which state the resource is, where the condition has to be held against it. */
  readonly stateQuery?: StateQuery | undefined;
}

/** What is known of a request once its caller is authorized, before the rest of it is read. */
export type AuthorizedRequest = Pick<RestRequest, 'incoming' | 'target' | 'resource' | 'route' | 'principal' | 'generation' | 'table'>;
