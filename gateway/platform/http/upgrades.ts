import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Takes a connection over from HTTP; false where the request is to be answered as if it had not asked for another protocol. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => boolean;

/** What asks for another protocol, and is left out of the request that is answered all the same (RFC 9110, section 7.8). */
const UPGRADING: ReadonlySet<string> = new Set(['connection', 'upgrade', 'http2-settings']);

/**
 * Offers connections to a handler. Node has no way to decline: once somebody listens, each request with an `Upgrade` header is taken out
 * of HTTP, also those of clients that offer HTTP/2 in passing. What is declined is therefore put back: the request as it came, without
 * the offer, before the bytes that follow it.
 *
 * @param isAnswering whether an answer to an earlier request of the connection is under way
 */
export function serveUpgrades(server: Server, handler: UpgradeHandler, isAnswering: (socket: Duplex) => boolean): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    // Sent without waiting for the answer before: two protocols would write into each other.
    if (isAnswering(socket)) socket.destroy();
    else if (!handler(request, socket, head)) putBack(server, request, socket, head);
  });
}

function putBack(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  socket.unshift(Buffer.concat([Buffer.from(toOrdinaryRequest(request), 'latin1'), head]));
  server.emit('encrypted' in socket ? 'secureConnection' : 'connection', socket);
}

function toOrdinaryRequest({ method, url, httpVersion, headers, rawHeaders }: IncomingMessage): string {
  const isLast = /(?:^|,)\s*close\s*(?:,|$)/i.test(headers.connection ?? '');
  let text = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (!UPGRADING.has(name.toLowerCase())) text += `${name}: ${rawHeaders[index + 1] ?? ''}\r\n`;
  }
  return `${text}${isLast ? 'Connection: close\r\n' : ''}\r\n`;
}
