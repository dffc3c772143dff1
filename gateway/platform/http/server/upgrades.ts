import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Connections } from './connections.ts';

/** Time for which a connection may stay half open. @unit milliseconds */
const LINGER_MS = 1_000;

/**
 * Ends a connection. What was written before goes out first; then the client gets a moment to read and to hang up itself. A client that never
 * closes its side must not keep the connection open.
 */
export function hangUp(socket: Duplex, lastWords = ''): void {
  socket.on('error', () => socket.destroy()).end(lastWords);
  const cut = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(cut));
}

/** Takes connections over from HTTP. */
export interface UpgradeHandler {
  /**
   * Whether a request asks for a protocol that is spoken at its target. Every other offer is ignored, and the request answered as if it had
   * not been made (RFC 9110, section 7.8).
   */
  wants(request: IncomingMessage): boolean;
  /**
   * Takes the connection, which may be paused; the handler resumes it once its listeners are attached. The responses to earlier requests of
   * the connection have been sent.
   */
  take(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** What asks for another protocol, and is left out of the request that is answered all the same (RFC 9110, section 7.8). */
const UPGRADING: ReadonlySet<string> = new Set(['connection', 'upgrade', 'http2-settings']);

/**
 * Offers connections to a handler. Node has no way to decline: once somebody listens, each request with an `Upgrade` header is taken out
 * of HTTP, and without a listener Node loses the bytes that follow such a request. What is declined is therefore put back: the request as it
 * came, without the offer, before the bytes that follow it.
 */
export function serveUpgrades(server: Server, handler: UpgradeHandler, connections: Pick<Connections, 'detach' | 'attach'>): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const isWanted = request.httpVersion !== '1.0' && handler.wants(request);
    const fail = (): void => void socket.destroy();
    socket.on('error', fail);
    // Sent without waiting for the answer before: two responses, or two protocols, must not be mixed.
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

/** Node leaves some of its listeners on a connection that it gives away, and adds the same ones when it gets the connection back. */
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
