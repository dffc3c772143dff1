import { IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** Response of a server to GET. */
export interface RespondingServer {
  readonly status: number;
  readonly text: string;
}

/** Headers in which proxies describe how a client connected. */
const BY_PROXY = /^(?:host|forwarded|x-forwarded-.*)$/;

/**
 * Requests a path from a server of this process by a direct call, as a client that connected like `like`. The server receives the request
 * immediately, even while it closes. It counts no connection for it, and tests do not see it.
 */
export function requestServer(server: Server, path: string, like: IncomingMessage): Promise<RespondingServer> {
  const connection = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
  const { remoteAddress, remotePort, localAddress, localPort } = like.socket;
  const encrypted = 'encrypted' in like.socket;
  const socket = Object.assign(connection, { remoteAddress, remotePort, localAddress, localPort, ...(encrypted ? { encrypted } : {}) });
  const request = new IncomingMessage(socket as unknown as Socket);
  const headers = Object.fromEntries(Object.entries(like.headers).filter(([name]) => BY_PROXY.test(name)));
  const rawHeaders = Object.entries(headers).flatMap(([name, value]) => [name, String(value)]);
  const version = { httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 };
  Object.assign(request, { method: 'GET', url: path, ...version, headers, rawHeaders, complete: true });
  request.push(null);
  const response = new ServerResponse(request);
  response.assignSocket(socket as unknown as Socket);
  const chunks: Buffer[] = [];
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
  response.end = ((chunk: unknown, ...more: unknown[]) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as Uint8Array));
    return end(chunk, ...more);
  }) as never;
  return new Promise((resolve) => {
    response.once('finish', () => {
      resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() });
      connection.destroy(); // Code that counts connections must see that this one is closed.
    });
    server.emit('request', request, response);
  });
}
