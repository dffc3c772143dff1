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

/** The operation that tells which state a resource is in, and nothing else of it. */
export interface StateQuery {
  readonly route: RestRoute;
  readonly document: PreparedDocument;
  readonly variables: Readonly<Record<string, unknown>>;
  /** Whether it is known that nothing of what is read is kept from the caller, which the state does not tell. */
  readonly isWhole: boolean;
}

interface Asked {
  readonly route: RestRoute;
  readonly principal: Principal;
  /** What is run where the state does not say enough. */
  readonly document: PreparedDocument;
  readonly bound: BoundRequest;
  readonly representation: Representation;
  readonly preconditions: Preconditions | undefined;
  readonly condition: WriteCondition | undefined;
}

type Documents = Pick<RouteTable, 'documentOf' | 'isGranted'>;

/** Undefined where the state need not be known before all else, or cannot be. */
export function stateQueryOf(asked: Asked, match: Match, table: Documents): StateQuery | undefined {
  const { route, bound, condition } = asked;
  if (condition !== undefined && condition.versions === undefined) return queryOfState(asked, match, table);
  // The version does not tell what is kept from the caller: a right may be lost since, and nothing else have changed.
  if (!isWorthAsking(asked) || !table.isGranted(asked.document, asked.principal)) return undefined;
  return { route, document: table.documentOf(route, { fields: NO_FIELDS }), variables: bound.variables, isWhole: true };
}

/** Where the version alone can tell a client that it has everything already, and whoever holds the rest is spared. */
function isWorthAsking({ route, representation, preconditions }: Asked): boolean {
  if (route.result.validators.version?.sparesSubgraphs !== true || representation.shape === 'links' || preconditions === undefined)
    return false;
  const { ifMatch, ifUnmodifiedSince, ifNoneMatch } = preconditions;
  if (route.method !== 'GET' || (ifMatch ?? ifUnmodifiedSince) !== undefined || ifNoneMatch === undefined || ifNoneMatch === '*')
    return false;
  return ifNoneMatch.some(({ opaque }) => versionIn({ opaque, isWeak: false }) !== undefined);
}

/** What is read at the path of a write; undefined where that does not say what the condition is about, or not by the path alone. */
function queryOfState(
  { condition, principal }: Asked,
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
    if (reading.fault !== undefined) throw new GatewayError('NOT_FOUND', 'There is nothing at this path.');
    variables[variable] = reading.value;
  }
  const isWhole = isGranted(documentOf(route), principal);
  return { route, document: documentOf(route, { fields: NO_FIELDS }), variables, isWhole };
}
