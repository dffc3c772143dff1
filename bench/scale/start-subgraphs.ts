import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { GraphSize } from './large-supergraph.ts';
import { type OperationRequest, resolveOperation } from './resolve-operation.ts';

/** Server that resolves the requests for all subgraphs of a generated graph. */
export interface Subgraphs extends Disposable {
  readonly url: string;
}

export async function startSubgraphs(size: GraphSize): Promise<Subgraphs> {
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = printResponse(JSON.parse(await text(request)) as OperationRequest, size);
    response.setHeader('content-type', 'application/json').end(body);
  };
  const server = createServer((request, response) => void respond(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Reports an invalid request as an error of the response, so that the response of the gateway is not the expected one. */
function printResponse(request: OperationRequest, size: GraphSize): string {
  try {
    return JSON.stringify({ data: resolveOperation(request, size) });
  } catch (error) {
    return JSON.stringify({ data: null, errors: [{ message: String(error) }] });
  }
}
