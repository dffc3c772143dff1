import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Connections } from './connections.ts';

/** Maximum time for which a connection may be half open. @unit milliseconds */
const LINGER_MS = 1_000;

/**
 * Ends a connection. Written data is sent first, and the client gets some time to read it and to close its side. After that the connection
 * is destroyed, so that a client that never closes its side cannot hold it open.
 */
export function hangUp(socket: Duplex, lastWords = ''): void {
  socket.on('error', () => socket.destroy()).end(lastWords);
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(cut));
}

/** Handler that takes connections over from HTTP. */
export interface UpgradeHandler {
  /**
   * Whether a request offers a protocol that its target supports. Other offers are ignored, and the request is handled as if it had no
   * offer (RFC 9110, section 7.8).
   */
  wants(request: IncomingMessage): boolean;
  /**
   * Takes the connection, which may be paused. The handler resumes it after its listeners are attached. The responses to earlier requests
   * of the connection have been sent.
   */
  take(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** Headers that offer another protocol. They are removed from a request whose offer is ignored (RFC 9110, section 7.8). */
const UPGRADING: ReadonlySet<string> = new Set(['connection', 'upgrade', 'http2-settings']);

/**
 * Offers connections to a handler. Node.js has no API to decline an upgrade. With a listener, each request with an `Upgrade` header is
 * taken out of HTTP; without a listener, Node.js loses the bytes that follow such a request. A declined request is therefore put back
 * without the offer, before the bytes that follow it.
 */
export function serveUpgrades(server: Server, handler: UpgradeHandler, connections: Pick<Connections, 'detach' | 'attach'>): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const isWanted = request.httpVersion !== '1.0' && handler.wants(request);
    const fail = (): void => void socket.destroy();
    socket.on('error', fail);
    // The request was pipelined. Two responses, or two protocols, must not be mixed on a connection.
    connections.detach(socket, () => {
      if (isWanted) return handler.take(request, socket, head);
      putBack(server, request, socket, head);
      connections.attach(socket);
      socket.off('error', fail);
      socket.resume();
    });
  });
}

function putBack(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  socket.unshift(Buffer.concat([Buffer.from(toOrdinaryRequest(request), 'latin1'), head]));
  server.emit('encrypted' in socket ? 'secureConnection' : 'connection', socket);
  removeDuplicateListeners(socket);
}

/**
 * Removes duplicate listeners. Node.js leaves some of its listeners on a connection that it hands over, and adds them again when the
 * connection is returned.
 */
function removeDuplicateListeners(socket: Duplex): void {
  for (const event of socket.eventNames()) {
    const seen = new Set<unknown>();
    for (const listener of socket.rawListeners(event)) {
      if (seen.has(listener)) socket.off(String(event), listener as () => void);
      seen.add(listener);
    }
  }
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
