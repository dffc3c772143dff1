import type { RestMethod } from '../mapping/directive-values.ts';

const JSON_TYPE = 'application/json';
/** A partial update by RFC 7396: what is absent stays, null clears. Plain JSON means the same here. */
const MERGE_PATCH_TYPE = 'application/merge-patch+json';

/** Media types of a body, by method. */
export function bodyTypes(method: RestMethod): readonly string[] {
  return method === 'PATCH' ? [JSON_TYPE, MERGE_PATCH_TYPE] : [JSON_TYPE];
}

/** JSON of a vendor (RFC 6838, section 3.2), as our own answers may be, is JSON; formats that say in JSON what to do with it are not. */
const VENDOR_TYPE = /^application\/vnd\.[^/]+\+json$/;

/** Whether a body of that media type is read as JSON. */
export function isBodyType(essence: string, method: RestMethod): boolean {
  return bodyTypes(method).includes(essence) || VENDOR_TYPE.test(essence);
}
