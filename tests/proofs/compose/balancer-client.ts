import { Agent, type RequestOptions, request } from 'node:https';
import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

/** Response with its whole body. */
export interface BalancerResponse {
  readonly status: number;
  readonly body: string;
}

/** Sends requests over TLS, and trusts only the certificate of the balancer. */
export interface BalancerClient extends AsyncDisposable {
  post(query: string): Promise<BalancerResponse>;
  get(path: string): Promise<BalancerResponse>;
  /** Sends a query in the URL, as clients send persisted queries. */
  query(query: string): Promise<BalancerResponse>;
  /** Opens a WebSocket that reconnects, and collects the events of a subscription. */
  subscribeByWebSocket(query: string): { readonly events: unknown[]; readonly connections: () => number };
  /** Opens a stream of server-sent events, and collects its text. */
  subscribeByEventStream(query: string): { readonly text: () => string; readonly opened: Promise<BalancerResponse['status']> };
}

export function createBalancerClient({ port, certificate }: { readonly port: number; readonly certificate: string }): BalancerClient {
  const agent = new Agent({ ca: certificate, keepAlive: true, maxSockets: 16 });
  const options: RequestOptions = { host: '127.0.0.1', port, servername: 'localhost', agent };
  const json = { 'content-type': 'application/json' };
  const sockets = new Set<Client>();
  const closing = new AbortController();

  async function send(method: string, path: string, body?: string): Promise<BalancerResponse> {
    const headers = body === undefined ? { 'apollo-require-preflight': '1' } : json;
    return new Promise((resolve, reject) => {
      request({ ...options, method, path, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text })).on('error', reject);
      })
        .on('error', reject)
        .end(body);
    });
  }

  return {
    post: async (query) => send('POST', '/graphql', JSON.stringify({ query })),
    get: async (path) => send('GET', path),
    query: async (query) => send('GET', `/graphql?query=${encodeURIComponent(query)}`),
    subscribeByWebSocket(query) {
      const events: unknown[] = [];
      let connections = 0;
      const client = createClient({
        url: `wss://localhost:${port}/graphql`,
        webSocketImpl: class extends WebSocket {
          constructor(url: string, protocols: string[]) {
            super(url, protocols, { ca: certificate });
          }
        },
        retryAttempts: 20,
        shouldRetry: () => true,
        retryWait: async () => new Promise((resolve) => setTimeout(resolve, 200)),
        on: { connected: () => (connections += 1) },
      });
      sockets.add(client);
      client.subscribe({ query }, { next: (event) => void events.push(event.data), error: console.error, complete: () => undefined });
      return { events, connections: () => connections };
    },
    subscribeByEventStream(query) {
      let text = '';
      const opened = new Promise<number>((resolve, reject) => {
        request(
          {
            ...options,
            agent: new Agent({ ca: certificate }),
            method: 'POST',
            path: '/graphql',
            signal: closing.signal,
            headers: { ...json, accept: 'text/event-stream' },
          },
          (response) => {
            resolve(response.statusCode ?? 0);
            response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
            response.on('error', () => undefined);
          },
        )
          .on('error', reject)
          .end(JSON.stringify({ query }));
      });
      return { text: () => text, opened };
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      for (const client of sockets) await client.dispose();
      agent.destroy();
    },
  };
}
