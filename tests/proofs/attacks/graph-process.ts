import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { type GraphQLSchema, Kind, execute, parse, type DocumentNode } from 'graphql';
import { gql } from 'graphql-tag';
import { SUBGRAPHS, attackedData, entityOf } from './attacked-graph.ts';

// Serves the subgraphs of the attacked graph, each at its name, until the process is ended. Sends its address to its parent.

/** Number of parsed documents that are cached, so that this process takes little CPU time. */
const MAX_PARSED = 500;

const parsed = new Map<string, DocumentNode>();
/** Large responses, which are always the same, by the body of their request: this process must not be slower than the gateway. */
const large = new Map<string, Promise<Buffer>>();
/** Beginning of the field with large values. */
const LARGE_FIELD = 'pages(';
const schemas = new Map(Object.entries(SUBGRAPHS).map(([name, sdl]) => [`/${name}`, schemaOf(sdl)]));
const rootValue = attackedData();

function schemaOf(sdl: string): GraphQLSchema {
  const document = gql(sdl);
  const entities = document.definitions.flatMap((definition) =>
    definition.kind === Kind.OBJECT_TYPE_DEFINITION && definition.directives?.some(({ name }) => name.value === 'key') === true
      ? [[definition.name.value, { __resolveReference: entityOf }]]
      : [],
  );
  return buildSubgraphSchema({ typeDefs: document, resolvers: Object.fromEntries(entities) });
}

function parseOnce(query: string): DocumentNode {
  const known = parsed.get(query);
  if (known !== undefined) return known;
  if (parsed.size >= MAX_PARSED) parsed.clear();
  const document = parse(query);
  parsed.set(query, document);
  return document;
}

async function respond(schema: GraphQLSchema, body: string): Promise<Buffer> {
  const { query, variables } = JSON.parse(body) as { query: string; variables?: Record<string, unknown> };
  return Buffer.from(JSON.stringify(await execute({ schema, document: parseOnce(query), rootValue, variableValues: variables })));
}

const server = createServer((request, response) => {
  const schema = schemas.get(request.url ?? '');
  if (schema === undefined) {
    response.end('control'); // Requested directly, without the gateway, to see how busy the machine is.
    return;
  }
  void text(request).then(async (body) => {
    response.setHeader('content-type', 'application/json');
    const known = large.get(body) ?? respond(schema, body);
    if (body.includes(LARGE_FIELD)) large.set(body, known);
    response.end(await known);
  });
});
await once(server.listen(0, '127.0.0.1'), 'listening');
process.once('disconnect', () => process.exit(0));
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
