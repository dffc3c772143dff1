/** Message of an event stream. */
export interface StreamMessage {
  /** Event type. @defaultValue 'message' */
  readonly event: string;
  /** Last id in the stream so far. Empty if there was none. */
  readonly id: string;
  readonly data: string;
}

export interface StreamParser {
  /** Parses the next part of the stream. @throws RangeError when a message or a line is too long */
  push(text: string): void;
}

/**
 * Creates an incremental parser for server-sent events (HTML, section 9.2.6).
 *
 * @param maxLength maximum length of a message. @unit UTF-16 code units
 * @param onId called with an id without data; a client that resumes after it has missed nothing
 */
export function createStreamParser(
  maxLength: number,
  onMessage: (message: StreamMessage) => void,
  onId?: (id: string) => void,
): StreamParser {
  let rest = '';
  let event = '';
  let id = '';
  let isIdNew = false;
  let data: string[] = [];
  let length = 0;
  let isFirst = true;

  function readLine(line: string): void {
    if (line === '') return dispatch();
    if (line.startsWith(':')) return undefined;
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'event') event = value;
    else if (field === 'id' && !value.includes('\0')) {
      id = value;
      isIdNew = true;
    } else if (field === 'data') {
      data.push(value);
      length += value.length + 1; // The line break is counted, because lines without a value also use memory.
      if (length > maxLength) throw new RangeError('A message is too long.');
    }
    return undefined;
  }

  function dispatch(): void {
    const message = { event: event === '' ? 'message' : event, id, data: data.join('\n') };
    const hasAny = data.length > 0;
    const isBookmark = !hasAny && isIdNew;
    isIdNew = false;
    event = '';
    data = [];
    length = 0;
    // Browsers ignore events without data, but `complete` of graphql-sse has no data.
    if (hasAny || message.event === 'complete') onMessage(message);
    else if (isBookmark) onId?.(id);
  }

  return {
    push(text) {
      rest += isFirst && text.startsWith('\uFEFF') ? text.slice(1) : text;
      isFirst = false;
      let begin = 0;
      for (;;) {
        const end = endOfLine(rest, begin);
        if (end < 0) break;
        // A CR at the end may be the first half of a line break.
        if (rest[end] === '\r' && end === rest.length - 1) break;
        const line = rest.slice(begin, end);
        begin = end + (rest.startsWith('\r\n', end) ? 2 : 1);
        readLine(line);
      }
      rest = rest.slice(begin);
      if (rest.length > maxLength) throw new RangeError('A line is too long.');
    },
  };
}

function endOfLine(text: string, from: number): number {
  const lf = text.indexOf('\n', from);
  const cr = text.indexOf('\r', from);
  if (cr < 0) return lf;
  return lf < 0 ? cr : Math.min(lf, cr);
}
