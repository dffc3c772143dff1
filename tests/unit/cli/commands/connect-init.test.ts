import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildASTSchema, type GraphQLObjectType, type GraphQLSchema, parse, printType } from 'graphql';
import { composeServices } from '@apollo/composition';
import { runCommandLine } from '../../../../cli/command-line.ts';
import { packageRoot } from '../../../../gateway/platform/package-root.ts';
import { recordingTerminal } from '../../../support/process/recording-terminal.ts';

const FIXTURES = join(packageRoot, 'tests/fixtures/openapi');

let directory: string;
let server: Server;
let origin: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatefold-connect-'));
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/moved') response.writeHead(302, { location: '/openapi.json' }).end();
    else if (pathname === '/openapi.json') response.end(JSON.stringify(minimal({ servers: [{ url: '/v1' }] })));
    else response.writeHead(404).end('<html>not here</html>');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.close();
  await rm(directory, { recursive: true });
});

/** Returns a document with one operation. */
function minimal(changes: object = {}): object {
  const responses = { 200: { description: 'Things.', content: { 'application/json': { schema: { type: 'array', items: {} } } } } };
  return {
    openapi: '3.0.0',
    info: { title: 'Things API', version: '1' },
    servers: [{ url: 'https://things.example.com' }],
    paths: { '/things': { get: { responses } } },
    ...changes,
  };
}

async function run(...args: readonly string[]) {
  const terminal = recordingTerminal();
  const code = await runCommandLine(['connect', 'init', ...args], terminal);
  return { code, printed: terminal.printed.join('\n'), warned: terminal.warned.join('\n') };
}

