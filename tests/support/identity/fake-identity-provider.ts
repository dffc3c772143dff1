import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Handles one request of a provider. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server on a free port with a replaceable handler that counts its requests. */
export interface FakeIdentityProvider extends AsyncDisposable {
  readonly url: string;
  /** Number of requests so far. */
  readonly asked: number;
  /** Sets the handler of the next requests. */
  answer(answer: Answer): void;
}

/** Returns a handler that sends JSON. */
export const json =
  (body: unknown, status = 200): Answer =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };

/** Handler that never responds. */
export const hang: Answer = () => undefined;

export async function startFakeIdentityProvider(first: Answer): Promise<FakeIdentityProvider> {
  let current = first;
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    current(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get asked() {
      return asked;
    },
    answer(answer) {
      current = answer;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}
