import { GatewayError } from '../../../gateway/platform/errors.ts';
import type { RestMethod } from '../../compile/documents/directives.ts';
import { JSON_TYPE, vendorType } from './content-negotiation.ts';

/**
 * Media type of a partial update (RFC 7396): absent members remain unchanged, and null clears. Plain JSON has the same meaning in PATCH
 * requests.
 */
const MERGE_PATCH_TYPE = 'application/merge-patch+json';

/** The versioned media types of request bodies. */
export interface BodyVersion {
  readonly version: number;
  /** Vendor name in the media types. */
  readonly vendor: string;
}

/** Returns the media types of a request body: the types in which the resource is returned without envelope and links. */
export function bodyTypes(method: RestMethod, { version, vendor }: BodyVersion): readonly string[] {
  const patch = method === 'PATCH' ? [MERGE_PATCH_TYPE] : [];
  return [JSON_TYPE, ...patch, vendorType(vendor, 'plain'), vendorType(vendor, 'plain', version)];
}

/**
 * Returns the header with the accepted request bodies of a method (RFC 5789, section 3.1; W3C Linked Data Platform; RFC 9110, section
 * 15.5.16).
 */
export function bodyTypesHeader(method: RestMethod, taken: BodyVersion): Readonly<Record<string, string>> {
  const name = method === 'PATCH' ? 'accept-patch' : method === 'POST' ? 'accept-post' : 'accept';
  return { [name]: bodyTypes(method, taken).join(', ') };
}

/**
 * Requires an accepted media type.
 *
 * @param essence media type of the body; undefined if it is absent or malformed
 * @throws GatewayError `UNSUPPORTED_MEDIA_TYPE`; `VERSION_CONFLICT` for a media type of another version than the request
 */
export function requireBodyType(essence: string | undefined, method: RestMethod, taken: BodyVersion): void {
  if (essence === JSON_TYPE) return;
  const types = bodyTypes(method, taken);
  if (essence !== undefined && types.includes(essence)) return;
  const other = new RegExp(`^application/vnd\\.${taken.vendor}\\.v([1-9]\\d{0,2})\\+json$`).exec(essence ?? '')?.[1];
  if (other !== undefined) {
    const difference = `the request uses version ${taken.version}, but the Content-Type header names version ${other}`;
    throw new GatewayError('VERSION_CONFLICT', `The request names two different versions: ${difference}.`);
  }
  const message = `The request body must have one of the media types ${types.join(', ')}.`;
  throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', message, { headers: bodyTypesHeader(method, taken) });
}
