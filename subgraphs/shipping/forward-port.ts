import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface ForwardedPort extends AsyncDisposable {
  readonly url: string;
}

/** Forwards connections to a server that listens on the loopback interface only. @throws Error when the port is already in use */
export async function forwardPort(
  { host, port }: { readonly host: string; readonly port: number },
  target: string,
): Promise<ForwardedPort> {
  const { hostname, port: targetPort } = new URL(target);
  const sockets = new Set<Socket>();
  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.once('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    const upstream = track(connect(Number(targetPort), hostname));
    track(client).pipe(upstream).pipe(client);
    client.once('error', () => upstream.destroy()).once('close', () => upstream.destroy());
    upstream.once('error', () => client.destroy()).once('close', () => client.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const { address, port: bound, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
