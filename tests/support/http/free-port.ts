import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/**
 * Range below the ephemeral ports of operating systems, so that no other process gets a port by chance while its process is down. The upper
 * half is reserved for Redis Clusters, whose nodes communicate on the port 10,000 above their own.
 */
const PORTS = { first: 10_000, end: 21_000 } as const;

/** Returns the first of several consecutive ports without a listener. */
export async function freePort(inARow = 1): Promise<number> {
  const first = randomInt(PORTS.first, PORTS.end);
  const taken = await Promise.all(Array.from({ length: inARow }, (_none, index) => listenOn(first + index).catch(() => undefined)));
  for (const one of taken) await one?.close();
  return taken.includes(undefined) ? freePort(inARow) : first;
}

/** Listens on a port until closed, or on any free port when it is 0. */
export async function listenOn(port: number): Promise<{ readonly port: number; close(): Promise<void> }> {
  const server = createServer().listen({ port, host: '127.0.0.1' });
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}
