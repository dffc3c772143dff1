import { buildSchema } from 'graphql';
import { describe, expect, it } from '@jest/globals';
import { restSection } from '../../../../rest-facade/config.ts';
import { compileRoutes } from '../../../../rest-facade/compile/compile-routes.ts';
import type { OpenApiDocument, ResponseObject } from '../../../../rest-facade/openapi/openapi-document.ts';
import { describeRoutes } from '../../../../rest-facade/openapi/describe-routes.ts';
import { libraryDocuments } from '../support/library-documents.ts';
import { librarySchema } from '../support/library-graph.ts';

function describeText(text: string, sdl?: string): OpenApiDocument {
  return describeAll([{ path: 'rest/test.graphql', text }], sdl === undefined ? librarySchema : buildSchema(sdl));
}

function describeAll(documents: typeof libraryDocuments, schema = librarySchema): OpenApiDocument {
  const { routes, fragments, problems } = compileRoutes(documents, schema);
  expect(problems).toEqual([]);
  const source = { routes, fragments, schema, challenges: 'Bearer realm="x", ApiKey realm="x"', settings: restSection.parse({}) };
  return describeRoutes({ ...source, needsCredentials: (route) => route.needsCredentials }, { version: 1, isDefault: true, basePath: '' });
}

const library = describeAll(libraryDocuments);
const schemas = library.components.schemas;

