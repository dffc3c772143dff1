import type { SubgraphArgument } from '../subgraph-argument.ts';
import type { ProjectFile } from './new-project.ts';

/** Subgraph of a project whose author has none yet. Paths are relative to the project. */
export const EXAMPLE: SubgraphArgument & { readonly url: string; readonly files: readonly string[] } = {
  name: 'films',
  url: 'http://127.0.0.1:4101/graphql',
  files: ['subgraphs/films/schema.graphql'],
};

const SCHEMA = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])

"A film. Other subgraphs can add fields to it by its key."
type Film @key(fields: "id") {
  id: ID!
  title: String!
  year: Int!
  director: String
}

type Query {
  "All films."
  films: [Film!]!
  film(id: ID!): Film
}

type Mutation {
  addFilm(input: AddFilmInput!): Film!
}

input AddFilmInput {
  title: String!
  year: Int!
  director: String
}
`;

const SERVER = `// Example subgraph: replace it with your own, in any language and with any library for federation.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { buildSchema, graphql } from 'graphql';

const port = Number(process.env.FILMS_PORT ?? 4101);
const sdl = readFileSync(new URL('schema.graphql', import.meta.url), 'utf8');
// Root fields that the gateway uses to read the schema, and objects by their keys.
const federation = \`
  scalar _Any
  union _Entity = Film
  type _Service { sdl: String! }
  extend type Query { _service: _Service! _entities(representations: [_Any!]!): [_Entity]! }
\`;
const schema = buildSchema(sdl + federation, { assumeValidSDL: true });

const films = new Map();
const add = (film) => {
  films.set(film.id, { __typename: 'Film', ...film });
  return films.get(film.id);
};
add({ id: '1', title: 'Metropolis', year: 1927, director: 'Fritz Lang' });
add({ id: '2', title: 'Stalker', year: 1979, director: 'Andrei Tarkovsky' });
add({ id: '3', title: 'Yi Yi', year: 2000, director: 'Edward Yang' });

const rootValue = {
  films: () => [...films.values()],
  film: ({ id }) => films.get(id),
  addFilm: ({ input }) => add({ id: randomUUID(), ...input }),
  _service: () => ({ sdl }),
  _entities: ({ representations }) => representations.map(({ id }) => films.get(id) ?? null),
};

const server = createServer(async (request, response) => {
  response.setHeader('content-type', 'application/json');
  try {
    const { query: source, variables: variableValues, operationName } = JSON.parse(await text(request));
    response.end(JSON.stringify(await graphql({ schema, source, rootValue, variableValues, operationName })));
  } catch (error) {
    response.writeHead(400).end(JSON.stringify({ errors: [{ message: error.message }] }));
  }
});
server.on('error', ({ code }) => {
  console.error(\`The subgraph films cannot listen on 127.0.0.1:\${port} (\${code}). Stop the process that uses the port, or set FILMS_PORT and SUBGRAPH_FILMS_URL.\`);
  process.exitCode = 1;
});
server.listen(port, '127.0.0.1', () => console.log(\`The subgraph films serves http://127.0.0.1:\${port}/graphql.\`));
`;

const DEV = `// Starts the example subgraph and the gateway. Without the example, use \`gatefold dev\` alone.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

if (!existsSync('node_modules/gatefold')) {
  console.error('The packages of this project are not installed. Run \`npm install\` in its folder, then \`npm run dev\`.');
  process.exit(1);
}
const commands = [['subgraphs/films/server.js'], ['node_modules/gatefold/dist/cli/main.js', 'dev', ...process.argv.slice(2)]];
const children = commands.map((args) => spawn(process.execPath, args, { stdio: 'inherit' }));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => children.forEach((child) => child.kill(signal)));
for (const child of children) {
  child.on('exit', (code) => {
    process.exitCode ??= code ?? 0;
    for (const other of children) other.kill();
  });
}
`;

/** Returns the files of the example. */
export function exampleFiles(): readonly ProjectFile[] {
  return [
    { path: 'subgraphs/films/schema.graphql', text: SCHEMA },
    { path: 'subgraphs/films/server.js', text: SERVER },
    { path: 'dev.js', text: DEV },
  ];
}
