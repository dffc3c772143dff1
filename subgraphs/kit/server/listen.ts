import { type RequestListener, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

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
}

/** @throws Error that says which subgraph could not take which address */
export async function listen(handler: RequestListener, options: NamedListenOptions): Promise<Listener> {
  const { name, host = '127.0.0.1', port = 0, drainTimeoutMs = 10_000 } = options;
  // The gateway keeps connections for reuse; ours must outlive its idle time, or it writes into a closing one.
  const server = createServer({ keepAliveTimeout: 75_000, headersTimeout: 10_000, requestTimeout: 30_000 }, handler);
  await bind(server, host, port).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === 'EADDRINUSE' ? 'the port is taken' : cause.message;
    throw new Error(`The subgraph ${name} cannot listen on ${host}:${port}: ${reason}.`, { cause });
  });
  const address = server.address() as AddressInfo;
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return { url: `http://${shown}:${address.port}`, stop: async () => drain(server, drainTimeoutMs) };
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

/** Running requests finish; connections that are still open after the limit are cut. */
async function drain(server: Server, drainTimeoutMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), drainTimeoutMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}
