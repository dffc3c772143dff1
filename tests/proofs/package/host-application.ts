/**
 * A program that uses the package as a library, with a version of `graphql` that it selects itself: operations in process, an Apollo Server, and REST in front
 * of graphql-js. It prints the results as JSON.
 */
export const hostApplication = `
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { ApolloServer } from '@apollo/server';
import { buildSchema, execute, version } from 'graphql';
import { createGateway } from 'gatefold';
import { createApolloGateway } from 'gatefold/apollo';
import { createRestFacade } from 'gatefold/rest';

const [, , supergraphFile, schemaFile, query] = process.argv;
const sdl = readFileSync(supergraphFile, 'utf8');
const logger = { debug() {}, info() {}, warn() {}, error(text) { console.error(text); } };

const gateway = await createGateway({ supergraph: { sdl } }, { logger });
const ran = await gateway.run({ query });
await gateway.close();

const server = new ApolloServer({ gateway: createApolloGateway({ supergraphSdl: sdl, logger }), logger });
await server.start();
const { body } = await server.executeOperation({ query });
await server.stop();

const schema = buildSchema(readFileSync(schemaFile, 'utf8'));
const rootValue = { person: ({ id }) => ({ id, name: 'Ida' }) };
const facade = createRestFacade({
  documents: 'rest',
  schema,
  execute: ({ document, variables }) => execute({ schema, document, variableValues: variables, rootValue }),
  logger,
});
const http = createServer((request, response) => facade(request, response)).listen(0, '127.0.0.1');
await once(http, 'listening');
const person = await (await fetch('http://127.0.0.1:' + http.address().port + '/people/p1', { headers: { connection: 'close' } })).json();
http.close();

console.log(JSON.stringify({ version, run: ran, apollo: { data: body.singleResult.data }, rest: person }));
`;

/** REST document of the program. */
export const hostRestDocument = `query GetPerson($id: ID! @in(path: "id")) @endpoint(method: GET, path: "/people/{id}") {
  person(id: $id) @result { id name }
}`;
