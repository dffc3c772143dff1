import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { decodeUtf8 } from '../../../gateway/platform/decode-utf8.ts';
import { parseSubgraphJson } from '../../../gateway/subgraph-client/decode-json.ts';
import { createSubgraphClient } from '../../../gateway/subgraph-client/create-subgraph-client.ts';
import { checkHttpHead, readHttpResult } from '../../../gateway/subgraph-client/http/read-http-result.ts';
import type { SubgraphExecutor } from '../../../gateway/supergraph/subgraph-executor.ts';
import { settingsOf } from '../../support/subgraphs/fake-subgraph.ts';
import type { ArrivedRequest, RestResponse } from './rest-back-end.ts';

/** Responds to the requests of the operation that is running. */
export type Respond = (subgraph: string, request: ArrivedRequest) => RestResponse;

/** Sends the HTTP requests of connectors to back ends. */
export interface RestTransport {
  /** Scheme, host and port of all back ends. */
  readonly origin: string;
  readonly isHttp: boolean;
  /** Creates the sender of one operation. Only one operation runs at a time. */
  sender(respond: Respond): SubgraphExecutor;
}

/** Maximum length of a response. @unit bytes */
const MAX_BYTES = 100_000_000;

/** Passes the bytes of requests and responses on without a connection. Responses are read as those of a connection are. */
export const DIRECT: RestTransport = {
  origin: 'http://back-end.test',
  isHttp: false,
  sender: (respond) => async (request) => {
    const { http, subgraph, body } = request;
    if (http === undefined) throw new Error('The request is not an HTTP request.');
    const { status, body: value } = respond(subgraph, { method: http.method, target: http.target, body: Buffer.from(body).toString() });
    const bytes = Buffer.from(JSON.stringify(value));
    const headers = { 'content-type': 'application/json', 'content-length': String(bytes.length) };
    const head = { statusCode: status, headers, isOld: false };
    const refused = checkHttpHead(head, MAX_BYTES);
    if (refused !== undefined) throw refused;
    const text = decodeUtf8(bytes) ?? '';
    return { http: readHttpResult(head, () => parseSubgraphJson(text), text) };
  },
};

/** Settings with which each request is sent once. */
const SETTINGS = settingsOf({
  retry: { maxRetries: 0 },
  circuitBreaker: { enabled: false },
  bulkhead: { maxQueued: 10_000 },
  dedupe: true,
});

/**
 * Starts a server for all back ends, and the client of the gateway for it.
 *
 * @param subgraphs names of the subgraphs that can have a back end
 */
export async function startRestTransport(subgraphs: readonly string[]): Promise<RestTransport & AsyncDisposable> {
  let current: Respond = () => ({ status: 500, body: null });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '' } = request;
      const [, subgraph = ''] = url.split('/');
      const { status, body } = current(subgraph, { method, target: url, body: Buffer.concat(chunks).toString() });
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sources = new Map(subgraphs.map((name) => [name, { origins: new Map([['api', origin]]) }]));
  const client = createSubgraphClient({ subgraphs: new Map(), settings: SETTINGS, sources, logger: silentLogger });
  return {
    origin,
    isHttp: true,
    sender(respond) {
      current = respond;
      return client;
    },
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
