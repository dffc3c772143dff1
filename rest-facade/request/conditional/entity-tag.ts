import { hash } from 'node:crypto';
import type { Coding } from '../../../gateway/platform/http/response/compress.ts';

/** An entity tag from a header (RFC 9110, section 8.8.3). */
export interface EntityTag {
  /** The text between the quotes. */
  readonly opaque: string;
  readonly isWeak: boolean;
}

/** Length of the part that distinguishes the variants of a version. @unit hexadecimal digits */
const VARIANT_LENGTH = 6;
/** Length of the hash that distinguishes contents. @unit hexadecimal digits */
const CONTENT_LENGTH = 32;
/** Length of the hash that distinguishes contents of one version and variant. @unit hexadecimal digits */
const VARIANT_CONTENT_LENGTH = 22;

/** Pattern of version tags of the gateway, with the content coding at the end. */
const OF_VERSION = new RegExp(`^(.+)-(?:[0-9a-f]{${VARIANT_LENGTH}}|[0-9a-f]{${VARIANT_CONTENT_LENGTH}})(?:-(?:br|gzip))?$`);

/** Returns the digits that identify a variant. */
export function variantOf(variant: string): string {
  return digest(variant, VARIANT_LENGTH);
}

/** Returns the tag of a representation that version and variant identify, so that its bytes need not be hashed. */
export function versionTag(version: string, variant: string): string {
  return `${encodeURIComponent(version)}-${variant}`;
}

/** Returns the tag of a representation with fields that the version does not cover. */
export function versionedContentTag(version: string, variant: string, body: string): string {
  return versionTag(version, digest(`${variant}\n${body}`, VARIANT_CONTENT_LENGTH));
}

/** Returns the tag of a representation without a version. */
export function contentTag(body: string): string {
  return digest(body, CONTENT_LENGTH);
}

/** Formats the value of `ETag`. @param isWeak whether equivalent representations with other bytes may have the same tag */
export function formatTag(opaque: string, isWeak: boolean): string {
  return isWeak ? `W/"${opaque}"` : `"${opaque}"`;
}

/** Formats the value of `ETag` for a representation whose tag differs after each change (RFC 9110, section 8.8.1). */
export function strongTag(opaque: string): string {
  return formatTag(opaque, false);
}

/** Parses an `ETag` that the gateway has created. */
export function parseTag(header: string): EntityTag {
  const isWeak = header.startsWith('W/');
  return { opaque: header.slice(isWeak ? 3 : 1, -1), isWeak };
}

/**
 * Adds the content coding to a tag. The same content in another coding has other bytes, and therefore another strong tag (RFC 9110, section
 * 8.8.3.3).
 */
export function inCoding(header: string, coding: Coding): string {
  return `${header.slice(0, -1)}-${coding}"`;
}

/** Returns the version in a tag of the gateway, for every variant and coding. Returns undefined for other tags. */
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
