import type { IncomingMessage } from 'node:http';

/** Headers of which Node.js retains only the first, unless its server has the option `joinDuplicateHeaders`, and that the gateway reads. */
const SINGLE: ReadonlySet<string> = new Set([
  'authorization',
  'content-type',
  'if-modified-since',
  'if-unmodified-since',
  'max-forwards',
  'proxy-authorization',
  'user-agent',
]);

/**
 * Joins the values of duplicate headers, as the listeners of the gateway do. A server of the application drops all but the first, while a
 * proxy may read the last: the two would act for different callers.
 */
export function joinDuplicateHeaders({ headers, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): void {
  let seen: Map<string, string> | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    if (!SINGLE.has(name)) continue;
    const value = rawHeaders[index + 1] ?? '';
    seen ??= new Map();
    const before = seen.get(name);
    const joined = before === undefined ? value : `${before}, ${value}`;
    seen.set(name, joined);
    if (before !== undefined) headers[name] = joined;
  }
}
