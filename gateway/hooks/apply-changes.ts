import { isHeaderValue, isSettableHeader } from '../config/sections/header-rules.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';
import type { HeaderChanges, ResponseChanges } from './hooks.ts';

/** Returns headers with changes applied. @throws TypeError that names the header which hooks must not set */
export function withHeaderChanges(headers: RequestHeaders, changes: HeaderChanges): RequestHeaders {
  const changed: Record<string, string | string[] | undefined> = { ...headers };
  for (const [name, value] of Object.entries(checkHeaders(changes))) {
    if (value === null) delete changed[name];
    else changed[name] = value;
  }
  return changed;
}

/** Checks changes of request headers. @returns them with lower-case names @throws TypeError */
export function checkHeaders(changes: HeaderChanges): HeaderChanges {
  const checked: Record<string, string | null> = {};
  for (const [written, value] of Object.entries(requireObject(changes, 'headers'))) {
    const name = written.toLowerCase();
    if (!isSettableHeader(name)) throw new TypeError(`A hook must not set the request header "${written}".`);
    if (value !== null && !isHeaderValue(value))
      throw new TypeError(`A hook returned an invalid value for the request header "${written}".`);
    checked[name] = value;
  }
  return checked;
}

/** Headers that describe the body or the connection of a response, or identify it. The gateway sets them. */
const OF_RESPONSES =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-(?:type|length|encoding|range)|etag|x-correlation-id|ratelimit.*)$/;

/** Whether hooks and rules may set a response header, in lower case. */
function isSettableResponseHeader(name: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9a-z-]{1,128}$/.test(name) && !OF_RESPONSES.test(name);
}

/** Checks response headers. @returns them with lower-case names @throws TypeError */
export function checkResponseHeaders(headers: NonNullable<ResponseChanges['headers']>): Record<string, string | readonly string[]> {
  const checked: Record<string, string | readonly string[]> = {};
  for (const [written, value] of Object.entries(requireObject(headers, 'headers'))) {
    const name = written.toLowerCase();
    if (!isSettableResponseHeader(name)) throw new TypeError(`A hook must not set the response header "${written}".`);
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (!values.every(isHeaderValue)) throw new TypeError(`A hook returned an invalid value for the response header "${written}".`);
    checked[name] = value;
  }
  return checked;
}

/** Requires an object that is not a list. @throws TypeError */
export function requireObject<T>(value: T, name: string): T {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new TypeError(`A hook returned "${name}" that is not an object.`);
}
