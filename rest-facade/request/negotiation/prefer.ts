import type { RestRoute } from '../../compile/rest-route.ts';

/** What a client would like, of what is understood here (RFC 7240). */
export interface Preferences {
  /** Whether the answer to a write shows what was written (section 4.2). */
  readonly returns?: 'minimal' | 'representation';
  /** How strictly a request is read (section 4.4). */
  readonly handling?: 'lenient' | 'strict';
  /** Whether a collection tells how many items it has. */
  readonly count?: 'none';
}

const NONE: Preferences = {};

/** One preference: a name, its value, and parameters, of which none has a meaning here. */
const PREFERENCE = /^([!#$%&'*+.^_`|~0-9a-z-]+)[ \t]*(?:=[ \t]*(?:"([^"]*)"|([!#$%&'*+.^_`|~0-9a-z-]*)))?[ \t]*(?:;.*)?$/i;

/** Longest header that is read. @unit characters */
const MAX_HEADER_LENGTH = 1_024;

/** What is not understood is passed over, and of two wishes for the same thing the first holds (section 2). */
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

/** Whether the answer of a route can do without a body: one that shows something here alone would lose it. */
export function canBeMinimal({ method, status, isNeverStored, result }: RestRoute): boolean {
  return method !== 'GET' && status !== 204 && !isNeverStored && result.beside === undefined;
}
