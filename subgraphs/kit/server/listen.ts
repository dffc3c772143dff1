import { type IncomingMessage, type RequestListener, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { ListenFailure } from '../../../gateway/platform/http/server/listen-failure.ts';

export interface Listener {
  readonly url: string;
  stop(): Promise<void>;
}

interface NamedListenOptions {
  /** Name of the subgraph, for the error message when it cannot listen. */
  readonly name: string;
  readonly host?: string;
  readonly port?: number;
  readonly drainTimeoutMs?: number;
  /** Handles upgrade requests. @defaultValue they are rejected */
  readonly onUpgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

/** @throws ListenFailure with the subgraph and the address when the address cannot be used */
export async function listen(handler: RequestListener, options: NamedListenOptions): Promise<Listener> {
  const { name, host = '127.0.0.1', port = 0, drainTimeoutMs = 10_000, onUpgrade } = options;
  // The gateway reuses idle connections. The idle timeout here must be longer than its own, so that it never writes to a closing
  // connection.
  const server = createServer({ keepAliveTimeout: 75_000, headersTimeout: 10_000, requestTimeout: 30_000 }, handler);
  if (onUpgrade !== undefined) server.on('upgrade', onUpgrade);
  const running = new Set<ServerResponse>();
  server.prependListener('request', (_request, response) => {
    running.add(response);
    response.once('close', () => running.delete(response));
  });
  await bind(server, host, port).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === 'EADDRINUSE' ? 'the port is already in use' : cause.message;
    throw new ListenFailure(cause.code ?? 'UNKNOWN', `The subgraph ${name} cannot listen on ${host}:${port}: ${reason}.`, cause);
  });
  const address = server.address() as AddressInfo;
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return { url: `http://${shown}:${address.port}`, stop: async () => drain(server, running, drainTimeoutMs) };
}

async function bind(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Waits for running requests and closes their connections. Connections that are open after the limit are terminated. */
async function drain(server: Server, running: ReadonlySet<ServerResponse>, drainTimeoutMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), drainTimeoutMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    // Idle connections would hold the server open, so they are closed. Connections with a running request are closed after it.
    server.closeIdleConnections();
    for (const response of running) {
      if (!response.headersSent) response.setHeader('connection', 'close');
      response.once('close', () => setImmediate(() => server.closeIdleConnections()));
    }
  });
}
