import { hash } from 'node:crypto';
import type { Coding } from '../../gateway/platform/http/response/compress.ts';

/** An entity tag as a header has it (RFC 9110, section 8.8.3). */
export interface EntityTag {
  /** What stands between the quotes. */
  readonly opaque: string;
  readonly isWeak: boolean;
}

/** Tells the forms of one version from each other. @unit hexadecimal digits */
const VARIANT_LENGTH = 6;
/** Tells contents from each other. @unit hexadecimal digits */
const CONTENT_LENGTH = 32;
/** Tells contents of one version and form from each other. @unit hexadecimal digits */
const VARIANT_CONTENT_LENGTH = 22;

/** What our tags of versions look like, the content coding last. */
const OF_VERSION = new RegExp(`^(.+)-(?:[0-9a-f]{${VARIANT_LENGTH}}|[0-9a-f]{${VARIANT_CONTENT_LENGTH}})(?:-(?:br|gzip))?$`);

/** The digits that stand for a form. */
export function variantOf(form: string): string {
  return digest(form, VARIANT_LENGTH);
}

/** Tag of a representation that its version and form tell from every other: nobody has to look at its bytes. */
export function versionTag(version: string, variant: string): string {
  return `${encodeURIComponent(version)}-${variant}`;
}

/** Tag of a representation that shows more than its version speaks of. */
export function versionedContentTag(version: string, variant: string, body: string): string {
  return versionTag(version, digest(`${variant}\n${body}`, VARIANT_CONTENT_LENGTH));
}

/** Tag of a representation that has no version. */
export function contentTag(body: string): string {
  return digest(body, CONTENT_LENGTH);
}

/** The value of `ETag`. @param isWeak whether other bytes may have the same tag, as long as they are as good */
export function formatTag(opaque: string, isWeak: boolean): string {
  return isWeak ? `W/"${opaque}"` : `"${opaque}"`;
}

/** The value of `ETag` for a representation whose tag is another one after each change (RFC 9110, section 8.8.1). */
export function strongTag(opaque: string): string {
  return formatTag(opaque, false);
}

/** The tag in an `ETag` of ours. */
export function parseTag(header: string): EntityTag {
  const isWeak = header.startsWith('W/');
  return { opaque: header.slice(isWeak ? 3 : 1, -1), isWeak };
}

/** The same content in another coding is other bytes, and so has another strong tag (RFC 9110, section 8.8.3.3). */
export function inCoding(header: string, coding: Coding): string {
  return `${header.slice(0, -1)}-${coding}"`;
}

/** The version in a tag of ours, whatever the form and coding it was sent in; undefined in every other tag. */
export function versionIn({ opaque, isWeak }: EntityTag): string | undefined {
  const encoded = isWeak ? undefined : OF_VERSION.exec(opaque)?.[1];
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

function digest(text: string, length: number): string {
  return hash('sha256', text).slice(0, length);
}
