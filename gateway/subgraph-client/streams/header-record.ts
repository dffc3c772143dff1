/** What belongs to requests with a body, and not to the opening of a stream. */
const OF_BODIES = new Set(['content-type', 'accept', 'accept-encoding']);

/** Header lines as Node's clients take them. */
export function toHeaderRecord(lines: string): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const line of lines.split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).toLowerCase();
    if (name !== '' && !OF_BODIES.has(name)) headers[name] = line.slice(colon + 1).trim();
  }
  return headers;
}
