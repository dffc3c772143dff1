import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { ApolloServer, HeaderMap } from '@apollo/server';
import { ApolloServerPluginInlineTraceDisabled, ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { createShippingContext, createShippingSchema, type ShippingContext } from './create-shipping-schema.ts';

// Serves the subgraph with Apollo Server on node:http, without Express.

const { port, backEndUrl } = JSON.parse(process.argv[2] ?? '') as { readonly port: number; readonly backEndUrl: string };
const apollo = new ApolloServer<ShippingContext>({
  schema: createShippingSchema(),
  introspection: false,
  includeStacktraceInErrorResponses: false,
  persistedQueries: false,
  plugins: [ApolloServerPluginLandingPageDisabled(), ApolloServerPluginInlineTraceDisabled()],
});
await apollo.start();

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const headers = new HeaderMap();
  for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
  const body: unknown = JSON.parse((await buffer(request)).toString('utf8'));
  const result = await apollo.executeHTTPGraphQLRequest({
    httpGraphQLRequest: { method: 'POST', headers, search: '', body },
    context: async () => createShippingContext(backEndUrl, headers.get('x-correlation-id') ?? ''),
  });
  if (result.body.kind !== 'complete') throw new Error('The response is incremental, but a complete one was expected.');
  for (const [name, value] of result.headers) response.setHeader(name, value);
  response.statusCode = result.status ?? 200;
  response.end(result.body.string);
}

createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
  respond(request, response).catch((error: unknown) => {
    response.writeHead(500).end(String(error));
  });
}).listen(port, '127.0.0.1');
