import type { OutgoingHttpHeaders } from 'node:http';

/** The headers of an answer and those of the request's own course; both may link to something (RFC 8288, section 3). */
export function mergeHeaders(headers: OutgoingHttpHeaders, more: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const merged = { ...headers };
  // One by one: a second object that is spread into the same costs several times as much.
  for (const name in more) {
    const isBoth = name === 'link' && merged[name] !== undefined;
    merged[name] = isBoth ? `${String(merged[name])}, ${String(more[name])}` : more[name];
  }
  return merged;
}
