import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { buildSubgraphSchema } from '@apollo/subgraph';
import {
  type DocumentNode,
  execute,
  getNullableType,
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  type GraphQLSchema,
  isListType,
  isScalarType,
  parse,
} from 'graphql';
import { gql } from 'graphql-tag';
import type { GeneratedSubgraph } from './generate-large-graph.ts';

/** Number of items of every list. @unit items */
const ITEMS = 2;
/** Number of objects of each entity. */
const IDS = 20;

/** Subgraphs that return values for every field, on one server. */
export interface MockedSubgraphs extends AsyncDisposable {
  urlOf(name: string): string;
}

export async function startMockedSubgraphs(subgraphs: readonly GeneratedSubgraph[]): Promise<MockedSubgraphs> {
  const schemas = new Map(subgraphs.map(({ name, sdl }) => [name, buildSubgraphSchema({ typeDefs: gql(sdl) })]));
  const parsed = new Map<string, DocumentNode>();
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const schema = schemas.get((request.url ?? '').slice(1));
      if (schema === undefined) return response.writeHead(404).end();
      return response.setHeader('content-type', 'application/json').end(JSON.stringify(await respond(schema, body, parsed)));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (name) => `http://127.0.0.1:${port}/${name}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function respond(schema: GraphQLSchema, body: string, parsed: Map<string, DocumentNode>) {
  const { query, variables } = JSON.parse(body) as { readonly query: string; readonly variables?: Record<string, unknown> };
  const document = parsed.get(query) ?? parse(query);
  parsed.set(query, document);
  return execute({ schema, document, variableValues: variables ?? {}, fieldResolver: resolveAny });
}

/** Returns the value of the parent, or a value of the type of the field. */
const resolveAny: GraphQLFieldResolver<unknown, unknown> = (source, _args, _context, { fieldName, returnType }) => {
  const given = (source as Readonly<Record<string, unknown>> | undefined)?.[fieldName];
  return given ?? valueOf(returnType, fieldName, 0);
};

function valueOf(outputType: GraphQLOutputType, fieldName: string, index: number): unknown {
  const type = getNullableType(outputType);
  if (isListType(type)) return Array.from({ length: ITEMS }, (_, item) => valueOf(type.ofType, fieldName, item));
  if (!isScalarType(type)) return { id: String((fieldName.length + index) % IDS) };
  return type.name === 'Int' ? index : `${fieldName} ${index}`;
}
