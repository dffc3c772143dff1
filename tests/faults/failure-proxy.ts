import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Failures of the connection between gateway and subgraph. */
export type LineFailure =
  | { readonly kind: 'none' }
  /** Every chunk of a response is delayed. */
  | { readonly kind: 'latency'; readonly ms: number }
  /** Connections are accepted, and no bytes are forwarded. */
  | { readonly kind: 'blackhole' }
  /** The connection is reset after this number of response bytes. */
  | { readonly kind: 'reset'; readonly afterBytes: number }
  /** The connection is closed in one direction after this number of response bytes. */
  | { readonly kind: 'half-close'; readonly afterBytes: number }
  /** Bytes are sent one at a time. */
  | { readonly kind: 'drip'; readonly everyMs: number };

/** A connection between gateway and subgraph that can fail in the ways that networks fail. */
export interface FailureProxy extends AsyncDisposable {
  readonly port: number;
  /** Number of connections since the last `set`. */
  readonly connections: number;
  /** Sets the failure of new connections. Existing connections are destroyed. */
  set(failure: LineFailure): void;
}

/** Starts a proxy in front of a port of this machine. */
export async function startFailureProxy(targetPort: number): Promise<FailureProxy> {
  const sockets = new Set<Socket>();
  let failure: LineFailure = { kind: 'none' };
  let connections = 0;

  const server = createServer((near) => {
    connections += 1;
    retain(near);
    if (failure.kind === 'blackhole') return near.resume();
    const far = retain(connect(targetPort, '127.0.0.1'));
    near.pipe(far);
    near.on('close', () => far.destroy());
    far.on('close', () => near.end());
    forward(far, near, failure);
    return near;
  });

  function retain(socket: Socket): Socket {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    return socket;
  }

  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    set(next) {
      failure = next;
      connections = 0;
      for (const socket of sockets) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

/** Forwards responses to the gateway. */
function forward(far: Socket, near: Socket, failure: LineFailure): void {
  let passed = 0;
  far.on('data', (bytes) => {
    if (failure.kind === 'latency') setTimeout(() => near.write(bytes), failure.ms);
    else if (failure.kind === 'drip') drip(bytes, near, failure.everyMs);
    else if (failure.kind === 'reset' || failure.kind === 'half-close') {
      const rest = bytes.subarray(0, Math.max(0, failure.afterBytes - passed));
      passed += bytes.length;
      const end = (): unknown => (failure.kind === 'reset' ? near.resetAndDestroy() : near.end());
      if (passed < failure.afterBytes) near.write(rest);
      else if (rest.length === 0) end();
      else near.write(rest, end);
    } else near.write(bytes);
  });
}

function drip(bytes: Buffer, near: Socket, everyMs: number): void {
  let at = 0;
  const timer = setInterval(() => {
    if (near.writable && at < bytes.length) near.write(bytes.subarray(at, ++at));
    else clearInterval(timer);
  }, everyMs);
}
