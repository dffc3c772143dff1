import type { PreparedDocument, Principal } from '../../../gateway/index.ts';
import { GatewayError } from '../../../gateway/platform/errors.ts';
import type { RestRoute } from '../../compile/rest-route.ts';
import { NO_FIELDS } from '../../compile/result/field-mask.ts';
import type { Match } from '../../compile/route-matcher.ts';
import type { RouteTable } from '../../compile/route-table.ts';
import type { Representation } from '../negotiation/content-negotiation.ts';
import type { BoundRequest } from '../parameters/bind-request.ts';
import { versionIn } from './entity-tag.ts';
import type { Preconditions } from './preconditions.ts';
import type { WriteCondition } from './write-condition.ts';

/** An operation that reads only the state of a resource. */
export interface StateQuery {
  readonly route: RestRoute;
  readonly document: PreparedDocument;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Whether the caller is known to have permission for all fields of the representation. The state does not depend on permissions. */
  readonly isWhole: boolean;
}

interface StateRequest {
  readonly route: RestRoute;
  readonly principal: Principal;
  /** Document to run if the state is not sufficient. */
  readonly document: PreparedDocument;
  readonly bound: BoundRequest;
  readonly representation: Representation;
  readonly preconditions: Preconditions | undefined;
  readonly condition: WriteCondition | undefined;
}

type Documents = Pick<RouteTable, 'documentOf' | 'isGranted'>;

/** Returns the state query of a request. Returns undefined if the state is not needed before the operation, or cannot be read. */
export function stateQueryOf(stateRequest: StateRequest, match: Match, table: Documents): StateQuery | undefined {
  const { route, bound, condition } = stateRequest;
  if (condition !== undefined && condition.versions === undefined) return queryOfState(stateRequest, match, table);
  // The version does not reflect permissions: the caller may have lost one although the resource has not changed.
  if (!isWorthQuerying(stateRequest) || !table.isGranted(stateRequest.document, stateRequest.principal)) return undefined;
  return { route, document: table.documentOf(route, { fields: NO_FIELDS }), variables: bound.variables, isWhole: true };
}

/** Whether the version alone can show that the client has the current representation, so that other subgraphs need no request. */
function isWorthQuerying({ route, representation, preconditions }: StateRequest): boolean {
  if (route.result.validators.version?.sparesSubgraphs !== true || representation.shape === 'links' || preconditions === undefined)
    return false;
  const { ifMatch, ifUnmodifiedSince, ifNoneMatch } = preconditions;
  if (route.method !== 'GET' || (ifMatch ?? ifUnmodifiedSince) !== undefined || ifNoneMatch === undefined || ifNoneMatch === '*')
    return false;
  return ifNoneMatch.some(({ opaque }) => versionIn({ opaque, isWeak: false }) !== undefined);
}

/**
 * Returns the query for the state at the path of a write. Returns undefined if GET does not return the data of the condition, or requires
 * more than the path.
 */
function queryOfState(
  { condition, principal }: StateRequest,
  { routes, parameters }: Match,
  { documentOf, isGranted }: Documents,
): StateQuery | undefined {
  const route = routes.get('GET');
  if (route === undefined || route.bindings.query.some(({ isRequired }) => isRequired)) return undefined;
  const { version, lastModified } = route.result.validators;
  if (version === undefined || (condition?.excluded === undefined && lastModified === undefined)) return undefined;
  const variables: Record<string, unknown> = {};
  for (const [index, { variable, read }] of route.bindings.path.entries()) {
    const reading = read(parameters[index] ?? '');
    if (reading.issue !== undefined) throw new GatewayError('NOT_FOUND', 'There is no resource at this path.');
    variables[variable] = reading.value;
  }
  const isWhole = isGranted(documentOf(route), principal);
  return { route, document: documentOf(route, { fields: NO_FIELDS }), variables, isWhole };
}
