import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { graphql } from 'graphql';
import { cinemaSchema } from '../../fixtures/cinema/cinema-graph.ts';

/** Serves the cinema graph with graphql-js, without using the package. */
export async function startCinemaSubgraph(): Promise<{ readonly url: string } & AsyncDisposable> {
  const schema = cinemaSchema();
  const server = createServer((request, response) => {
    void text(request)
      .then(async (body) => {
        const { query, variables } = JSON.parse(body) as { readonly query: string; readonly variables?: Readonly<Record<string, unknown>> };
        return graphql({ schema, source: query, variableValues: variables ?? {} });
      })
      .then(
        (result) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result)),
        (error: unknown) => response.writeHead(400).end(String(error)),
      );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/graphql`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
