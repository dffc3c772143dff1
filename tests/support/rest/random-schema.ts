import type { Random } from '../random/random.ts';

const TYPES = ['Film', 'Person', 'Studio', 'FilmReview', 'Doc', 'Story', 'V1', 'Health', 'node_item', 'Query2'];
const READS = ['', 'all', 'list', 'get', 'find', 'recent', 'search', 'top_'];
const WRITES = ['create', 'add', 'update', 'edit', 'replace', 'delete', 'remove', 'cancel', 'publish', 'set', 'create_', 'importAll', 'x'];
const SUFFIXES = ['', '', '', 's', 'ById', 'BySlug', 'Secret', 'ToList'];
const SCALARS = ['String', 'Int', 'Float', 'Boolean', 'ID', 'Genre', 'JSON'];
/** Names with a meaning in REST, names that a URL must not contain, and names of prototypes. */
const NAMES = [
  'id',
  'filmId',
  'personId',
  'slug',
  'title',
  'first',
  'last',
  'limit',
  'after',
  'offset',
  'pageSize',
  'page',
  'sort',
  'fields',
  'version',
  'count',
  'token',
  'apiKey',
  'input',
  'patch',
  'filter',
  'idempotencyKey',
  'expectedVersion',
  'clientMutationId',
  'constructor',
  '_',
  '__x'.slice(1),
];
const FIELDS = ['id', 'title', 'slug', 'version', 'secret', 'nodes', 'edges', 'node', 'pageInfo', 'totalCount', 'hasNextPage', 'endCursor'];

/** Creates the SDL of a valid schema whose names and shapes are those that drafts of REST documents interpret, in random combinations. */
export function createRandomSchema(random: Random): string {
  const draw = (count: number, names: readonly string[]): readonly string[] => [
    ...new Set(Array.from({ length: count }, () => random.pick(names))),
  ];
  const wrap = (type: string): string => {
    const inner = random.chance(0.5) ? `${type}!` : type;
    if (random.chance(0.7)) return inner;
    const list = random.chance(0.5) ? `[${inner}]!` : `[${inner}]`;
    return random.chance(0.1) ? `[${list}]` : list;
  };
  const inputs = ['FilmInput', 'FilterInput', 'OneInput'];
  const inputType = (): string => wrap(random.pick([...SCALARS, ...SCALARS, ...inputs]));
  const fallback = (type: string): string => (/^(?:Int|Float)!?$/.test(type) && random.chance(0.4) ? ' = 3' : '');
  const deprecated = (): string => (random.chance(0.05) ? ' @deprecated' : '');
  const args = (most: number): string => {
    const drawn = draw(random.below(most + 1), NAMES).map((name) => {
      const type = /^(?:first|last|limit|offset|pageSize)$/.test(name) && random.chance(0.8) ? random.pick(['Int', 'Int!']) : inputType();
      return `${name}: ${type}${fallback(type)}`;
    });
    return drawn.length === 0 ? '' : `(${drawn.join(', ')})`;
  };
  const connections = TYPES.map((type) => `${type}Connection`);
  const payloads = ['FilmPayload', 'PersonPayload', 'Result', 'AuthPayload'];
  const outputs = [...TYPES, ...TYPES, ...connections, ...payloads, 'Found', 'Entity', 'Error', 'PageInfo', ...SCALARS];
  const fieldsOf = (names: readonly string[], most: number): string =>
    draw(1 + random.below(most), names)
      .map(
        (name) => `${name}${random.chance(0.2) ? args(2) : ''}: ${wrap(random.pick([...SCALARS, ...SCALARS, ...outputs]))}${deprecated()}`,
      )
      .join(' ');
  const rootNames = (verbs: readonly string[]): readonly string[] =>
    draw(3 + random.below(20), verbs).length === 0
      ? []
      : [
          ...new Set(
            Array.from({ length: 3 + random.below(20) }, () => {
              const verb = random.pick(verbs);
              const type = random.pick(TYPES);
              const name = `${verb === '' ? type.charAt(0).toLowerCase() + type.slice(1) : verb + type}${random.pick(SUFFIXES)}`;
              return random.chance(0.05) ? random.pick(['docs', 'openapi', 'graphql', 'metrics', 'health', 'v2', 'constructor']) : name;
            }),
          ),
        ];
  const root = (name: string, verbs: readonly string[]): string =>
    `type ${name} { ${rootNames(verbs)
      .map((field) => `${field}${args(4)}: ${wrap(random.pick(outputs))}${deprecated()}`)
      .join('\n')} }`;
  const errors = (): string =>
    random.chance(0.6)
      ? ` ${random.pick(['errors', 'userErrors', 'problems'])}: ${wrap(random.pick(['Error', 'Problem', 'AnyError', 'String']))}`
      : '';
  return [
    root('Query', READS),
    ...(random.chance(0.9) ? [root('Mutation', WRITES)] : []),
    ...(random.chance(0.3) ? [root('Subscription', READS)] : []),
    'enum Genre { DRAMA COMEDY }',
    'scalar JSON',
    'interface Entity { id: ID! }',
    'union Found = Film | Person',
    'type PageInfo { hasNextPage: Boolean! endCursor: String }',
    `type Error { message: String! ${random.pick(['', 'field: [String!]', 'path: String', 'field(first: Int!): String'])} ${random.pick(['', 'code: String', 'code: Genre', 'errorCode: Film'])} }`,
    'type Problem { text: String }',
    'union AnyError = Error | Problem',
    ...TYPES.map((type) =>
      random.chance(0.7)
        ? `type ${type} implements Entity { id: ID! ${fieldsOf(FIELDS.slice(1), 5)} }`
        : `type ${type} { ${fieldsOf(FIELDS, 5)} }`,
    ),
    ...connections.map((connection, index) => {
      const item = TYPES[index] ?? 'Film';
      const total = random.chance(0.5) ? ' totalCount: Int' : '';
      const list = random.chance(0.5) ? `nodes: [${item}!]!` : `edges: [${connection}Edge]`;
      return `type ${connection} { ${list}${total} pageInfo: PageInfo! } type ${connection}Edge { node: ${item} }`;
    }),
    ...payloads.map(
      (payload) =>
        `type ${payload} { ${fieldsOf(['film', 'person', 'items', 'success', 'token', 'clientMutationId', 'id'], 4)}${errors()} }`,
    ),
    'input FilmInput { id: ID title: String! filmId: ID year: Int! = 5 clientMutationId: String genre: Genre }',
    'input FilterInput { id: ID! text: String nested: FilmInput }',
    'input OneInput @oneOf { a: Int b: String }',
  ].join('\n');
}
