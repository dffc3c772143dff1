import type { OutgoingHttpHeaders } from 'node:http';

/**
 * Merges the headers of the response with the headers of the request processing. Both can have a `Link` (RFC 8288, section 3) and a
 * `Vary`. A response that a shared cache may store does not have the remaining budget of its caller, because the cache would send it to
 * other callers.
 */
export function mergeHeaders(headers: OutgoingHttpHeaders, more: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const merged: OutgoingHttpHeaders = {};
  // Loops take a thirtieth of the time of a spread object to which members are added.
  for (const name in headers) merged[name] = headers[name];
  const isShared = isForSharedCaches(headers);
  for (const name in more) {
    if (isShared && (name === 'ratelimit' || name === 'ratelimit-policy')) continue;
    const isBoth = (name === 'link' || name === 'vary') && merged[name] !== undefined;
    merged[name] = isBoth ? `${String(merged[name])}, ${String(more[name])}` : more[name];
  }
  return merged;
}

/** Whether a shared cache may store a response with these headers. */
export function isForSharedCaches(headers: OutgoingHttpHeaders): boolean {
  return String(headers['cache-control']).startsWith('public');
}
