import type { OutgoingHttpHeaders } from 'node:http';
import { GatewayError } from '../../gateway/platform/errors.ts';
import type { Lifespan } from '../compile/endpoint/lifespan.ts';
import type { RestRoute } from '../compile/rest-route.ts';
import type { RouteTable } from '../compile/route-table.ts';
import type { LocatedResource } from '../request/negotiation/choose-version.ts';
import { toUriReference } from '../request/request-address.ts';
import type { IncomingRestRequest } from '../request/request-context.ts';

export interface DeprecationOptions {
  /** Page about the deprecation of versions: a URL, or a path relative to the mount path of the facade. @defaultValue none */
  readonly deprecationPolicy?: string | undefined;
  readonly now: () => number;
}

/** Writes the deprecation headers of a route. @throws GatewayError `GONE` after the sunset */
export function writeDeprecation(
  route: RestRoute,
  { resource, incoming }: { readonly resource: LocatedResource; readonly incoming: IncomingRestRequest },
  { deprecationPolicy, now }: DeprecationOptions,
  { successorOf }: Pick<RouteTable, 'successorOf'>,
): void {
  const { lifespan } = route;
  if (lifespan.deprecatedAt === undefined) return;
  const { match, path } = resource;
  const { basePath, responseHeaders } = incoming;
  const successor = successorOf(route);
  const notice = {
    lifespan,
    now: now(),
    policy: deprecationPolicy?.startsWith('/') === true ? basePath + deprecationPolicy : deprecationPolicy,
    successor: successor === undefined ? undefined : `${basePath}${match.root}/v${successor}${path}`,
  };
  writeDeprecationHeaders(notice, responseHeaders);
}

/** Deprecation data of an endpoint. */
interface DeprecationNotice {
  readonly lifespan: Lifespan;
  /** Path of the successor in the first later version. Absent if there is no successor. */
  readonly successor?: string | undefined;
  /** Address of the page about the deprecation of versions. Absent if there is no page. */
  readonly policy?: string | undefined;
  /** @unit milliseconds since the epoch */
  readonly now: number;
}

/**
 * Adds `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and their links to every response, including errors.
 *
 * @throws GatewayError `GONE` after the sunset
 */
function writeDeprecationHeaders({ lifespan, successor, policy, now }: DeprecationNotice, responseHeaders: OutgoingHttpHeaders): void {
  const { deprecatedAt, sunsetAt } = lifespan;
  if (deprecatedAt === undefined) return;
  responseHeaders['deprecation'] = `@${deprecatedAt}`;
  if (sunsetAt !== undefined) responseHeaders['sunset'] = new Date(sunsetAt).toUTCString();
  const targets = [
    ['deprecation', policy],
    ['sunset', sunsetAt === undefined ? undefined : policy],
    ['successor-version', successor], // RFC 5829, section 3.3
  ] as const;
  const links = targets.flatMap(([rel, target]) => (target === undefined ? [] : [`<${toUriReference(target)}>; rel="${rel}"`]));
  if (links.length > 0) responseHeaders['link'] = links.join(', ');
  if (sunsetAt === undefined || now < sunsetAt) return;
  const advice = successor === undefined ? '' : ' The Link header names its successor.';
  throw new GatewayError('GONE', `This version of the resource is no longer available.${advice}`);
}
