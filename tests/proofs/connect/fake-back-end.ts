import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP request as the back end received it. */
export interface CapturedRequest {
  readonly method: string;
  /** Path as sent, without the query. */
  readonly path: string;
  /** Query as sent, without the question mark. */
  readonly query: string;
  /** Headers by lower-case name. Several values of one header are joined by commas (RFC 9110, section 5.3). */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

export interface RecordedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** Returns the response to a request. */
export type Respond = (request: CapturedRequest) => RecordedResponse;

/** A server that sends recorded responses and records all requests. */
export interface FakeBackEnd extends AsyncDisposable {
  /** Scheme, host and port. */
  readonly url: string;
  /** Requests in the order of their arrival. */
  readonly received: readonly CapturedRequest[];
}

/** Starts a back end on a free port. */
export async function startFakeBackEnd(respond: Respond): Promise<FakeBackEnd> {
  const received: CapturedRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const captured = capture(request, Buffer.concat(chunks).toString());
      received.push(captured);
      const { status, headers, body } = respond(captured);
      response.writeHead(status, headers).end(body);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

function capture({ method = '', url = '', rawHeaders }: IncomingMessage, body: string): CapturedRequest {
  const [path = '', ...query] = url.split('?');
  const headers = new Map<string, string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    const value = rawHeaders[index + 1] ?? '';
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return { method, path, query: query.join('?'), headers, body };
}
