import { GatewayError } from '../../../gateway/platform/errors.ts';
import type { RequestHeaders } from '../../../gateway/platform/request-headers.ts';
import type { EntityTag } from './entity-tag.ts';
import { readHttpDate } from './http-date.ts';

/** Entity tags of a header; `*` is any at all. */
export type TagList = '*' | readonly EntityTag[];

/** On what a client makes its request depend (RFC 9110, section 13.1). */
export interface Preconditions {
  readonly ifMatch?: TagList;
  readonly ifNoneMatch?: TagList;
  /** Absent beside `If-Match`, which says it better (section 13.1.4). @unit milliseconds since 1970 */
  readonly ifUnmodifiedSince?: number;
  /** Absent beside `If-None-Match` (section 13.1.3). @unit milliseconds since 1970 */
  readonly ifModifiedSince?: number;
}

const TAG = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/y;
const BETWEEN = /[ \t]*(?:,[ \t]*)+|[ \t]*$/y;

/**
 * The preconditions of a request; undefined where it has none, as most have.
 *
 * @param isSafe for GET and HEAD, which lose nothing when `If-None-Match` is not understood
 * @throws GatewayError `BAD_REQUEST` for a list of tags that cannot be read
 */
export function readPreconditions(headers: RequestHeaders, isSafe: boolean): Preconditions | undefined {
  const ifMatch = headers['if-match'];
  const ifNoneMatch = headers['if-none-match'];
  const ifUnmodifiedSince = headers['if-unmodified-since'];
  const ifModifiedSince = headers['if-modified-since'];
  if ((ifMatch ?? ifNoneMatch ?? ifUnmodifiedSince ?? ifModifiedSince) === undefined) return undefined;
  const matched = ifMatch === undefined ? undefined : readTags(ifMatch);
  if (matched === undefined && ifMatch !== undefined) throw unreadable('If-Match');
  const excluded = ifNoneMatch === undefined ? undefined : readTags(ifNoneMatch);
  if (excluded === undefined && ifNoneMatch !== undefined && !isSafe) throw unreadable('If-None-Match');
  const unmodified = matched === undefined ? readHttpDate(ifUnmodifiedSince) : undefined;
  const modified = ifNoneMatch === undefined && isSafe ? readHttpDate(ifModifiedSince) : undefined;
  return {
    ...(matched === undefined ? {} : { ifMatch: matched }),
    ...(excluded === undefined ? {} : { ifNoneMatch: excluded }),
    ...(unmodified === undefined ? {} : { ifUnmodifiedSince: unmodified }),
    ...(modified === undefined ? {} : { ifModifiedSince: modified }),
  };
}

/** A list of entity tags; undefined where the header is none. */
function readTags(header: string | readonly string[]): TagList | undefined {
  const text = (typeof header === 'string' ? header : header.join(',')).trim();
  if (text === '*') return '*';
  const tags: EntityTag[] = [];
  let index = skip(/[ \t,]*/y, text, 0);
  while (index < text.length) {
    TAG.lastIndex = index;
    const [, weak, opaque] = TAG.exec(text) ?? [];
    if (opaque === undefined) return undefined;
    tags.push({ opaque, isWeak: weak !== undefined });
    const next = skip(BETWEEN, text, TAG.lastIndex);
    if (next === TAG.lastIndex && next < text.length) return undefined;
    index = next;
  }
  return tags.length === 0 ? undefined : tags;
}

function skip(pattern: RegExp, text: string, index: number): number {
  pattern.lastIndex = index;
  return pattern.test(text) ? pattern.lastIndex : index;
}

function unreadable(header: string): GatewayError {
  return new GatewayError('BAD_REQUEST', `${header} is "*", or entity tags in double quotes with commas between them, as ETag tells them.`);
}
