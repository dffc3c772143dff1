import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';
import { unpacked } from '../http/unpacked.ts';
import type { Exchange } from './response-issues.ts';

export interface Recorder {
  /** Called when the status and the headers are known, before anything is sent. */
  onHead(headers: IncomingHttpHeaders): void;
  /** Called when everything is sent, or the client disconnected. */
  onEnd(recorded: RecordedExchange): void;
}

export interface RecordedExchange extends Exchange {
  /** Whether the client received everything. */
  readonly isWhole: boolean;
  /** Decoded on access. @throws Error when the body does not have the content coding of its headers */
  readonly text: string;
}

type Send = (...args: unknown[]) => unknown;

/** Records the response of a server, for any client. Responses that are never started are omitted. */
export function recordResponse(
  { method = 'GET', url = '/' }: IncomingMessage,
  response: ServerResponse,
  { onHead, onEnd }: Recorder,
): void {
  const chunks: Buffer[] = [];
  let head: { readonly status: number; readonly headers: IncomingHttpHeaders } | undefined;
  const retain = (chunk: unknown, encoding: unknown): void => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  /** Wraps a method of the response and observes its arguments first. */
  const listen = (name: 'writeHead' | 'write' | 'end', hear: (args: readonly unknown[]) => void): void => {
    const own = response[name].bind(response) as Send;
    response[name] = ((...args: unknown[]) => {
      hear(args);
      return own(...args);
    }) as never;
  };
  listen('writeHead', (args) => {
    head = { status: Number(args[0]), headers: readHead(response, args.at(-1)) };
    onHead(head.headers);
  });
  listen('write', ([chunk, encoding]) => retain(chunk, encoding));
  listen('end', ([chunk, encoding]) => retain(chunk, encoding));
  response.once('close', () => {
    if (head === undefined) return;
    const isWhole = response.writableFinished;
    const coding = head.headers['content-encoding'];
    onEnd({
      method,
      target: url,
      ...head,
      isWhole,
      // Servers without a facade may declare a wrong content coding. Nothing reads their bodies here.
      get text() {
        // A partial compressed body cannot be decoded.
        return isWhole || coding === undefined ? unpacked(Buffer.concat(chunks), coding).toString() : '';
      },
    });
  });
}

/** Returns the headers set before and those of `writeHead`: an object, pairs, or a flat list of names and values. */
function readHead(response: ServerResponse, given: unknown): IncomingHttpHeaders {
  const pairs = Array.isArray(given) ? (Array.isArray(given[0]) ? given : toPairs(given)) : Object.entries(Object(given) as object);
  const reported = (typeof given === 'object' ? pairs : []) as readonly (readonly [string, OutgoingHttpHeader | undefined])[];
  const headers: Record<string, string> = {};
  for (const [name, value] of [...Object.entries(response.getHeaders()), ...reported]) {
    if (value !== undefined) headers[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : String(value);
  }
  return headers;
}

function toPairs(list: readonly unknown[]): readonly (readonly unknown[])[] {
  return list.flatMap((name, index) => (index % 2 === 0 ? [[name, list[index + 1]]] : []));
}
