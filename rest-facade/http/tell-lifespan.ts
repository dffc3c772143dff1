import type { OutgoingHttpHeaders } from 'node:http';
import { GatewayError } from '../../gateway/platform/errors.ts';
import type { Lifespan } from '../compile/endpoint/lifespan.ts';
import { toUriReference } from '../response/uri-reference.ts';

/** What is to be told of an endpoint that ends. */
export interface LifespanNotice {
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
export function tellLifespan({ lifespan, successor, policy, now }: LifespanNotice, replyHeaders: OutgoingHttpHeaders): void {
  const { deprecatedAt, sunsetAt } = lifespan;
  if (deprecatedAt === undefined) return;
  replyHeaders['deprecation'] = `@${deprecatedAt}`;
  if (sunsetAt !== undefined) replyHeaders['sunset'] = new Date(sunsetAt).toUTCString();
  const targets = [
    ['deprecation', policy],
    ['sunset', sunsetAt === undefined ? undefined : policy],
    ['successor-version', successor], // RFC 5829, section 3.3
  ] as const;
  const links = targets.flatMap(([rel, target]) => (target === undefined ? [] : [`<${toUriReference(target)}>; rel="${rel}"`]));
  if (links.length > 0) replyHeaders['link'] = links.join(', ');
  if (sunsetAt === undefined || now < sunsetAt) return;
  const advice = successor === undefined ? '' : '; the Link header names what came after it';
  throw new GatewayError('GONE', `This version of the resource is no longer served${advice}.`);
}
