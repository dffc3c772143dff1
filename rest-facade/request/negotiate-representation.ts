import { GatewayError } from '../../gateway/platform/errors.ts';
import type { Route } from '../compile/rest-route.ts';
import { type BodyShape, JSON_TYPE, type MediaType, servedTypes } from './read-accept.ts';

/** The form in which an answer is written. */
export interface Representation {
  /** Value of `Content-Type`. */
  readonly contentType: string;
  /** Tells this form from the others in entity tags. */
  readonly name: string;
  readonly shape: BodyShape;
}

const PLAIN: Representation = { contentType: `${JSON_TYPE}; charset=utf-8`, name: 'plain', shape: 'plain' };

/** A resource, as far as it matters to the form of its answers. */
interface Negotiated {
  readonly version: number;
  /** The best of those that there are; undefined where the client takes none. */
  readonly type?: MediaType | undefined;
}

/**
 * What the `Accept` header wants of a route (RFC 9110, section 12.5.1).
 *
 * @param vendor as it stands in the vendor's media types
 * @throws GatewayError `NOT_ACCEPTABLE`
 */
export function negotiateRepresentation({ status }: Route, { type, version }: Negotiated, vendor: string): Representation {
  if (type !== undefined && type.type !== JSON_TYPE) return { contentType: type.type, name: type.type, shape: type.shape };
  if (type !== undefined || status === 204) return PLAIN;
  const served = servedTypes(vendor, version).map((candidate) => candidate.type);
  throw new GatewayError('NOT_ACCEPTABLE', `Answers are ${served.join(', ')}; the Accept header wants none of them.`);
}
