import type { RestRoute } from '../../compile/rest-route.ts';

/** Supported preferences of a client (RFC 7240). */
export interface Preferences {
  /** Whether the response to a write contains the resource (section 4.2). */
  readonly returns?: 'minimal' | 'representation';
  /** How strictly a request is validated (section 4.4). */
  readonly handling?: 'lenient' | 'strict';
  /** Whether a collection omits its total. */
  readonly count?: 'none';
}

const NONE: Preferences = {};

/** Matches one preference: a name, its value, and parameters, which are all ignored. */
const PREFERENCE = /^([!#$%&'*+.^_`|~0-9a-z-]+)[ \t]*(?:=[ \t]*(?:"([^"]*)"|([!#$%&'*+.^_`|~0-9a-z-]*)))?[ \t]*(?:;.*)?$/i;

/** Maximum length of a header that is parsed. @unit characters */
const MAX_HEADER_LENGTH = 1_024;

/** Reads preferences. Unknown preferences are ignored, and the first of several values for one preference applies (section 2). */
export function readPrefer(header: string | readonly string[] | undefined): Preferences {
  if (typeof header !== 'string' || header.length > MAX_HEADER_LENGTH) return NONE;
  const values = new Map<string, string>();
  for (const part of header.split(',')) {
    const [, name, quoted, bare] = PREFERENCE.exec(part.trim()) ?? [];
    const key = name?.toLowerCase();
    if (key !== undefined && !values.has(key)) values.set(key, (quoted ?? bare ?? '').toLowerCase());
  }
  const returns = values.get('return');
  const handling = values.get('handling');
  return {
    ...(returns === 'minimal' || returns === 'representation' ? { returns } : {}),
    ...(handling === 'lenient' || handling === 'strict' ? { handling } : {}),
    ...(values.get('count') === 'none' ? { count: 'none' as const } : {}),
  };
}

/** Whether the body of the response may be omitted. A response with data that is shown only once needs its body. */
export function canBeMinimal({ method, status, isNeverStored, result }: RestRoute): boolean {
  return method !== 'GET' && status !== 204 && !isNeverStored && result.hoisted === undefined;
}
