import { createGateway } from '../../../gateway/index.ts';

/** Commands of the proof to the gateway process, and its responses. */
export type ToGateway = { readonly start: string } | 'memory' | 'stop';
export type FromGateway = { readonly url: string } | { readonly bytes: number };

/** Starts a gateway in a separate process, so that its memory is measured alone. */
async function start(sdl: string): Promise<AsyncDisposable> {
  const gateway = await createGateway({
    profile: 'dev',
    server: { port: 0, internalPort: 0, drainTimeoutMs: 2_000 },
    supergraph: { sdl },
    logging: { level: 'warn' },
    subscriptions: {
      maxConnections: 20_000,
      maxConnectionsPerAddress: 20_000,
      drainWindowMs: 500,
      websocket: { maxUnacknowledged: 20_000, initTimeoutMs: 30_000, pingIntervalMs: 60_000, stallTimeoutMs: 60_000 },
    },
  });
  const { url } = await gateway.listen();
  report({ url });
  return gateway;
}

function report(message: FromGateway): void {
  process.send?.(message);
}

let gateway: AsyncDisposable | undefined;

process.on('message', (message: ToGateway) => {
  if (message === 'stop') {
    void gateway?.[Symbol.asyncDispose]().then(() => process.exit(0));
  } else if (message === 'memory') {
    for (let times = 0; times < 3; times += 1) globalThis.gc?.();
    report({ bytes: process.memoryUsage().rss });
  } else {
    void start(message.start).then((started) => {
      gateway = started;
    });
  }
});
