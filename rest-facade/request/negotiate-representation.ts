import { GatewayError } from '../../gateway/platform/errors.ts';
import type { Route } from '../mapping/route.ts';
import { type BodyShape, JSON_TYPE, type MediaType } from './read-accept.ts';

/** The form in which an answer is written. */
export interface Representation {
  /** Value of `Content-Type`. */
  readonly contentType: string;
  /** Tells this form from the others in entity tags. */
  readonly name: string;
  readonly shape: BodyShape;
}

const PLAIN: Representation = { contentType: `${JSON_TYPE}; charset=utf-8`, name: 'plain', shape: 'plain' };

/**
 * What the `Accept` header wants of a route (RFC 9110, section 12.5.1).
 *
 * @param type the best of those that there are; undefined where the client takes none
 * @throws GatewayError `NOT_ACCEPTABLE`
 */
export function negotiateRepresentation({ status }: Route, { type }: { readonly type?: MediaType | undefined }): Representation {
  if (type !== undefined && type.type !== JSON_TYPE) return { contentType: type.type, name: type.type, shape: type.shape };
  if (type !== undefined || status === 204) return PLAIN;
  throw new GatewayError('NOT_ACCEPTABLE', `Answers are ${JSON_TYPE}; the Accept header does not want it.`);
}
