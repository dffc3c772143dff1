import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Gateway behind the balancer. */
export interface Backend {
  readonly url: string;
  readonly internalUrl: string;
}

/** Balancer of TCP connections that sends new connections only to gateways that are ready. */
export interface Balancer extends AsyncDisposable {
  readonly url: string;
  /** Whether the balancer sends connections to a backend. */
  isReady(backend: Backend): boolean;
}

/** Interval between two probes. @unit milliseconds */
const PROBE_MS = 200;

/** Starts a balancer on a free port. Connections go to the ready backends in turn, and to the next one if a connection is refused. */
export async function startBalancer(backends: readonly Backend[]): Promise<Balancer> {
  const ready = new Set<Backend>();
  const open = new Set<Socket>();
  let turn = 0;

  async function probe(backend: Backend): Promise<void> {
    const isReady = await fetch(`${backend.internalUrl}/health/ready`, { signal: AbortSignal.timeout(2_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) ready.add(backend);
    else ready.delete(backend);
  }

  function pass(client: Socket, candidates: readonly Backend[]): void {
    const [backend, ...others] = candidates;
    if (backend === undefined) return void client.destroy();
    const { hostname, port } = new URL(backend.url);
    const upstream = connect(Number(port), hostname);
    open.add(upstream);
    upstream.once('close', () => open.delete(upstream));
    const refused = (): void => pass(client, others);
    upstream.once('error', refused);
    upstream.once('connect', () => {
      upstream.off('error', refused);
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        from.on('error', () => to.destroy());
        from.once('close', () => to.destroy());
        from.pipe(to);
      }
    });
  }

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    open.add(client);
    client.once('close', () => open.delete(client)).on('error', () => undefined);
    const candidates = [...ready];
    turn += 1;
    pass(client, [...candidates.slice(turn % (candidates.length || 1)), ...candidates.slice(0, turn % (candidates.length || 1))]);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const timers = backends.map((backend) => setInterval(() => void probe(backend), PROBE_MS));
  await Promise.all(backends.map(probe));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isReady: (backend) => ready.has(backend),
    async [Symbol.asyncDispose]() {
      timers.forEach((timer) => clearInterval(timer));
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}
