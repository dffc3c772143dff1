/** A mistake that a command finds, with what the user sees. */
export interface CommandMistake {
  /** Number in the list of mistakes that a first user made. */
  readonly number: number;
  readonly mistake: string;
  /** Files in addition to those of `GRAPH`. */
  readonly files?: Readonly<Record<string, string>>;
  /** Folder in which the command runs, without files. @defaultValue the folder of the files */
  readonly folder?: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Option of Node that runs a script before the command. */
  readonly preload?: string;
  /** 1: the command failed; 2: it was called or configured incorrectly. */
  readonly exitCode: 0 | 1 | 2;
  /** Location, reason and remedy. */
  readonly says: readonly RegExp[];
  /** Number of output lines, where a message must not be repeated. */
  readonly lines?: number;
}

/** Text in place of which the test writes a port that another process uses. */
export const USED_PORT = 'USED_PORT';

/** Variable with the database of the reference graph. */
const DATABASE_VARIABLE = 'GATEFOLD_REFERENCE_DATABASE_URL';

const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@composeDirective"])';

const FILMS = `${LINK}
type Query { film(id: ID!): Film films: [Film!]! }
type Film @key(fields: "id") { id: ID! title: String! }
`;

/** A graph of one subgraph with its REST documents. Its supergraph is composed from these files. */
export const GRAPH: Readonly<Record<string, string>> = {
  'films.graphql': FILMS,
  'composition.yaml': 'output: supergraph.graphql\nsubgraphs:\n  films:\n    url: http://127.0.0.1:1/graphql\n    files: [films.graphql]\n',
  'rest/films.graphql':
    'query GetFilm($id: ID! @in(path: "id")) @endpoint(method: GET, path: "/films/{id}") { film(id: $id) @result { id title } }\n',
};

const SERVE = ['serve', '--supergraph', 'supergraph.graphql', '--port', '0', '--internal-port', '0'];
const VALIDATE_REST = ['validate', '--supergraph', 'supergraph.graphql', '--config', 'gatefold.yaml'];

const rest = (text: string) => ({ 'gatefold.yaml': 'rest:\n  documents: routes\n', 'routes/a.graphql': text });
const composed = (films: string) => ({ 'films.graphql': films });
const COMPOSE = ['compose', '--file', 'composition.yaml', '--out', 'out.graphql'];

const AUTH_SDL = 'directive @auth(requires: Role) on FIELD_DEFINITION\nenum Role { ADMIN }\n';
const JWT = (settings: string) => `auth:\n  providers:\n    jwt:\n      own:\n        issuer: https://id.example\n${settings}`;

