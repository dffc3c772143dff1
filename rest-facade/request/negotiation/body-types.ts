import { GatewayError } from '../../../gateway/platform/errors.ts';
import type { RestMethod } from '../../compile/documents/directives.ts';
import { JSON_TYPE, vendorType } from './content-negotiation.ts';

/** A partial update by RFC 7396: what is absent stays, null clears. Plain JSON means the same here. */
const MERGE_PATCH_TYPE = 'application/merge-patch+json';

/** In which of the vendor's media types a version takes bodies. */
export interface BodyVersion {
  readonly version: number;
  /** As it stands in the vendor's media types. */
  readonly vendor: string;
}

/** Media types of a body, by method: those in which the resource is answered as it is, without an envelope and links. */
export function bodyTypes(method: RestMethod, { version, vendor }: BodyVersion): readonly string[] {
  const patch = method === 'PATCH' ? [MERGE_PATCH_TYPE] : [];
  return [JSON_TYPE, ...patch, vendorType(vendor, 'plain'), vendorType(vendor, 'plain', version)];
}

/** The header that tells which bodies a method takes (RFC 5789, section 3.1; W3C Linked Data Platform; RFC 9110, section 15.5.16). */
export function bodyTypesHeader(method: RestMethod, taken: BodyVersion): Readonly<Record<string, string>> {
  const name = method === 'PATCH' ? 'accept-patch' : method === 'POST' ? 'accept-post' : 'accept';
  return { [name]: bodyTypes(method, taken).join(', ') };
}

/**
 * @param essence what the request says that its body is; undefined where it says nothing that can be read
 * @throws GatewayError `UNSUPPORTED_MEDIA_TYPE`; `VERSION_CONFLICT` for a type of another version than the request is about
 */
export function requireBodyType(essence: string | undefined, method: RestMethod, taken: BodyVersion): void {
  if (essence === JSON_TYPE) return;
  const types = bodyTypes(method, taken);
  if (essence !== undefined && types.includes(essence)) return;
  const other = new RegExp(`^application/vnd\\.${taken.vendor}\\.v([1-9]\\d{0,2})\\+json$`).exec(essence ?? '')?.[1];
  if (other !== undefined) {
    const difference = `it is about ${taken.version}, and the Content-Type header names ${other}`;
    throw new GatewayError('VERSION_CONFLICT', `The request names two versions: ${difference}.`);
  }
  const message = `Send the content type ${types.join(' or ')}.`;
  throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', message, { headers: bodyTypesHeader(method, taken) });
}
