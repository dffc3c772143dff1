import { GatewayError } from '../../gateway/platform/errors.ts';
import { type EntityTag, formatTag } from '../request/conditional/entity-tag.ts';
import type { Preconditions, TagList } from '../request/conditional/preconditions.ts';

/** Validators of the representation that would be sent. */
export interface CurrentState {
  readonly tag?: EntityTag;
  /** @unit milliseconds since 1970, whole seconds */
  readonly lastModified?: number;
}

/**
 * Whether the client has the current representation, in the order of RFC 9110, section 13.2.2. Applies only to GET and HEAD, and only if
 * the response would be 200 (section 13.2.1).
 *
 * @throws GatewayError `PRECONDITION_FAILED`
 */
export function isNotModified(preconditions: Preconditions, current: CurrentState): boolean {
  const { ifMatch, ifNoneMatch, ifUnmodifiedSince, ifModifiedSince } = preconditions;
  const { tag, lastModified } = current;
  if (ifMatch !== undefined && !matchesStrongly(ifMatch, tag))
    throw failed('No entity tag in If-Match matches the current state of the resource.', tag);
  if (ifUnmodifiedSince !== undefined && lastModified !== undefined && lastModified > ifUnmodifiedSince) {
    throw failed('The resource was changed after the date in If-Unmodified-Since.', tag);
  }
  if (ifNoneMatch !== undefined) return matchesWeakly(ifNoneMatch, tag);
  return ifModifiedSince !== undefined && lastModified !== undefined && lastModified <= ifModifiedSince;
}

/** Compares tags weakly. `*` always matches, because a 200 has a representation. */
function matchesWeakly(list: TagList, tag: EntityTag | undefined): boolean {
  return list === '*' || list.some(({ opaque }) => opaque === tag?.opaque);
}

/** Compares tags strongly, byte for byte. The same version in another representation or coding has another tag (section 8.8.3.2). */
function matchesStrongly(list: TagList, tag: EntityTag | undefined): boolean {
  if (list === '*') return true;
  if (tag === undefined || tag.isWeak) return false;
  return list.some(({ opaque, isWeak }) => !isWeak && opaque === tag.opaque);
}

function failed(message: string, tag: EntityTag | undefined): GatewayError {
  return new GatewayError(
    'PRECONDITION_FAILED',
    message,
    tag === undefined ? {} : { headers: { etag: formatTag(tag.opaque, tag.isWeak) } },
  );
}
