import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { FRESH_DIGITS } from '../graph/operations.ts';
import { freshDigits } from '../graph/replay.ts';
import { createByteTemplate } from './byte-template.ts';
import { readMessages } from './http-messages.ts';

/** A request that a back end records. */
export interface RecordedRequest {
  /** Path and query. */
  readonly target: string;
  readonly body: string;
}

/** A back end that executes each request once and then repeats the recorded response. */
export interface RecordedBackEnd extends AsyncDisposable {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Number of requests so far. */
  readonly requests: number;
}

/**
 * Starts a back end. It writes prepared bytes, so that it uses little CPU time. Requests that differ only in one number of seven digits are
 * executed once, with `FRESH_DIGITS`. Their responses contain the number of the request instead.
 */
export async function startRecordedBackEnd(execute: (request: RecordedRequest) => Promise<string>): Promise<RecordedBackEnd> {
  const recorded = new Map<string, (digits: string) => Buffer>();
  let requests = 0;

  async function record(key: string, request: RecordedRequest): Promise<(digits: string) => Buffer> {
    const text = await execute(request);
    const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n`;
    const template = createByteTemplate(head + text);
    recorded.set(key, template);
    return template;
  }

  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    readMessages(socket, ({ start, body }) => {
      requests += 1;
      const received = `${start}\n${body.toString('latin1')}`;
      const digits = freshDigits(received) ?? FRESH_DIGITS;
      const key = received.replaceAll(digits, FRESH_DIGITS);
      const template = recorded.get(key);
      if (template !== undefined) {
        socket.write(template(digits));
        return;
      }
      const [, target = ''] = key.split(' ', 2);
      record(key, { target, body: body.toString().replaceAll(digits, FRESH_DIGITS) }).then(
        (first) => socket.write(first(digits)),
        (error: unknown) => socket.destroy(error instanceof Error ? error : new Error(String(error))),
      );
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get requests() {
      return requests;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      await Promise.resolve();
    },
  };
}
