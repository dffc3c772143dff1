import { GatewayError } from '../../../gateway/platform/errors.ts';
import type { RequestHeaders } from '../../../gateway/platform/request-headers.ts';
import type { EntityTag } from './entity-tag.ts';
import { readHttpDate } from './http-date.ts';

/** Entity tags of a header. `*` matches any tag. */
export type TagList = '*' | readonly EntityTag[];

/** Preconditions of a request (RFC 9110, section 13.1). */
export interface Preconditions {
  readonly ifMatch?: TagList;
  readonly ifNoneMatch?: TagList;
  /** Ignored and absent if `If-Match` is sent (section 13.1.4). @unit milliseconds since 1970 */
  readonly ifUnmodifiedSince?: number;
  /** Ignored and absent if `If-None-Match` is sent (section 13.1.3). @unit milliseconds since 1970 */
  readonly ifModifiedSince?: number;
}

const TAG = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/y;
/** Matches one strong tag, which almost all conditional requests have. */
const ONE_TAG = /^"([\x21\x23-\x7e\x80-\xff]*)"$/;
const BETWEEN = /[ \t]*(?:,[ \t]*)+|[ \t]*$/y;

/**
 * Reads the preconditions of a request. Returns undefined for a request without preconditions, which is the most common case.
 *
 * @param isSafe true for GET and HEAD, for which an invalid `If-None-Match` can be ignored
 * @throws GatewayError `BAD_REQUEST` for an invalid list of tags
 */
export function readPreconditions(headers: RequestHeaders, isSafe: boolean): Preconditions | undefined {
  const ifMatch = headers['if-match'];
  const ifNoneMatch = headers['if-none-match'];
  const ifUnmodifiedSince = headers['if-unmodified-since'];
  const ifModifiedSince = headers['if-modified-since'];
  if ((ifMatch ?? ifNoneMatch ?? ifUnmodifiedSince ?? ifModifiedSince) === undefined) return undefined;
  const opaque = ifMatch === undefined && ifUnmodifiedSince === undefined ? onlyTagIn(ifNoneMatch) : undefined;
  if (opaque !== undefined) return { ifNoneMatch: [{ opaque, isWeak: false }] };
  return readAll({ ifMatch, ifNoneMatch, ifUnmodifiedSince, ifModifiedSince }, isSafe);
}

/** Returns the value of a header with one strong tag. */
function onlyTagIn(header: HeaderValue): string | undefined {
  return typeof header === 'string' ? ONE_TAG.exec(header)?.[1] : undefined;
}

type HeaderValue = RequestHeaders[string];

function readAll(
  { ifMatch, ifNoneMatch, ifUnmodifiedSince, ifModifiedSince }: Readonly<Record<keyof Preconditions, HeaderValue>>,
  isSafe: boolean,
): Preconditions {
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

/** Reads a list of entity tags. Returns undefined if the header is invalid. */
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
  return new GatewayError(
    'BAD_REQUEST',
    `${header} is invalid. Send "*", or a comma-separated list of entity tags in double quotes, as in the ETag header.`,
  );
}
