import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as openRequest,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as the subgraph got it. */
export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

/** What stands in for the subgraph's own answer. The body of the request has been read. */
export type Behaviour = (request: IncomingMessage, response: ServerResponse, body: string) => void;

export interface SubgraphProxy extends AsyncDisposable {
  readonly url: string;
  /** What came in since the last `forget`. */
  readonly requests: readonly RecordedRequest[];
  forget(): void;
  /** Answers by itself from now on; without an argument the subgraph answers again. */
  behave(behaviour?: Behaviour): void;
}

/** Stands before a subgraph, notes what it is sent, and can misbehave in its place. */
export async function startSubgraphProxy(target: string): Promise<SubgraphProxy> {
  const requests: RecordedRequest[] = [];
  const agent = new Agent({ keepAlive: true });
  let current: Behaviour | undefined;
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
      const passed = openRequest(target, { method, headers: { ...headers, host: new URL(target).host }, agent }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
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
    behave: (behaviour) => {
      current = behaviour;
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        agent.destroy();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Address of a port on which nobody listens. */
export async function closedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return `http://127.0.0.1:${String(port)}/`;
}
