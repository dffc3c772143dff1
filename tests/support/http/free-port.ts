import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/**
 * Below those that systems give to whoever asks for any, so that nobody comes to one by chance while its process is down. Their upper half is left to
 * Redis Clusters, whose nodes talk to each other on the port ten thousand above their own.
 */
const PORTS = { first: 10_000, end: 21_000 } as const;

/** The first of some ports in a row that nobody listens on at this moment. */
export async function freePort(inARow = 1): Promise<number> {
  const first = randomInt(PORTS.first, PORTS.end);
  const taken = await Promise.all(Array.from({ length: inARow }, (_none, index) => listenOn(first + index).catch(() => undefined)));
  for (const one of taken) await one?.close();
  return taken.includes(undefined) ? freePort(inARow) : first;
}

/** Takes a port until closed; any that is free when it is 0. */
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
