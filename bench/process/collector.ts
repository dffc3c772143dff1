import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Collector of traces that discards what it receives. */
export interface Collector extends AsyncDisposable {
  /** URL for `telemetry.traces.url`. */
  readonly url: string;
  /** Returns the number of requests, and of the bytes of their bodies. */
  received(): { readonly requests: number; readonly bytes: number };
}

/** Starts a collector on a free port. */
export async function startCollector(): Promise<Collector> {
  let requests = 0;
  let bytes = 0;
  const server = createServer((request, response) => {
    requests += 1;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    request.on('end', () => response.setHeader('content-type', 'application/json').end('{}'));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    received: () => ({ requests, bytes }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
