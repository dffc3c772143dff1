import { GatewayError } from '../../gateway/platform/errors.ts';
import { type EntityTag, formatTag } from '../request/conditional/entity-tag.ts';
import type { Preconditions, TagList } from '../request/conditional/preconditions.ts';

/** The state of what would be sent. */
export interface CurrentState {
  readonly tag?: EntityTag;
  /** @unit milliseconds since 1970, whole seconds */
  readonly lastModified?: number;
}

/**
 * Whether a client has already what it would be sent, by the order of RFC 9110, section 13.2.2. Only for GET and HEAD, and only where
 * the answer would be 200: section 13.2.1.
 *
 * @throws GatewayError `PRECONDITION_FAILED`
 */
export function isNotModified(preconditions: Preconditions, current: CurrentState): boolean {
  const { ifMatch, ifNoneMatch, ifUnmodifiedSince, ifModifiedSince } = preconditions;
  const { tag, lastModified } = current;
  if (ifMatch !== undefined && !matchesStrongly(ifMatch, tag)) throw failed('None of the entity tags in If-Match is the current one.', tag);
  if (ifUnmodifiedSince !== undefined && lastModified !== undefined && lastModified > ifUnmodifiedSince) {
    throw failed('It was changed since the date in If-Unmodified-Since.', tag);
  }
  if (ifNoneMatch !== undefined) return matchesWeakly(ifNoneMatch, tag);
  return ifModifiedSince !== undefined && lastModified !== undefined && lastModified <= ifModifiedSince;
}

/** Of `*` there is always one: an answer of 200 has something to show. */
function matchesWeakly(list: TagList, tag: EntityTag | undefined): boolean {
  return list === '*' || list.some(({ opaque }) => opaque === tag?.opaque);
}

/** What is read is these bytes, or is not: the same version in another form or coding is another tag (section 8.8.3.2). */
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
