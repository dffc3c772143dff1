import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';
import { unpacked } from '../http/unpacked.ts';
import type { Exchange } from './answer-faults.ts';

export interface Recorder {
  /** The status and the headers are known, and nothing is sent yet. */
  onHead(headers: IncomingHttpHeaders): void;
  /** All is sent, or the client has left. */
  onEnd(recorded: RecordedExchange): void;
}

export interface RecordedExchange extends Exchange {
  /** Whether the client stayed until all was sent. */
  readonly isWhole: boolean;
  /** Unpacked when it is read. @throws Error where it is not in the coding that its head names */
  readonly text: string;
}

type Send = (...args: unknown[]) => unknown;

/** Writes down what a server answers, whoever has asked and however; answers that are never begun are left out. */
export function recordAnswer({ method = 'GET', url = '/' }: IncomingMessage, response: ServerResponse, { onHead, onEnd }: Recorder): void {
  const chunks: Buffer[] = [];
  let head: { readonly status: number; readonly headers: IncomingHttpHeaders } | undefined;
  const keep = (chunk: unknown, encoding: unknown): void => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  /** The method of the response, which hears of its arguments before. */
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
  listen('write', ([chunk, encoding]) => keep(chunk, encoding));
  listen('end', ([chunk, encoding]) => keep(chunk, encoding));
  response.once('close', () => {
    if (head === undefined) return;
    const isWhole = response.writableFinished;
    const coding = head.headers['content-encoding'];
    onEnd({
      method,
      target: url,
      ...head,
      isWhole,
      // Servers that are no facade may say what is not true of their bodies, which nobody reads here.
      get text() {
        // Of what is compressed, a part is nothing.
        return isWhole || coding === undefined ? unpacked(Buffer.concat(chunks), coding).toString() : '';
      },
    });
  });
}

/** Headers that were set before, and those of `writeHead`: an object, pairs, or names and values in turn. */
function readHead(response: ServerResponse, given: unknown): IncomingHttpHeaders {
  const pairs = Array.isArray(given) ? (Array.isArray(given[0]) ? given : toPairs(given)) : Object.entries(Object(given) as object);
  const told = (typeof given === 'object' ? pairs : []) as readonly (readonly [string, OutgoingHttpHeader | undefined])[];
  const headers: Record<string, string> = {};
  for (const [name, value] of [...Object.entries(response.getHeaders()), ...told]) {
    if (value !== undefined) headers[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : String(value);
  }
  return headers;
}

function toPairs(list: readonly unknown[]): readonly (readonly unknown[])[] {
  return list.flatMap((name, index) => (index % 2 === 0 ? [[name, list[index + 1]]] : []));
}
