import type { Random } from '../random/random.ts';

const NAMES = [
  ...'id name user-id userId items data status type Query __typename 1st größe 名 null true a.b x[y] sku self'.split(' '),
  ...'constructor __proto__ toString "q" back\\slash $ref'.split(' '),
  'first name',
  "it's",
  'new\nline',
  '',
];
const SEGMENTS = ['users', 'posts', 'user', 'news', 'statuses', 'v1', 'api', 'people', 'über', 'a b', 'query', '__x', 'me', 'search', 'Ω'];
const FORMATS = ['date-time', 'date', 'uuid', 'int64', 'binary', 'email', 'unknown', 'constructor'];
const TYPES = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null', 'nonsense'];
const METHODS = ['get', 'get', 'get', 'post', 'put', 'patch', 'delete', 'head'];

/** Creates an OpenAPI document with odd names, missing targets, circular references and invalid values. */
export function createRandomDocument(random: Random): unknown {
  const schemaNames = [
    ...new Set(Array.from({ length: 1 + random.below(8) }, () => random.pick([...NAMES, 'User', 'Post', 'Page', 'String']))),
  ];
  const own = <Value>(entries: readonly (readonly [string, Value])[]) => Object.fromEntries(entries);

  function schema(depth: number): unknown {
    if (random.chance(0.03)) return random.pick([null, true, false, 7, 'text', []]);
    if (random.chance(0.3)) return { $ref: `#/components/schemas/${encodeURIComponent(random.pick([...schemaNames, 'Missing']))}` };
    if (depth > 0 && random.chance(0.15)) {
      const list = Array.from({ length: 1 + random.below(3) }, () => schema(depth - 1));
      return { [random.pick(['allOf', 'oneOf', 'anyOf'])]: list, ...(random.chance(0.3) ? { description: text() } : {}) };
    }
    return { ...typed(depth), ...extras() };
  }

  function typed(depth: number): object {
    if (depth > 0 && random.chance(0.5)) {
      if (random.chance(0.3)) return { type: 'array', ...(random.chance(0.9) ? { items: schema(depth - 1) } : {}) };
      const properties = own(Array.from({ length: random.below(5) }, () => [random.pick(NAMES), schema(depth - 1)] as const));
      return {
        type: 'object',
        properties,
        required: random.chance(0.5) ? Object.keys(properties) : random.pick<unknown>([false, 'id', [7]]),
      };
    }
    if (random.chance(0.15))
      return { type: 'string', enum: Array.from({ length: random.below(4) }, () => random.pick<unknown>([...NAMES, null, 7])) };
    const type = random.chance(0.2) ? [random.pick(TYPES), random.pick(TYPES)] : random.pick(TYPES);
    return { type, ...(random.chance(0.3) ? { format: random.pick(FORMATS) } : {}) };
  }

  function extras(): object {
    return {
      ...(random.chance(0.1) ? { nullable: true } : {}),
      ...(random.chance(0.1) ? { deprecated: true } : {}),
      ...(random.chance(0.1) ? { [random.pick(['readOnly', 'writeOnly'])]: true } : {}),
      ...(random.chance(0.2) ? { description: text() } : {}),
      ...(random.chance(0.2) ? { default: random.pick<unknown>(['id', 7, 1e30, true, null, [1], { a: 1 }, 'x"y\n']) } : {}),
      ...(random.chance(0.1) ? { additionalProperties: random.pick<unknown>([true, false, {}, { type: 'string' }]) } : {}),
    };
  }

  function text(): unknown {
    return random.pick<unknown>([
      'Plain.',
      'Quotes """ inside\nand \\""" more',
      '# hash',
      '\u0000\u001B[31m',
      '\uD800',
      7,
      '  ',
      'a\r\nb\u2028c"',
    ]);
  }

  function path(): string {
    const length = 1 + random.below(4);
    const segments = Array.from({ length }, (_, index) => {
      if (index > 0 && random.chance(0.5)) return `{${random.pick(['id', 'userId', 'user-id', 'name', 'größe', 'x y'])}}`;
      return random.chance(0.05) ? random.pick(['..', '{', '{a}.{b}', 'q?x=1', '#']) : random.pick(SEGMENTS);
    });
    return `${random.chance(0.98) ? '/' : ''}${segments.join('/')}${random.chance(0.1) ? '/' : ''}`;
  }

  function parameter(): unknown {
    if (random.chance(0.05)) return random.pick<unknown>([null, {}, { $ref: '#/components/parameters/Missing' }]);
    return {
      name: random.pick([...NAMES, 'ids', 'limit', 'id[]', 'user_ids']),
      in: random.pick(['query', 'query', 'query', 'path', 'header', 'cookie', 'nowhere']),
      required: random.chance(0.3),
      ...(random.chance(0.3) ? { explode: random.chance(0.5) } : {}),
      schema: random.chance(0.3) ? { type: 'array', items: { type: 'string' } } : schema(1),
    };
  }

  function content(): object {
    const type = random.pick(['application/json', 'application/json', 'application/hal+json; charset=utf-8', 'text/plain', '*/*', FORM]);
    const wrapped = random.chance(0.3)
      ? { type: 'object', properties: { [random.pick(['data', 'items', '_embedded'])]: { type: 'array', items: schema(2) }, meta: {} } }
      : random.chance(0.4)
        ? { type: 'array', items: schema(2) }
        : schema(3);
    return { [type]: random.chance(0.95) ? { schema: wrapped } : {} };
  }

  function operation(): unknown {
    return {
      ...(random.chance(0.5) ? { operationId: random.pick([...NAMES, 'getUser', 'listUsers', 'createUser', 'Users_create']) } : {}),
      ...(random.chance(0.3) ? { summary: text() } : {}),
      ...(random.chance(0.1) ? { deprecated: true } : {}),
      ...(random.chance(0.6) ? { parameters: Array.from({ length: random.below(4) }, parameter) } : {}),
      ...(random.chance(0.4) ? { requestBody: { required: random.chance(0.5), content: content() } } : {}),
      responses: { [random.pick(['200', '201', '204', 'default', '2XX', '404'])]: random.chance(0.9) ? { content: content() } : {} },
    };
  }

  const paths = Array.from({ length: 1 + random.below(8) }, () => {
    const operations = Array.from({ length: 1 + random.below(3) }, () => [random.pick(METHODS), operation()] as const);
    return [path(), own(operations)] as const;
  });
  return {
    openapi: random.pick(['3.0.3', '3.1.0']),
    info: { title: random.pick(NAMES), version: '1' },
    servers: [{ url: 'https://random.example.com/base' }],
    components: {
      schemas: own(schemaNames.map((name) => [name, schema(3)] as const)),
      securitySchemes: { one: random.pick<unknown>([{ type: 'http', scheme: 'basic' }, { type: 'apiKey', in: 'query', name: 'k-y' }, 7]) },
    },
    ...(random.chance(0.5) ? { security: [{ one: [] }] } : {}),
    paths: own(paths),
  };
}

const FORM = 'application/x-www-form-urlencoded';
