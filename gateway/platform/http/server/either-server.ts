import type { RequestListener, Server, ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { SecureVersion } from 'node:tls';
import { createServer } from '../node-http.ts';

/** Certificate and settings of a TLS listener. */
export interface TlsMaterial {
  /** Certificate chain (PEM). */
  readonly cert: string;
  /** Private key (PEM). */
  readonly key: string;
  /** Minimum TLS version. */
  readonly minVersion: SecureVersion;
}

/** HTTP server with or without TLS. */
export interface EitherServer {
  readonly server: Server;
  /** Replaces the certificate for new connections. Present only with TLS. */
  readonly secure?: (material: TlsMaterial) => void;
  /** Closes connections whose TLS handshake is not complete. HTTP servers do not track them, but wait for them when they close. */
  endHandshakes(): void;
}

/** Creates a server. @param options server options; `headersTimeout` also limits the TLS handshake */
export function createServerFor(options: ServerOptions, handler: RequestListener, tls: TlsMaterial | undefined): EitherServer {
  if (tls === undefined) return { server: createServer(options, handler), endHandshakes: () => undefined };
  const server = createTlsServer({ ...options, ...tls, handshakeTimeout: options.headersTimeout }, handler);
  const shaking = new Map<string, Socket>();
  server.on('connection', (socket: Socket) => {
    const name = nameOf(socket);
    shaking.set(name, socket);
    socket.once('close', () => shaking.delete(name));
  });
  server.on('secureConnection', (socket) => shaking.delete(nameOf(socket)));
  return {
    server,
    secure: (material) => server.setSecureContext(material),
    endHandshakes() {
      for (const socket of shaking.values()) socket.destroy();
    },
  };
}

/** Returns the same key for a connection and its TLS socket. */
function nameOf({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string {
  return `${remoteAddress} ${remotePort}`;
}
