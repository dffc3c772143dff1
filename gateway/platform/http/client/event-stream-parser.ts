/** One message of an event stream. */
export interface StreamMessage {
  /** @defaultValue 'message' */
  readonly event: string;
  /** The last id that the stream had so far; empty where it had none. */
  readonly id: string;
  readonly data: string;
}

export interface StreamParser {
  /** @throws RangeError when a message is longer than it may be */
  push(text: string): void;
}

/**
 * Reads a stream of server-sent events piece by piece (HTML, section 9.2.6).
 *
 * @param maxLength of one message. @unit UTF-16 code units
 * @param onId told an id that came without data: whoever comes back after it has missed nothing
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
      length += value.length + 1; // with its line break: lines without a value take memory too
      if (length > maxLength) throw new RangeError('A message is too long.');
    }
    return undefined;
  }

  function dispatch(): void {
    const message = { event: event === '' ? 'message' : event, id, data: data.join('\n') };
    const hasAny = data.length > 0;
    const isMark = !hasAny && isIdNew;
    isIdNew = false;
    event = '';
    data = [];
    length = 0;
    // An event without data is none to a browser, but `complete` of graphql-sse has nothing to say.
    if (hasAny || message.event === 'complete') onMessage(message);
    else if (isMark) onId?.(id);
  }

  return {
    push(text) {
      rest += isFirst && text.startsWith('\uFEFF') ? text.slice(1) : text;
      isFirst = false;
      let begin = 0;
      for (;;) {
        const end = endOfLine(rest, begin);
        if (end < 0) break;
        // A CR at the very end may be half of a line break.
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
