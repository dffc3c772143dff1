import { createServer, type IncomingHttpHeaders, request as send, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRestFacade, type RestFacadeSettings, type RestGateway } from '../../../../rest-facade/index.ts';
import { unpacked } from '../../../support/http/unpacked.ts';
import { createFakeGateway, type SeenOperation } from './fake-gateway.ts';
import { libraryDocuments } from './library-documents.ts';
import { libraryRoot, librarySchema } from './library-graph.ts';

interface ReceivedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
}

export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON with its content type, unless it is already text. */
  readonly body?: unknown;
}

export interface ServedFacade extends AsyncDisposable {
  readonly port: number;
  readonly pinned: () => number;
  readonly seen: readonly SeenOperation[];
  send(request: Sent): Promise<ReceivedResponse>;
}

export interface ServeOptions extends RestFacadeSettings {
  /** Resolvers that replace those of the library. */
  readonly root?: Readonly<Record<string, unknown>>;
  /** Budget of a caller. @defaultValue unlimited */
  readonly budgetOf?: RestGateway['budgetOf'];
  /** Whether the graph is loaded before the first request. @defaultValue true */
  readonly isLoaded?: boolean;
  /** Mounts the facade in another server. @defaultValue the facade itself is the server */
  readonly wrap?: (facade: ReturnType<typeof createRestFacade>) => RequestListener;
}

/** Serves the facade over the library graph on a real socket. */
export async function serveFacade({ root = {}, isLoaded = true, wrap, budgetOf, ...options }: ServeOptions = {}): Promise<ServedFacade> {
  const { gateway, seen, pinned, load } = createFakeGateway(librarySchema, { ...libraryRoot, ...root });
  const facade = createRestFacade({
    gateway: { ...gateway, ...(budgetOf === undefined ? {} : { budgetOf }) },
    documents: libraryDocuments,
    ...options,
  });
  if (isLoaded) await load();
  const server = createServer(wrap === undefined ? (request, response) => facade(request, response) : wrap(facade));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    seen,
    pinned,
    send: (request) => exchange(port, request),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function exchange(port: number, { method = 'GET', path, headers = {}, body }: Sent): Promise<ReceivedResponse> {
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  const type = body === undefined || typeof body === 'string' ? {} : { 'content-type': 'application/json' };
  const length = text === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) };
  return new Promise((resolve, reject) => {
    const outgoing = send(
      { host: '127.0.0.1', port, method, path, headers: { ...type, ...length, ...headers }, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
        response.on('end', () => {
          const received = unpacked(Buffer.concat(chunks), response.headers['content-encoding']).toString('utf8');
          const json =
            received === '' || !/json/.test(response.headers['content-type'] ?? '')
              ? {}
              : (JSON.parse(received) as Readonly<Record<string, unknown>>);
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: received, json });
        });
      },
    );
    outgoing.on('error', reject).end(text);
  });
}
