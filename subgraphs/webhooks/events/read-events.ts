import { Agent, type Dispatcher, request } from 'undici';
import { UNNUMBERED_EVENT } from '../../../gateway/platform/http/request/event-id.ts';
import { createStreamParser, type StreamMessage } from '../../../gateway/platform/http/client/event-stream-parser.ts';

/** Items of a stream, in their order. */
export type StreamItem =
  /** An event. `id` is undefined when the subgraph provides none. */
  | { readonly kind: 'event'; readonly id: string | undefined; readonly data: Data; readonly codes: readonly string[] }
  /** A bookmark: the position of the stream without an event. */
  | { readonly kind: 'bookmark'; readonly id: string }
  /** A gap: events may have been missed before the next one. */
  | { readonly kind: 'gap' };

export type Data = Readonly<Record<string, unknown>> | null;

/** Thrown when the gateway has ended or rejected a stream. */
export class StreamRejected extends Error {
  override readonly name = 'StreamRejected';
  /** An error code of the gateway. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export interface StreamQuestion {
  /** Text of the subscription. */
  readonly text: string;
  /** Id of the last event that was received. @defaultValue the stream starts now */
  readonly lastEventId: string | undefined;
  /** Token with the identity of the owner. */
  readonly token: string;
}

/** Client that reads streams from a gateway. */
export interface GatewayClient extends AsyncDisposable {
  /**
   * Reads the items of one stream as they are consumed.
   *
   * @throws StreamRejected, and the errors of the connection
   */
  read(question: StreamQuestion, signal: AbortSignal): AsyncIterableIterator<StreamItem>;
}

/** Maximum length of an event. @unit UTF-16 code units */
const MAX_EVENT_LENGTH = 8_388_608;
/** Time for the headers of a stream. @unit milliseconds */
const HEAD_TIMEOUT_MS = 15_000;
/**
 * Time without a heartbeat after which a gateway counts as disconnected. Its service endpoint sends a heartbeat every ten seconds,
 * independent of the interval for clients.
 *
 * @unit milliseconds
 */
const SILENCE_TIMEOUT_MS = 35_000;
/** Maximum size of an error response that is read. @unit bytes */
const MAX_ERROR_BYTES = 65_536;

/** @param url address of the internal listener */
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
    if (!String(headers['content-type']).startsWith('text/event-stream')) throw streamErrorOf(statusCode, await readError(body));
    yield* parse(body);
  }

  return { read, [Symbol.asyncDispose]: () => agent.destroy() };
}

/** @throws StreamRejected, SyntaxError, RangeError */
async function* parse(body: Dispatcher.ResponseData['body']): AsyncGenerator<StreamItem, undefined> {
  const waiting: (StreamMessage | { readonly bookmark: string })[] = [];
  const parser = createStreamParser(
    MAX_EVENT_LENGTH,
    (message) => waiting.push(message),
    (bookmark) => waiting.push({ bookmark }),
  );
  body.setEncoding('utf8');
  for await (const piece of body) {
    parser.push(String(piece));
    for (const one of waiting.splice(0)) {
      if ('bookmark' in one) yield { kind: 'bookmark', id: one.bookmark };
      else if (one.event === 'complete') return;
      else if (one.event === 'next') yield toItem(one);
    }
  }
}

interface Result {
  readonly data?: Data;
  readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
}

/** @throws StreamRejected when the message contains the reason of the end instead of an event */
function toItem({ id, data: text }: StreamMessage): StreamItem {
  const { data, errors = [] } = JSON.parse(text) as Result;
  const codes = errors.map(({ extensions }) => extensions?.code ?? 'INTERNAL_SERVER_ERROR');
  if (data === undefined) throw new StreamRejected(codes[0] ?? 'INTERNAL_SERVER_ERROR', errors[0]?.message ?? 'The stream has ended.');
  if (data === null && codes.includes('EVENTS_MAY_BE_MISSED')) return { kind: 'gap' };
  return { kind: 'event', id: id === '' || id === UNNUMBERED_EVENT ? undefined : id, data, codes };
}

async function readError(body: Dispatcher.ResponseData['body']): Promise<string> {
  let text = '';
  for await (const piece of body) {
    text += String(piece);
    if (text.length > MAX_ERROR_BYTES) break;
  }
  return text;
}

function streamErrorOf(status: number, text: string): StreamRejected {
  let result: Result = {};
  try {
    result = JSON.parse(text) as Result;
  } catch {
    // reported by its status
  }
  const [error] = result.errors ?? [];
  return new StreamRejected(
    error?.extensions?.code ?? 'SUBGRAPH_INVALID_RESPONSE',
    error?.message ?? `The gateway responded with the status ${status}.`,
  );
}
