import type { ExecutionResult } from 'graphql';

/** One payload of a response: the whole result, an event, or a part of an incremental result. */
export type Payload = ExecutionResult & { readonly hasNext?: boolean };

/** Reads the payloads of a response as they arrive. A response that is neither a stream nor incremental has one payload. */
export async function* readPayloads(response: Response): AsyncGenerator<Payload> {
  const type = response.headers.get('content-type') ?? '';
  if (response.body !== null && type.startsWith('text/event-stream')) yield* readEvents(response.body);
  else if (response.body !== null && type.startsWith('multipart/mixed')) yield* readParts(response.body, boundaryOf(type));
  else yield await readWhole(response);
}

async function readWhole(response: Response): Promise<Payload> {
  const text = await response.text();
  try {
    return JSON.parse(text) as Payload;
  } catch {
    throw new Error(`The server sent status ${response.status} without JSON: ${text.slice(0, 500)}`);
  }
}

/** Reads the events `next` up to the event `complete` (GraphQL over server-sent events, distinct connections mode). */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<Payload> {
  for await (const block of split(body, '\n\n', '')) {
    const fields = block.split('\n').map((line) => /^([a-z]+): ?(.*)$/.exec(line));
    const valueOf = (name: string): string => fields.flatMap((field) => (field?.[1] === name ? [field[2]] : [])).join('\n');
    const event = valueOf('event');
    if (event === 'complete') return;
    if (event === 'next') yield JSON.parse(valueOf('data')) as Payload;
  }
  throw new Error('The connection was closed before the subscription was complete.');
}

/** Reads the incremental payloads up to the one with `hasNext: false`. */
async function* readParts(body: ReadableStream<Uint8Array>, boundary: string): AsyncGenerator<Payload> {
  // The first delimiter may have no line break before it.
  for await (const part of split(body, `\r\n--${boundary}`, '\r\n')) {
    const head = part.indexOf('\r\n\r\n');
    if (head === -1) continue;
    const payload = JSON.parse(part.slice(head)) as Payload;
    yield payload;
    if (payload.hasNext !== true) return;
  }
  throw new Error('The connection was closed before the response was complete.');
}

function boundaryOf(type: string): string {
  return /;\s*boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(type)?.slice(1).find(Boolean) ?? '-';
}

/** Splits a body at each delimiter. @param start text that is read before the body */
async function* split(body: ReadableStream<Uint8Array>, delimiter: string, start: string): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let buffer = start;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      buffer += decoder.decode(value, { stream: true });
      const parts = buffer.split(delimiter);
      buffer = parts.pop() ?? '';
      yield* parts;
    }
    yield buffer;
  } finally {
    await reader.cancel().catch(() => undefined); // After an abort, there is nothing to cancel.
  }
}
