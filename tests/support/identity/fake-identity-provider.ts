import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Handles one request of a provider. */
export type ReceivedResponse = (request: IncomingMessage, response: ServerResponse) => void;

/** A server on a free port with a replaceable handler that counts its requests. */
export interface FakeIdentityProvider extends AsyncDisposable {
  readonly url: string;
  /** Number of requests so far. */
  readonly requested: number;
  /** Sets the handler of the next requests. */
  respond(respond: ReceivedResponse): void;
}

/** Returns a handler that sends JSON. */
export const json =
  (body: unknown, status = 200): ReceivedResponse =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };

/** Handler that never responds. */
export const hang: ReceivedResponse = () => undefined;

export async function startFakeIdentityProvider(first: ReceivedResponse): Promise<FakeIdentityProvider> {
  let current = first;
  let requested = 0;
  const server = createServer((request, response) => {
    requested += 1;
    current(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get requested() {
      return requested;
    },
    respond(respond) {
      current = respond;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}