function responseOf(document: OpenApiDocument, path: string, method = 'get', type = 'application/json'): unknown {
  const responses = document.paths[path]?.[method]?.responses ?? {};
  const [success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const schema = (responses[success ?? ''] as ResponseObject | undefined)?.content?.[type]?.schema;
  const [, name] = /^#\/components\/schemas\/(\w*Response\w*)$/.exec(schema?.$ref ?? '') ?? [];
  return name === undefined ? schema : document.components.schemas[name];
}

/** Schema of a response whose fields the client may choose. */
function wholeOrSome(name: string, form = ''): unknown {
  return { anyOf: [{ $ref: `#/components/schemas/${name}${form}` }, { $ref: `#/components/schemas/${name}Selection${form}` }] };
}

describe('the OpenAPI description of routes', () => {
  it('a fragment becomes a component that requires its non-null fields', () => {
    expect(schemas['Book']).toEqual({
      type: 'object',
      properties: {
        id: expect.objectContaining({ type: 'integer', format: 'int64' }),
        title: { type: 'string' },
        pages: expect.objectContaining({ type: ['integer', 'null'], format: 'int32' }),
        price: { type: 'number', format: 'double' },
        genre: { $ref: '#/components/schemas/Genre' },
        tags: { type: 'array', items: { type: 'string' } },
        note: { type: ['string', 'null'], description: 'Seen by those who are signed in.' },
        writer: {
          type: ['object', 'null'],
          properties: {
            id: expect.objectContaining({ type: 'integer' }),
            name: { type: 'string' },
            phone: { type: ['string', 'null'], description: 'Seen by those who are signed in.' },
          },
          required: ['id', 'name'],
        },
        relatedIds: { type: 'array', items: expect.objectContaining({ type: 'integer' }) },
      },
      required: ['id', 'title', 'price', 'genre', 'tags', 'relatedIds'],
    });
  });

  it('a response that `fields` can narrow is the whole resource or a selection of it', () => {
    expect(responseOf(library, '/books/{book_id}')).toEqual(wholeOrSome('Book'));
    expect(schemas['BookPage']?.properties?.['data']?.items).toEqual({ $ref: '#/components/schemas/BookResponse' });
    const { required: _all, description: _none, ...whole } = schemas['Book'] ?? {};
    const { required, description, ...some } = schemas['BookSelection'] ?? {};
    expect({ required, description }).toEqual({ required: undefined, description: expect.stringContaining('`fields`') });
    expect(some.properties?.['writer']?.required).toBeUndefined();
    expect(Object.keys(some.properties ?? {})).toEqual(Object.keys(whole.properties ?? {}));
    expect(some.properties?.['pages']).toEqual(whole.properties?.['pages']);
  });

  it('limits of a body become JSON Schema keywords, for the items of a list too', () => {
    const document = describeText(
      `mutation CreateBook($input: CreateBookInput! @body(limits: [
         { field: "title", notBlank: true, maxLength: 9 }
         { field: "pages", notNull: true, minimum: 1, maximum: 5 }
         { field: "price", decimals: 2 }
         { field: "genre", notNull: true }
         { field: "tags", minItems: 1, maxItems: 3, uniqueItems: true, minLength: 2, format: "uuid", values: ["ab", "cd"] }
         { field: "origin", notNull: true }
       ])) @endpoint(method: POST, path: "/books") { createBook(input: $input) { book @result { id } errors @userErrors { field message code } } }`,
    );
    expect(document.components.schemas['CreateBookInput']?.properties).toMatchObject({
      title: { type: 'string', minLength: 1, maxLength: 9, pattern: expect.any(String) },
      pages: { type: 'integer', minimum: 1, maximum: 5 },
      price: { type: 'number', multipleOf: 0.01 },
      genre: { type: 'string', enum: ['NOVEL', 'POETRY'] },
      tags: {
        type: ['array', 'null'],
        minItems: 1,
        maxItems: 3,
        uniqueItems: true,
        items: { type: 'string', minLength: 2, format: 'uuid', enum: ['ab', 'cd'] },
      },
      origin: { $ref: '#/components/schemas/OriginInput' },
    });
  });

  it('an input type allows no other fields, lists defaults, and allows null in nullable enums', () => {
    const create = schemas['CreateBookInput'];
    expect(create).toMatchObject({ additionalProperties: false, required: ['title'] });
    expect(create?.properties).toMatchObject({
      price: { type: 'number', default: 1.5 },
      genre: { type: ['string', 'null'], enum: ['NOVEL', 'POETRY', null] },
      tags: { type: ['array', 'null'], items: { type: 'string' } },
      writerId: { type: ['integer', 'null'] },
      origin: { anyOf: [{ $ref: '#/components/schemas/OriginInput' }, { type: 'null' }] },
    });
  });

  it('PUT and PATCH describe the effect of absent fields, and PATCH accepts merge patches', () => {
    const item = library.paths['/books/{book_id}'];
    expect(Object.keys(item?.['patch']?.requestBody?.content ?? {})).toEqual([
      'application/json',
      'application/merge-patch+json',
      'application/vnd.gatefold+json',
    ]);
    expect(Object.keys(item?.['put']?.requestBody?.content ?? {})).not.toContain('application/merge-patch+json');
    expect(item?.['patch']?.requestBody?.description).toMatch(/null clears/);
    expect(item?.['put']?.requestBody?.description).toMatch(/becomes null or its default/);
  });

  it('a page is a numbered page or a cursor page', () => {
    expect(responseOf(library, '/books')).toEqual({
      oneOf: [{ $ref: '#/components/schemas/BookPage' }, { $ref: '#/components/schemas/BookCursorPage' }],
    });
  });

  it('the parameters of a list have sizes, sort keys and separators', () => {
    const parameters = library.paths['/books']?.['get']?.parameters ?? [];
    const named = (name: string) => parameters.find((parameter) => 'name' in parameter && parameter.name === name);
    expect(parameters).toContainEqual({ $ref: '#/components/parameters/Size' });
    expect(library.components.parameters['Size']).toMatchObject({ name: 'size', schema: { minimum: 1, default: 20 } });
    expect(named('sort')).toMatchObject({ style: 'form', explode: false, schema: { default: ['-title', 'id'] } });
    expect(named('genre')).toMatchObject({ explode: false, schema: { type: 'array', items: { $ref: '#/components/schemas/Genre' } } });
    expect(named('fields')).toMatchObject({ schema: { $ref: '#/components/schemas/ListBooksFields' } });
    expect(schemas['ListBooksFields']).toMatchObject({ items: { enum: expect.arrayContaining(['writer', 'writer.name']) } });
    expect(named('writerId')).toMatchObject({ schema: { type: 'integer', minimum: 0 } });
  });

  it('all errors share three schemas, and each response lists its codes', () => {
    const names = Object.keys(schemas).filter((name) => name.startsWith('Failure'));
    expect(names).toEqual(['Failure', 'FailureDetails', 'FailureNested', 'FailureProblem']);
    const content = library.components.responses['KeyReused']?.content;
    const flat = { allOf: [{ $ref: '#/components/schemas/Failure' }, { properties: { error: { enum: ['IDEMPOTENCY_KEY_REUSED'] } } }] };
    const problem = {
      allOf: [{ $ref: '#/components/schemas/FailureProblem' }, { properties: { code: { enum: ['IDEMPOTENCY_KEY_REUSED'] } } }],
    };
    expect(content?.['application/json']?.schema).toMatchObject(flat);
    expect(content?.['application/problem+json']?.schema).toMatchObject(problem);
    expect(content?.['application/vnd.gatefold.envelope+json']?.schema).toEqual({ $ref: '#/components/schemas/FailureNested' });
  });

  it('a route lists exactly the statuses that it can return', () => {
    const statuses = (path: string, method: string) => Object.keys(library.paths[path]?.[method]?.responses ?? {});
    const always = [400, 401, 403, 409, 412, 429, 500, 503];
    const sorted = (...codes: readonly number[]) => [...[...always, ...codes].toSorted((a, b) => a - b).map(String), '4XX'];
    expect(statuses('/books', 'get')).toEqual(sorted(200, 304, 406));
    expect(statuses('/books/{book_id}', 'get')).toEqual(sorted(200, 304, 404, 406));
    expect(statuses('/books', 'post')).toEqual(sorted(201, 404, 406, 413, 415, 422));
    expect(statuses('/books/{book_id}', 'delete')).toEqual(sorted(204, 404));
  });

  it('credentials are optional when anonymous callers are allowed, and required otherwise', () => {
    expect(library.paths['/books']?.['get']?.security).toEqual([{}, { bearer: [] }, { apiKey: [] }]);
    expect(library.paths['/charges']?.['post']?.security).toEqual([{ bearer: [] }, { apiKey: [] }]);
    expect(Object.keys(library.components.securitySchemes)).toEqual(['bearer', 'apiKey']);
  });

  it('a union with selected `__typename` is one of its members', () => {
    const document = describeText(
      `query Find($id: ID! @in(path: "id")) @endpoint(method: GET, path: "/things/{id}") {
         shelf(id: $id) @result { thing { __typename ... on Cup { size } ... on Vase { height } } }
       }`,
      'type Query { shelf(id: ID!): Shelf } type Shelf { thing: Thing! } union Thing = Cup | Vase type Cup { size: Int! } type Vase { height: Int }',
    );
    expect(document.components.schemas['Thing']).toMatchObject({
      oneOf: [
        { properties: { __typename: { const: 'Cup' } }, required: ['__typename', 'size'] },
        { properties: { __typename: { const: 'Vase' } }, required: ['__typename'] },
      ],
    });
  });

  it('a fragment with the name of an enum gets a separate component name', () => {
    const document = describeText(
      `fragment Genre on Book { genre }
       query GetBook($id: ID! @in(path: "id")) @endpoint(method: GET, path: "/books/{id}") { book(id: $id) @result { ...Genre } }`,
    );
    expect(document.components.schemas['Genre']).toMatchObject({ properties: { genre: { $ref: '#/components/schemas/Genre2' } } });
    expect(document.components.schemas['Genre2']).toMatchObject({ enum: ['NOVEL', 'POETRY'] });
  });

  it('only the representation with links has links, with the method unless it is GET', () => {
    const document = describeText(
      `fragment Book on Book @link(rel: "self", href: "/books/{id}") @link(rel: "remove", href: "/books/{id}", method: DELETE) { id }
       query GetBook($id: ID! @in(path: "id")) @endpoint(method: GET, path: "/books/{id}") { book(id: $id) @result { ...Book } }
       mutation DeleteBook($id: ID! @in(path: "id")) @endpoint(method: DELETE, path: "/books/{id}", status: 204) {
         deleteBook(id: $id) { book @result { id } errors @userErrors { field message code } }
       }`,
    );
    expect(responseOf(document, '/books/{id}')).toEqual(wholeOrSome('Book'));
    expect(responseOf(document, '/books/{id}', 'get', 'application/vnd.gatefold.links+json')).toEqual(wholeOrSome('Book', 'WithLinks'));
    expect(document.components.schemas['Book']?.properties?.['_links']).toBeUndefined();
    expect(document.components.schemas['BookWithLinks']?.properties?.['_links']?.properties?.['remove']).toMatchObject({
      required: ['href', 'method'],
    });
  });

  it('a stream of events describes the `failure` and `end` events', () => {
    const document = describeText('subscription S @endpoint(method: GET, path: "/additions") { bookAdded @result { id title } }');
    const { description } = responseOf(document, '/additions', 'get', 'text/event-stream') as { readonly description: string };
    for (const event of ['`failure`', '`end`']) expect(description).toContain(event);
  });
});
