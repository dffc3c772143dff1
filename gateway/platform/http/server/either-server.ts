import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { SecureVersion } from 'node:tls';

/** How a listener proves who it is. */
export interface TlsMaterial {
  /** In PEM form, with the certificates between it and the authority. */
  readonly cert: string;
  /** In PEM form. */
  readonly key: string;
  /** Oldest version of TLS that is spoken. */
  readonly minVersion: SecureVersion;
}

/** A server of HTTP, over TLS or not. */
export interface EitherServer {
  readonly server: Server;
  /** Only where TLS is spoken: another certificate for connections that come from now on. */
  readonly secure?: (material: TlsMaterial) => void;
  /** Cuts connections that are none yet: HTTP servers do not know them, and would wait for them when they close. */
  endHandshakes(): void;
}

/** @param options of which `headersTimeout` bounds the handshake as well */
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

/** The same for a connection and for the TLS that is spoken over it. */
function nameOf({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string {
  return `${remoteAddress} ${remotePort}`;
}