async function fileWith(content: object | string): Promise<string> {
  const path = join(directory, `document-${Math.random()}.json`);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** Drafts a fixture. @throws Error if the draft does not compose */
async function draft(name: string): Promise<{ readonly sdl: string; readonly schema: GraphQLSchema; readonly warned: string }> {
  const { code, printed, warned } = await run('--openapi', join(FIXTURES, name));
  expect({ code, warned }).toMatchObject({ code: 0 });
  const { errors } = composeServices([{ name: 'drafted', url: '', typeDefs: parse(printed) }]);
  expect(errors).toBeUndefined();
  return { sdl: printed, schema: buildASTSchema(parse(printed), { assumeValidSDL: true }), warned };
}

function fieldsOf(schema: GraphQLSchema, type: string): readonly string[] {
  const fields = (schema.getType(type) as GraphQLObjectType).getFields();
  return Object.values(fields).map(({ name, args, type: result }) => {
    const texts = args.map((argument) => `${argument.name}: ${String(argument.type)}`);
    return `${name}${texts.length === 0 ? '' : `(${texts.join(', ')})`}: ${String(result)}`;
  });
}

describe('gatefold connect init', () => {
  describe('given a document that it cannot use', () => {
    it.each([
      ['Swagger 2.0', { swagger: '2.0', paths: {} }, /is a Swagger 2\.0 document\. Convert it to OpenAPI 3 first/],
      [
        'another version',
        minimal({ openapi: '4.0.0' }),
        /has the version "4\.0\.0"\. Expected an OpenAPI document of the version 3\.0 or 3\.1/,
      ],
      ['no version', { paths: {} }, /has no key "openapi"/],
      ['a list', '[]', /is not an OpenAPI document: expected an object/],
      ['text that is not JSON', '{"openapi": "3.0.0", ', /is not valid JSON/],
      ['text that is not YAML', 'openapi: "3.0.0\n  - : [', /is not valid JSON or YAML/],
      ['no server', minimal({ servers: [] }), /names no server\. Pass the URL of the service with --base-url/],
      ['a relative server', minimal({ servers: [{ url: '/v1' }] }), /"\/v1", which is not an absolute URL/],
      [
        'no operation',
        minimal({ paths: { '/a': { head: {} } } }),
        /no operation that a connector can call\.\n {2}HEAD \/a: connectors do not use/,
      ],
      [
        'references to other documents',
        minimal({ components: { schemas: { A: { $ref: 'https://example.com/a.json' }, B: { $ref: './b.yaml#/B' } } } }),
        /refers to other documents: "https:\/\/example\.com\/a\.json" and 1 more\. They are not fetched\. Bundle/,
      ],
      ['deep nesting', `{"openapi":"3.0.0","x":${'['.repeat(500)}${']'.repeat(500)}}`, /nested more than 100 levels deep/],
    ])('%s is an error that says what to do', async (_name, content, message) => {
      const { code, printed, warned } = await run('--openapi', await fileWith(content));
      expect({ code, printed }).toEqual({ code: 1, printed: '' });
      expect(warned).toMatch(message);
    });

    it('a missing file is an error with its path', async () => {
      const { code, warned } = await run('--openapi', join(directory, 'missing.yaml'));
      expect(code).toBe(1);
      expect(warned).toMatch(/missing\.yaml cannot be read\. Check the path and its permissions\./);
    });

    it('a URL that redirects is refused', async () => {
      const { code, warned } = await run('--openapi', `${origin}/moved`);
      expect(code).toBe(1);
      expect(warned).toContain('responded with a redirect (302), but redirects are not followed');
    });

    it('a URL with another status is an error', async () => {
      const { code, warned } = await run('--openapi', `${origin}/nowhere`);
      expect(code).toBe(1);
      expect(warned).toContain('/nowhere responded with the status 404. Expected 200 and an OpenAPI document.');
    });

    it('an existing output file is not overwritten', async () => {
      const out = await fileWith('type Query { mine: Int }');
      const { code, warned } = await run('--openapi', await fileWith(minimal()), '--out', out);
      expect(code).toBe(1);
      expect(warned).toContain('already exists and is not overwritten');
      expect(await readFile(out, 'utf8')).toBe('type Query { mine: Int }');
    });

    it.each([
      ['--source', '1st'],
      ['--base-url', 'example.com'],
      ['--base-url', 'https://user:secret@example.com'],
      ['--base-url', 'ftp://example.com'],
    ])('%s %s is an invalid argument', async (option, value) => {
      expect(await run('--openapi', await fileWith(minimal()), option, value)).toMatchObject({ code: 2 });
    });
  });

  it('reads a URL, to which a relative server refers', async () => {
    const { code, printed } = await run('--openapi', `${origin}/openapi.json`);
    expect(code).toBe(0);
    expect(printed).toContain(`baseURL: "${origin}/v1"`);
  });

  it('uses the name and the URL of the options', async () => {
    const { printed } = await run('--openapi', await fileWith(minimal()), '--source', 'my-things', '--base-url', 'http://localhost:5001/');
    expect(printed).toContain('name: "my-things"\n    http: {\n      baseURL: "http://localhost:5001"\n');
  });

  it('prints fields and omissions as JSON', async () => {
    const out = join(directory, 'things.graphql');
    const { code, printed } = await run('--openapi', await fileWith(minimal()), '--out', out, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(printed)).toEqual({ file: out, queries: ['things'], mutations: [], omitted: [] });
    expect(await readFile(out, 'utf8')).toContain('things: [JSON!]');
  });

  it('drafts queries and mutations of plain CRUD', async () => {
    const { schema, sdl, warned } = await draft('library-crud.yaml');
    expect(fieldsOf(schema, 'Query')).toEqual(['books(limit: Int, offset: Int, tags: [String!]): [Book!]', 'book(id: ID!): Book']);
    expect(fieldsOf(schema, 'Mutation')).toEqual([
      'createBook(input: NewBookInput!): Book',
      'updateBook(id: ID!, input: NewBookInput!): Book',
      'deleteBook(id: ID!): Boolean',
    ]);
    expect(sdl).toContain('books(limit: Int = 20, offset: Int = 0, tags: [String!]): [Book!]');
    expect(sdl).toContain('$args { limit offset tags: tags->joinNotNull(",") }');
    expect(sdl).toMatch(/book\(id: ID!\): Book\n[^}]*http: \{ GET: "\/books\/\{\$args\.id\}" \}[^)]*entity: true/);
    expect(sdl).toContain('"Title of the edition."\n  title: String!');
    expect(warned).toBe('');
  });

  it('drafts fields of nested paths, and unwraps envelopes', async () => {
    const { schema, sdl, warned } = await draft('blog-nested.yaml');
    expect(fieldsOf(schema, 'User')).toEqual([
      'id: ID!',
      'name: String!',
      'address: UserAddress',
      'posts(cursor: String, limit: Int): [Post!]',
    ]);
    // A user contains no users, because a selection cannot be circular.
    expect(fieldsOf(schema, 'Query')).toContain('userFriends(userId: ID!): [User!]');
    expect(sdl).toMatch(/"\/v2\/users\/\{\$this\.id\}\/posts"[^)]*\$\.data \{\n\s+id\n\s+title\n\s+\}/);
    expect(sdl).toContain('{ name: "Authorization", value: "Bearer {$env.BLOG_TOKEN}" }');
    expect(sdl).toContain('# The service requires credentials. Set the environment variable BLOG_TOKEN to a token.');
    expect(warned).toContain('meta of the response of GET /v2/users/{user_id}/posts: the field has the value of data only');
    expect(sdl).toContain('# - meta of the response of GET /v2/users/{user_id}/posts: the field has the value of data only');
  });

  it('drafts a batch for a parameter with a list of identifiers', async () => {
    const { sdl } = await draft('products-batch.json');
    expect(sdl).toMatch(/type Product @key\(fields: "sku"\)\n {2}@connect\(/);
    expect(sdl).toContain('skus: $batch.sku->joinNotNull(",")\n      page_size: $batch.sku->size');
    expect(sdl).toContain('batch: { maxSize: 20 }');
    expect(sdl).not.toContain('entity: true');
  });

  it('drafts types of OpenAPI 3.1, with converted enum values', async () => {
    const { schema, sdl, warned } = await draft('fleet-modern.yaml');
    expect(fieldsOf(schema, 'Vehicle')).toEqual([
      'vin: ID!',
      'createdAt: DateTime',
      'status: Status!',
      'nickname: String',
      'mileage: BigInt',
      'labels: JSON',
      'history: [Status!]',
      'driver: Driver',
      'kind: String',
      'extra: JSON',
    ]);
    const status = schema.getType('Status');
    expect(status === undefined ? '' : printType(status)).toBe('enum Status {\n  IN_SERVICE\n  OUT_OF_SERVICE\n  retired\n}');
    expect(sdl).toContain('status: status->match(["in-service", "IN_SERVICE"], ["out of service", "OUT_OF_SERVICE"], [@, @])');
    expect(warned).toContain('GET /vehicles/{vin}/photo: its response is not JSON (image/png)');
    expect(warned).toContain('Vehicle.engine: its schema has several alternatives (oneOf)');
  });

  it('drafts valid names for a hostile document, and names what it left out', async () => {
    const { schema, sdl, warned } = await draft('hostile.json');
    expect(schema.getType('QueryType')).toBeDefined();
    expect(Object.keys((schema.getType('Type') as GraphQLObjectType).getFields())).toEqual([
      'typename',
      'grosseField',
      'grosse',
      'field',
      '_1st',
      'aB',
      'constructor',
      'null',
    ]);
    expect(sdl).toContain(`aB: 'a"b'`);
    expect(fieldsOf(schema, 'Mutation')).toEqual(['deleteNoContent: Boolean', 'createNoResponse: Boolean']);
    for (const left of ['GET /../secret', 'GET /un{balanced', 'GET /twice/{a}/{a}', 'POST /upload', 'GET /no-content', 'Type.a\\b']) {
      expect(warned).toContain(`${left}: `);
    }
  });
});
