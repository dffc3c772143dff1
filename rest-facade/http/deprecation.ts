import type { OutgoingHttpHeaders } from 'node:http';
import { GatewayError } from '../../gateway/platform/errors.ts';
import type { Lifespan } from '../compile/endpoint/lifespan.ts';
import type { RestRoute } from '../compile/rest-route.ts';
import type { RouteTable } from '../compile/route-table.ts';
import type { LocatedResource } from '../request/negotiation/choose-version.ts';
import { toUriReference } from '../request/request-address.ts';
import type { IncomingRestRequest } from '../request/request-context.ts';

export interface DeprecationOptions {
  /** Page on how versions end: an address, or a path below where the facade is mounted. @defaultValue none */
  readonly deprecationPolicy?: string | undefined;
  readonly now: () => number;
}

/** Tells what becomes of the route that was found. @throws GatewayError `GONE` */
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

/** What is to be told of an endpoint that ends. */
interface DeprecationNotice {
  readonly lifespan: Lifespan;
  /** Where the first version after it answers the same; absent where none does. */
  readonly successor?: string | undefined;
  /** Where people read what becomes of old versions; absent where nothing says it. */
  readonly policy?: string | undefined;
  /** @unit milliseconds since the epoch */
  readonly now: number;
}

/**
 * Adds `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and the links that go with them to an answer, whatever it is.
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
  const advice = successor === undefined ? '' : '; the Link header names what came after it';
  throw new GatewayError('GONE', `This version of the resource is no longer served${advice}.`);
}
