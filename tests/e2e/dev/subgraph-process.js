/**
 * Serves an SDL file as a subgraph with Apollo Server, for tests of `gatefold dev`. Arguments: the SDL file and the port. Every film has the
 * id that was requested. The field `failing` throws an error.
 */
import { readFileSync } from 'node:fs';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';

const [file, port] = process.argv.slice(2);
const film = (id) => ({ id, title: `Real film ${id}` });
const schema = buildSubgraphSchema({
  typeDefs: parse(readFileSync(file, 'utf8')),
  resolvers: {
    Query: {
      film: (_parent, { id }) => film(id),
      failing() {
        throw new Error('The database of films is locked.');
      },
    },
    Film: { __resolveReference: ({ id }) => film(id) },
  },
});
const server = new ApolloServer({ schema, includeStacktraceInErrorResponses: false });
await startStandaloneServer(server, { listen: { host: '127.0.0.1', port: Number(port) } });
console.log('ready');
