import { Agent, type Dispatcher, request } from 'undici';
import { UNNUMBERED_EVENT } from '../../../gateway/platform/http/request/event-id.ts';
import { createStreamParser, type StreamMessage } from '../../../gateway/platform/http/client/event-stream-parser.ts';

/** What comes on a stream, in its order. */
export type StreamItem =
  /** `id` is undefined where the subgraph gives none. */
  | { readonly kind: 'event'; readonly id: string | undefined; readonly data: Data; readonly codes: readonly string[] }
  /** Nothing has happened up to here. */
  | { readonly kind: 'mark'; readonly id: string }
  /** Events may have been missed before the next one. */
  | { readonly kind: 'gap' };

export type Data = Readonly<Record<string, unknown>> | null;

/** The gateway has ended a stream, or has not begun one, and says why. */
export class StreamRefused extends Error {
  override readonly name = 'StreamRefused';
  /** A code of the gateway's catalogue. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export interface StreamQuestion {
  /** The subscription. */
  readonly text: string;
  /** The last event that was seen. @defaultValue the stream begins now */
  readonly lastEventId: string | undefined;
  /** Who it is for. */
  readonly token: string;
}

/** Asks a gateway for streams. */
export interface GatewayClient extends AsyncDisposable {
  /**
   * The items of one stream, read as they are taken.
   *
   * @throws StreamRefused, and whatever the connection throws
   */
  read(question: StreamQuestion, signal: AbortSignal): AsyncIterableIterator<StreamItem>;
}

/** Longest event. @unit UTF-16 code units */
const MAX_EVENT_LENGTH = 8_388_608;
/** Until a stream must have begun. @unit milliseconds */
const HEAD_TIMEOUT_MS = 15_000;
/** Without a sign of life for so long, a gateway is gone; its door of services gives one every ten seconds, whatever clients are given. @unit milliseconds */
const SILENCE_TIMEOUT_MS = 35_000;
/** Longest refusal that is read. @unit bytes */
const MAX_REFUSAL_BYTES = 65_536;

/** @param url of the internal listener */
export function createGatewayClient(url: string): GatewayClient {
  const agent = new Agent({ headersTimeout: HEAD_TIMEOUT_MS, bodyTimeout: SILENCE_TIMEOUT_MS });
  const address = new URL('/graphql', url);

  async function* read({ text, lastEventId, token }: StreamQuestion, signal: AbortSignal): AsyncGenerator<StreamItem, undefined> {
    const { statusCode, headers, body } = await request(address, {
      dispatcher: agent,
      method: 'POST',
      headers: { accept: 'text/event-stream, application/json', authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: text, ...(lastEventId === undefined ? {} : { extensions: { lastEventId } }) }),
      signal,
    });
    if (!String(headers['content-type']).startsWith('text/event-stream')) throw refusalOf(statusCode, await readRefusal(body));
    yield* parse(body);
  }

  return { read, [Symbol.asyncDispose]: () => agent.destroy() };
}

/** @throws StreamRefused, SyntaxError, RangeError */
async function* parse(body: Dispatcher.ResponseData['body']): AsyncGenerator<StreamItem, undefined> {
  const waiting: (StreamMessage | { readonly mark: string })[] = [];
  const parser = createStreamParser(
    MAX_EVENT_LENGTH,
    (message) => waiting.push(message),
    (mark) => waiting.push({ mark }),
  );
  body.setEncoding('utf8');
  for await (const piece of body) {
    parser.push(String(piece));
    for (const one of waiting.splice(0)) {
      if ('mark' in one) yield { kind: 'mark', id: one.mark };
      else if (one.event === 'complete') return;
      else if (one.event === 'next') yield toItem(one);
    }
  }
}

interface Result {
  readonly data?: Data;
  readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
}

/** @throws StreamRefused where it is the reason of an end, in place of an event */
function toItem({ id, data: text }: StreamMessage): StreamItem {
  const { data, errors = [] } = JSON.parse(text) as Result;
  const codes = errors.map(({ extensions }) => extensions?.code ?? 'INTERNAL_SERVER_ERROR');
  if (data === undefined) throw new StreamRefused(codes[0] ?? 'INTERNAL_SERVER_ERROR', errors[0]?.message ?? 'The stream has ended.');
  if (data === null && codes.includes('EVENTS_MAY_BE_MISSED')) return { kind: 'gap' };
  return { kind: 'event', id: id === '' || id === UNNUMBERED_EVENT ? undefined : id, data, codes };
}

async function readRefusal(body: Dispatcher.ResponseData['body']): Promise<string> {
  let text = '';
  for await (const piece of body) {
    text += String(piece);
    if (text.length > MAX_REFUSAL_BYTES) break;
  }
  return text;
}

function refusalOf(status: number, text: string): StreamRefused {
  let result: Result = {};
  try {
    result = JSON.parse(text) as Result;
  } catch {
    // told by its status
  }
  const [error] = result.errors ?? [];
  return new StreamRefused(error?.extensions?.code ?? 'SUBGRAPH_INVALID_RESPONSE', error?.message ?? `The gateway answered ${status}.`);
}