/** Every mistake that ends a command. */
export const COMMAND_MISTAKES: readonly CommandMistake[] = [
  {
    number: 1,
    mistake: 'a port in use',
    args: ['serve', '--supergraph', 'supergraph.graphql', '--port', USED_PORT],
    exitCode: 1,
    says: [/Port \d+ on 127\.0\.0\.1 is already in use/, /choose another port: --port, PORT or the setting server\.port/],
  },
  {
    number: 1,
    mistake: 'a port in use in development',
    args: ['dev', '--supergraph', 'supergraph.graphql', '--port', USED_PORT],
    exitCode: 1,
    says: [/Port \d+ on 127\.0\.0\.1 is already in use/, /choose another port/],
    lines: 1,
  },
  {
    number: 2,
    mistake: 'a configuration that is not YAML',
    files: { 'bad.yaml': 'server:\n  port: 5000\n host: a\n' },
    args: [...SERVE, '--config', 'bad.yaml'],
    exitCode: 2,
    says: [/bad\.yaml:3:\d+/, /YAML/],
  },
  {
    number: 3,
    mistake: 'a misspelled setting and a misspelled variable',
    files: { 'gatefold.yaml': 'limits:\n  maxCots: 5\n' },
    args: SERVE,
    env: { GATEFOLD_LIMITS__MAX_DEPHT: '3' },
    exitCode: 2,
    says: [/gatefold\.yaml:2:\d+/, /Did you mean limits\.maxCost\?/],
  },
  {
    number: 4,
    mistake: 'a configuration file that does not exist',
    args: [...SERVE, '--config', 'nothing.yaml'],
    exitCode: 2,
    says: [/the file nothing\.yaml does not exist/, /--config/],
    lines: 3,
  },
  {
    number: 4,
    mistake: 'a supergraph that does not exist',
    args: ['serve', '--supergraph', 'nothing.graphql', '--port', '0'],
    exitCode: 1,
    says: [/The supergraph file nothing\.graphql cannot be read: the file does not exist/, /gatefold compose/],
    lines: 1,
  },
  {
    number: 4,
    mistake: 'a supergraph that does not exist in development',
    args: ['dev', '--supergraph', 'nothing.graphql', '--port', '0', '--internal-port', '0'],
    exitCode: 1,
    says: [/The supergraph file nothing\.graphql cannot be read: the file does not exist/, /gatefold compose/],
    lines: 1,
  },
  {
    number: 5,
    mistake: 'the SDL of a subgraph as supergraph',
    args: ['serve', '--supergraph', 'films.graphql', '--port', '0'],
    exitCode: 1,
    says: [
      /films\.graphql is the SDL of a subgraph \(it links https:\/\/specs\.apollo\.dev\/federation\/v2\.9 in line 1\)/,
      /films: \{ url: "http:\/\/localhost:5010\/graphql", files: \["films\.graphql"\] \}/,
      /gatefold compose/,
    ],
    lines: 1,
  },
  {
    number: 5,
    mistake: 'a plain schema as supergraph',
    files: { 'shop.graphql': 'type Query { a: Int }\n' },
    args: ['validate', '--supergraph', 'shop.graphql'],
    exitCode: 1,
    says: [/shop\.graphql is a plain GraphQL schema/, /shop: \{ url: .*files: \["shop\.graphql"\] \}/, /gatefold compose/],
    lines: 1,
  },
  {
    number: 6,
    mistake: 'a value out of range',
    args: [...SERVE.slice(0, 3), '--port', '99999'],
    exitCode: 2,
    says: [/port/i, /65535/],
  },
  { number: 6, mistake: 'an unknown option', args: ['serve', '--prot', '1'], exitCode: 2, says: [/--prot/, /--port/] },
  { number: 6, mistake: 'an unknown command', args: ['sevre'], exitCode: 2, says: [/sevre/, /serve/] },
  {
    number: 10,
    mistake: 'keys of an issuer over plain HTTP in production',
    files: { 'gatefold.yaml': JWT('        audiences: [me]\n        jwksUrl: http://id.example/jwks\n') },
    args: SERVE,
    exitCode: 2,
    says: [/gatefold\.yaml:\d+:\d+/, /plain HTTP/, /Use an https:\/\/ URL/],
  },
  {
    number: 12,
    mistake: 'an unknown field in a REST document',
    files: rest('query F($id: ID! @in(path: "id"))\n@endpoint(method: GET, path: "/f/{id}") { film(id: $id) @result { tilte } }'),
    args: VALIDATE_REST,
    exitCode: 1,
    says: [/routes\/a\.graphql:2:\d+: Cannot query field "tilte"/, /Did you mean "title"/],
  },
  {
    number: 13,
    mistake: 'two REST routes with one path',
    files: rest(
      'query F($id: ID! @in(path: "id")) @endpoint(method: GET, path: "/f/{id}") { film(id: $id) @result { id } }\n' +
        'query G($no: ID! @in(path: "no")) @endpoint(method: GET, path: "/f/{no}") { film(id: $no) @result { id } }',
    ),
    args: VALIDATE_REST,
    exitCode: 1,
    says: [/routes\/a\.graphql:2:\d+/, /F already serves GET on this path/],
  },
  {
    number: 14,
    mistake: 'a REST document without an endpoint, and a POST that queries',
    files: rest('query F { films { id } }\nquery G @endpoint(method: POST, path: "/g") { films { id } }'),
    args: VALIDATE_REST,
    exitCode: 1,
    says: [/routes\/a\.graphql:1:1: F has no endpoint/, /routes\/a\.graphql:2:\d+: POST cannot run a query/],
  },
  {
    number: 15,
    mistake: 'a directory of REST documents that does not exist',
    files: { 'gatefold.yaml': 'rest:\n  documents: nowhere\n' },
    args: SERVE,
    exitCode: 2,
    says: [/rest\.documents: the directory \S*nowhere cannot be read \(ENOENT\)/, /gatefold rest init/],
  },
  {
    number: 15,
    mistake: 'a directory of webhook documents that does not exist',
    files: { 'gatefold.yaml': 'rest:\n  documents: rest\n  webhooks: nowhere\n' },
    args: VALIDATE_REST,
    exitCode: 2,
    says: [/rest\.webhooks: the directory \S*nowhere cannot be read \(ENOENT\)/, /remove the setting/],
  },
  ...['validate', 'serve'].map(
    (command): CommandMistake => ({
      number: 16,
      mistake: `REST routes with reserved paths, found by ${command}`,
      files: rest(
        ['/graphql', '/health', '/health/deep', '/mcp', '/metrics', '/docs', '/openapi.json']
          .map((path, index) => `query Q${index} @endpoint(method: GET, path: "${path}") { films @result { id } }`)
          .join('\n'),
      ),
      args: [command, '--supergraph', 'supergraph.graphql', ...(command === 'serve' ? ['--port', '0'] : [])],
      exitCode: 1,
      says: [
        /routes\/a\.graphql:1:\d+: The path "\/graphql" is reserved for the GraphQL endpoint\.\s+Choose another path/,
        /routes\/a\.graphql:2:\d+: The path "\/health" is reserved for the health of the gateway/,
        /routes\/a\.graphql:3:\d+: The path "\/health\/deep" is reserved/,
        /routes\/a\.graphql:4:\d+: The path "\/mcp" is reserved/,
        /routes\/a\.graphql:5:\d+: The path "\/metrics" is reserved for metrics/,
        /routes\/a\.graphql:6:\d+: The path "\/docs" is reserved for the API description/,
        /routes\/a\.graphql:7:\d+: The path "\/openapi\.json" is reserved for the API description/,
      ],
    }),
  ),
  {
    number: 17,
    mistake: 'SDL with a syntax error',
    files: composed('type Query {\n  a: Int\n  b:\n}\n'),
    args: COMPOSE,
    exitCode: 1,
    says: [/films\.graphql:4:1/, /Syntax Error/],
  },
  {
    number: 17,
    mistake: 'SDL that uses a directive without a link',
    files: composed('type Query { film: Film }\ntype Film @key(fields: "id") { id: ID! }\n@bad'),
    args: COMPOSE,
    exitCode: 1,
    says: [/films\.graphql:3:1/],
  },
  {
    number: 18,
    mistake: 'a misspelled key in composition.yaml',
    files: { 'composition.yaml': 'output: out.graphql\nsubgraphs:\n  films:\n    ulr: http://127.0.0.1:1\n    files: [films.graphql]\n' },
    args: COMPOSE,
    exitCode: 1,
    says: [/composition\.yaml:4:5/, /subgraphs\.films\.ulr: unknown setting/, /Did you mean subgraphs\.films\.url\?/],
  },
  {
    number: 19,
    mistake: 'a version of Node.js that is too old',
    args: ['serve'],
    preload: 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.8" } });',
    exitCode: 1,
    says: [/Gatefold requires Node\.js 20\.19 or later, but this is Node\.js 18\.20\.8 \(/, /nvm install/],
    lines: 2,
  },
  {
    number: 20,
    mistake: 'a directory .gatefold that cannot be created',
    files: { '.gatefold': 'This is a file.\n' },
    args: ['dev', '--supergraph', 'supergraph.graphql', '--port', '0', '--internal-port', '0'],
    exitCode: 1,
    says: [/\.gatefold\/development\.key cannot be read or created \(ENOTDIR\): a part of the path is a file/, /auth\.developmentKey/],
    lines: 1,
  },
  {
    number: 21,
    mistake: 'a supergraph that cannot be written',
    args: ['compose', '--file', 'composition.yaml', '--out', 'films.graphql/out.graphql'],
    exitCode: 1,
    says: [/films\.graphql\/out\.graphql cannot be written \(ENOTDIR\)/, /Choose another path with --out/],
    lines: 1,
  },
  {
    number: 21,
    mistake: 'a manifest that cannot be written',
    files: { 'app.gql': 'query Films { films { id } }' },
    args: ['persist', 'app.gql', '--client', 'web@1', '--out', 'films.graphql/manifest.json'],
    exitCode: 1,
    says: [/films\.graphql\/manifest\.json cannot be written \(ENOTDIR\)/, /Choose another path with --out/],
    lines: 1,
  },
  {
    number: 21,
    mistake: 'REST documents that cannot be written',
    args: ['rest', 'init', '--supergraph', 'supergraph.graphql', '--out', 'films.graphql/rest'],
    exitCode: 1,
    says: [/films\.graphql\/rest cannot be written \(ENOTDIR\)/, /Choose another path with --out/],
    lines: 1,
  },
  {
    number: 22,
    mistake: 'an invalid URL of Redis',
    args: SERVE,
    env: { REDIS_URL: 'http://user:hunter2@127.0.0.1:1' },
    exitCode: 2,
    says: [/REDIS_URL/, /redis:\/\//],
  },
  {
    number: 23,
    mistake: 'a database of the reference graph that is down',
    folder: 'empty',
    args: ['dev', '--port', '0', '--internal-port', '0'],
    env: { [DATABASE_VARIABLE]: 'postgres://user:hunter2@127.0.0.1:1/shop' },
    exitCode: 1,
    says: [/The database at 127\.0\.0\.1:1\/shop cannot be used/, /ECONNREFUSED/],
    lines: 2,
  },
  {
    number: 30,
    mistake: '@cacheControl without @composeDirective',
    files: composed(
      `${FILMS.replace('title: String!', 'title: String! @cacheControl(maxAge: 60)')}directive @cacheControl(maxAge: Int) on FIELD_DEFINITION\n`,
    ),
    args: COMPOSE,
    exitCode: 1,
    says: [
      /\[films\] Film\.title has @cacheControl/,
      /^ {2}films\.graphql:3:\d+$/m,
      /does not compose @cacheControl/,
      /@composeDirective\(name: "@cacheControl"\)/,
    ],
  },
  {
    number: 31,
    mistake: '@auth without @composeDirective',
    files: composed(
      `${FILMS.replace('@link(', '@link(url: "https://gatefold.dev/auth/v1.0", import: ["@auth"]) @link(').replace('title: String!', 'title: String! @auth(requires: ADMIN)')}${AUTH_SDL}`,
    ),
    args: COMPOSE,
    exitCode: 1,
    says: [/\[films\] Film\.title has @auth/, /^ {2}films\.graphql:3:\d+$/m, /every caller access/, /@composeDirective\(name: "@auth"\)/],
  },
  {
    number: 32,
    mistake: 'a development key in production',
    args: SERVE,
    env: { GATEFOLD_AUTH__DEVELOPMENT_KEY: '0123456789abcdef0123456789abcdef' },
    exitCode: 2,
    says: [/auth\.developmentKey/, /Remove the key, or use the dev profile/],
  },
  {
    number: 32,
    mistake: 'plain HTTP on all addresses in production',
    args: SERVE,
    env: { HOST: '0.0.0.0' },
    exitCode: 2,
    says: [/server\.host/, /plain HTTP on 0\.0\.0\.0/, /server\.tls/],
  },
  {
    number: 32,
    mistake: 'an issuer that accepts the algorithm none',
    files: { 'gatefold.yaml': JWT('        audiences: [me]\n        algorithms: [none]\n        jwksUrl: https://id.example/jwks\n') },
    args: SERVE,
    exitCode: 2,
    says: [/gatefold\.yaml:\d+:\d+/, /algorithms/],
  },
  {
    number: 32,
    mistake: 'an issuer without audiences',
    files: { 'gatefold.yaml': JWT('        jwksUrl: https://id.example/jwks\n') },
    args: SERVE,
    exitCode: 2,
    says: [/auth\.providers\.jwt\.own\.audiences/],
  },
  {
    number: 32,
    mistake: 'a safelist without a manifest',
    files: { 'gatefold.yaml': 'persisted:\n  mode: safelist\n' },
    args: SERVE,
    exitCode: 2,
    says: [/persisted/, /manifest/],
  },
];
