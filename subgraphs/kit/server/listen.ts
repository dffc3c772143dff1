import { type IncomingMessage, type RequestListener, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

export interface Listener {
  readonly url: string;
  stop(): Promise<void>;
}

interface NamedListenOptions {
  /** Who listens, for the message when it cannot. */
  readonly name: string;
  readonly host?: string;
  readonly port?: number;
  readonly drainTimeoutMs?: number;
  /** Takes the connections that are to become something else. @defaultValue they are refused */
  readonly onUpgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

/** @throws Error that says which subgraph could not take which address */
export async function listen(handler: RequestListener, options: NamedListenOptions): Promise<Listener> {
  const { name, host = '127.0.0.1', port = 0, drainTimeoutMs = 10_000, onUpgrade } = options;
  // The gateway keeps connections for reuse; ours must outlive its idle time, or it writes into a closing one.
  const server = createServer({ keepAliveTimeout: 75_000, headersTimeout: 10_000, requestTimeout: 30_000 }, handler);
  if (onUpgrade !== undefined) server.on('upgrade', onUpgrade);
  const running = new Set<ServerResponse>();
  server.prependListener('request', (_request, response) => {
    running.add(response);
    response.once('close', () => running.delete(response));
  });
  await bind(server, host, port).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === 'EADDRINUSE' ? 'the port is taken' : cause.message;
    throw new Error(`The subgraph ${name} cannot listen on ${host}:${port}: ${reason}.`, { cause });
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

/** Running requests finish, and their connections with them; what is still open after the limit is cut. */
async function drain(server: Server, running: ReadonlySet<ServerResponse>, drainTimeoutMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), drainTimeoutMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    // A connection that is kept for reuse would keep the server open; one that is being answered is told to end after it.
    server.closeIdleConnections();
    for (const response of running) {
      if (!response.headersSent) response.setHeader('connection', 'close');
      response.once('close', () => setImmediate(() => server.closeIdleConnections()));
    }
  });
}
