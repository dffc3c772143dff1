import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy with a fixed address behind which one process replaces another. A connection that breaks on one side breaks on the other. */
export interface Switchboard extends AsyncDisposable {
  readonly url: string;
}

/**
 * Opens the proxy.
 *
 * @param target returns the destination of a new connection; undefined breaks it
 */
export async function openSwitchboard(target: () => string | undefined): Promise<Switchboard> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const url = target();
    if (url === undefined) {
      client.destroy();
      return;
    }
    const { hostname, port } = new URL(url);
    const upstream = connect(Number(port), hostname);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
