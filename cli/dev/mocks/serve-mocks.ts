import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { SdlFile } from '../../../gateway/supergraph/compose-subgraphs.ts';
import { createMock, type Mock, type MockRequest } from './create-mock.ts';
import { type MockOverrides, type MocksFile, NO_OVERRIDES, readOverrides } from './read-overrides.ts';

/** Local HTTP server with a mock of each subgraph that has an SDL. */
export interface MockServer extends AsyncDisposable {
  /** Returns the URL at which a subgraph is mocked. */
  urlOf(subgraph: string): string;
  /** Sets the SDL of a subgraph. A mock whose SDL cannot be built responds with the reason. */
  setSdl(subgraph: string, files: readonly SdlFile[]): void;
  /**
   * Sets the overrides of a subgraph. They are checked as soon as its SDL is known.
   *
   * @throws CommandFailed with every mistake in the file. The previous overrides remain in use.
   */
  setOverrides(subgraph: string, file: MocksFile): void;
}

export interface MockServerOptions {
  /** Called with an invalid file of mocks whose subgraph received another SDL. */
  readonly onInvalidOverrides: (error: Error) => void;
}

interface MockedSubgraph {
  sdl?: string;
  mock?: Mock;
  /** Reason why there is no mock. */
  failure?: string;
  file?: MocksFile;
  overrides: MockOverrides;
}

const MAX_BODY_BYTES = 10_485_760;

/** Starts the server on a free port of the loopback interface. */
export async function serveMocks({ onInvalidOverrides }: MockServerOptions): Promise<MockServer> {
  const subgraphs = new Map<string, MockedSubgraph>();
  const subgraphOf = (name: string): MockedSubgraph => {
    const known = subgraphs.get(name) ?? { overrides: NO_OVERRIDES };
    subgraphs.set(name, known);
    return known;
  };

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const name = decodeURIComponent((request.url ?? '/').slice(1));
    const { mock, failure = `There is no mock of a subgraph "${name}".`, overrides } = subgraphs.get(name) ?? { overrides: NO_OVERRIDES };
    const body = request.method === 'POST' ? await readBody(request) : undefined;
    if (body === undefined) return send(response, 400, failed('Send a GraphQL request with POST, as JSON with the key "query".'));
    if (mock === undefined) return send(response, 500, failed(failure));
    send(response, 200, await mock.execute(body, overrides));
  }

  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) =>
      send(response, 500, failed(error instanceof Error ? error.message : String(error))),
    );
  });
  server.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 501 Not Implemented\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    urlOf: (subgraph) => `http://127.0.0.1:${port}/${encodeURIComponent(subgraph)}`,
    setSdl(name, files) {
      const subgraph = subgraphOf(name);
      const sdl = JSON.stringify(files);
      if (subgraph.sdl === sdl) return;
      subgraph.sdl = sdl;
      try {
        subgraph.mock = createMock(files);
        if (subgraph.file !== undefined) subgraph.overrides = readOverrides(subgraph.file, subgraph.mock.schema);
      } catch (error) {
        if (subgraph.mock === undefined) subgraph.failure = `The subgraph "${name}" cannot be mocked: ${(error as Error).message}`;
        else if ((error as Error).name === 'CommandFailed') onInvalidOverrides(error as Error);
      }
    },
    setOverrides(name, file) {
      const subgraph = subgraphOf(name);
      subgraph.file = file;
      if (subgraph.mock !== undefined) subgraph.overrides = readOverrides(file, subgraph.mock.schema);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

function failed(message: string) {
  return { errors: [{ message }] };
}

function send(response: ServerResponse, status: number, body: object): void {
  if (response.headersSent) return;
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Reads a GraphQL request; undefined if the body is not one. */
async function readBody(request: IncomingMessage): Promise<MockRequest | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return undefined;
  try {
    const body = JSON.parse(await text(request)) as Partial<MockRequest> | null;
    return typeof body?.query === 'string' ? { ...body, query: body.query } : undefined;
  } catch {
    return undefined;
  }
}
