import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { ApolloServer, HeaderMap } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';

// Gatefold as the gateway of Apollo Server on node:http, without Express and with data that is already serialized.

const { port, supergraphFile, module } = JSON.parse(process.argv[2]);
const { createApolloGateway, stringifyResult } = await import(module);

const gateway = createApolloGateway({ supergraphSdl: readFileSync(supergraphFile, 'utf8'), serializedData: true });
const server = new ApolloServer({ gateway, stringifyResult, plugins: [ApolloServerPluginLandingPageDisabled()] });
await server.start();

createServer((request, response) => {
  const chunks = [];
  request
    .on('data', (chunk) => chunks.push(chunk))
    .on('end', () => {
      void serveRequest(request, response, Buffer.concat(chunks).toString());
    });
}).listen(port, '127.0.0.1');

async function serveRequest(request, response, text) {
  const headers = new HeaderMap();
  for (const [name, value] of Object.entries(request.headers)) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  const {
    body,
    status,
    headers: own,
  } = await server.executeHTTPGraphQLRequest({
    httpGraphQLRequest: { method: request.method, headers, search: '', body: JSON.parse(text) },
    context: async () => ({}),
  });
  if (body.kind !== 'complete') throw new Error('Received an incremental response although the request did not accept one.');
  for (const [name, value] of own) response.setHeader(name, value);
  response.writeHead(status ?? 200, { 'content-length': Buffer.byteLength(body.string) }).end(body.string);
}
