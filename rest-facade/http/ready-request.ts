import type { GenerationHandle, PreparedDocument, Principal } from '../../gateway/index.ts';
import type { PrintedItems } from '../compile/result/printed-items.ts';
import type { Route } from '../compile/rest-route.ts';
import type { Representation } from '../request/negotiate-representation.ts';
import type { BoundRequest } from '../request/bind-request.ts';
import type { WriteCondition } from '../request/expected-versions.ts';
import type { Preconditions } from '../request/read-preconditions.ts';
import type { Preferences } from '../request/read-prefer.ts';
import type { ReadOnlyMembers } from '../request/split-read-only.ts';
import type { WriteLinks } from '../response/write-links.ts';
import type { IncomingRequest } from './incoming-request.ts';
import type { RequestAddress } from './request-address.ts';
import type { StateQuery } from './state-query.ts';

/** A request that has passed every check that comes before its operation is run. */
export interface ReadyRequest {
  readonly incoming: IncomingRequest;
  readonly route: Route;
  /** Of the interface. */
  readonly version: number;
  readonly principal: Principal;
  readonly representation: Representation;
  readonly preferences: Preferences;
  /** Whether the client does not want to see what it has written. */
  readonly isMinimal: boolean;
  /** Whether fields are left out that callers without credentials may not see. */
  readonly isAnonymousView: boolean;
  readonly bound: BoundRequest;
  /** GET of the same path; absent where it is not served. */
  readonly readRoute?: Route | undefined;
  /** As the request has them, decoded. */
  readonly pathParameters: readonly string[];
  /** What the body has of the resource that a write does not change. */
  readonly readOnly?: ReadOnlyMembers | undefined;
  readonly generation: GenerationHandle;
  readonly document: PreparedDocument;
  /** Where the items of the answer stand in what is printed; absent where they are not shown as they are printed. */
  readonly printedItems?: PrintedItems | undefined;
  readonly address: RequestAddress;
  /** Absent where the answer shows no links. */
  readonly writeLinks?: WriteLinks | undefined;
  /** As they were sent. */
  readonly preconditions?: Preconditions | undefined;
  /** What of them a write waits for. */
  readonly condition?: WriteCondition | undefined;
  /** Tells in which state the resource is, where the condition has to be held against it. */
  readonly stateQuery?: StateQuery | undefined;
}
