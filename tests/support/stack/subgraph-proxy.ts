import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as openRequest,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as the subgraph received it. */
export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** Replaces the response of the subgraph. The body of the request has been read. */
export type Behavior = (request: IncomingMessage, response: ServerResponse, body: string) => void;

export interface SubgraphProxy extends AsyncDisposable {
  readonly url: string;
  /** Requests since the last `forget`. */
  readonly requests: readonly RecordedRequest[];
  forget(): void;
  /** Sets the behavior of the next requests. Without an argument the subgraph responds again. */
  behave(behavior?: Behavior): void;
}

/** Starts a proxy in front of a subgraph. It records the requests, and can misbehave in place of the subgraph. */
export async function startSubgraphProxy(target: string): Promise<SubgraphProxy> {
  const requests: RecordedRequest[] = [];
  const agent = new Agent({ keepAlive: true });
  let current: Behavior | undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const bytes = Buffer.concat(chunks);
      const body = bytes.toString();
      const { method = '', url = '', headers, rawHeaders } = request;
      requests.push({ method, url, headers, rawHeaders, body });
      if (current !== undefined) {
        current(request, response, body);
        return;
      }
      const passed = openRequest(
        new URL(url, target),
        { method, headers: { ...headers, host: new URL(target).host }, agent },
        (httpResponse) => {
          response.writeHead(httpResponse.statusCode ?? 500, httpResponse.headers);
          httpResponse.pipe(response);
        },
      );
      passed.on('error', () => response.destroy());
      passed.end(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}${new URL(target).pathname}`,
    requests,
    forget: () => void requests.splice(0),
    behave: (behavior) => {
      current = behavior;
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        agent.destroy();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns the URL of a port without a listener. */
export async function closedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return `http://127.0.0.1:${String(port)}/`;
}
