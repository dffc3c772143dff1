import { describe, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';
import { restSection } from '../../../../../rest-facade/config.ts';
import { compileRoutes } from '../../../../../rest-facade/compile/compile-routes.ts';
import { describeRoutes } from '../../../../../rest-facade/openapi/describe-routes.ts';
import { bindRequest } from '../../../../../rest-facade/request/parameters/bind-request.ts';
import { catchRejection } from '../../support/bind-library.ts';

const schema = buildSchema(/* GraphQL */ `
  type Query {
    film(id: ID!): Film
  }
  type Mutation {
    "Adds a film."
    addFilm(
      "The original title."
      title: String!
      year: Int = 1900
      rating: Float! = 5
      genre: Genre
      tags: [String!]
      studioId: ID
      director: Director
      code: String @deprecated(reason: "Use tags.")
    ): Film
    editFilm(id: ID!, title: String, year: Int, rating: Float! = 5, genre: Genre = DRAMA, version: Int): Film
    mergeFilms(one: Director!, other: Director!): Film
    rateFilm(id: ID!, input: Rating!): Film
  }
  type Film {
    id: ID!
    title: String
    version: Int
  }
  enum Genre {
    DRAMA
    COMEDY
  }
  input Director {
    name: String!
    born: Int
  }
  input Rating {
    "From 1 to 5."
    stars: Int!
    text: String = "none"
  }
  input AddFilmBody {
    unused: Int
  }
`);

const GET = 'query GetFilm($id: ID! @in(path: "id")) @endpoint(method: GET, path: "/films/{id}") { film(id: $id) @result { id title } }';
const ADD = `mutation AddFilm(
  $title: String! @body(field: "title", limits: { notBlank: true, maxLength: 5 })
  $year: Int @body(field: "releaseYear")
  $rating: Float @body(field: "rating")
  $genre: Genre @body(field: "genre")
  $tags: [String!] @body(field: "tags", limits: { maxItems: 2 })
  $studio: ID @body(field: "studioId") @integer
  $director: Director @body(field: "director")
  $code: String @body(field: "code")
) @endpoint(method: POST, path: "/films", status: 201, location: "/films/{id}") {
  addFilm(title: $title, year: $year, rating: $rating, genre: $genre, tags: $tags, studioId: $studio, director: $director, code: $code) @result { id title }
}`;
const editing = (method: 'PATCH' | 'PUT') => `mutation Edit(
  $id: ID! @in(path: "id")
  $title: String @body(field: "title")
  $year: Int = 2000 @body(field: "year")
  $rating: Float @body(field: "rating")
  $genre: Genre @body(field: "genre")
) @endpoint(method: ${method}, path: "/films/{id}") {
  editFilm(id: $id, title: $title, year: $year, rating: $rating, genre: $genre) @result { id title }
}`;
const RATE = `mutation Rate($id: ID! @in(path: "id"), $stars: Int! @body(field: "stars"), $text: String @body(field: "text"))
@endpoint(method: PUT, path: "/films/{id}") { rateFilm(id: $id, input: { stars: $stars, text: $text }) @result { id title } }`;

function compile(text: string) {
  const { routes, fragments, problems } = compileRoutes([{ path: 'rest/films.graphql', text: `${GET}\n${text}` }], schema);
  expect(problems).toEqual([]);
  const route = routes.find(({ operationName }) => operationName !== 'GetFilm');
  if (route === undefined) throw new Error('The text has no operation.');
  return { route, routes, fragments };
}

function bind(text: string, body: unknown): unknown {
  const { route } = compile(text);
  const path = route.bindings.path.map(() => 'f1');
  return bindRequest(route, { path, query: new Map(), body, headers: {} }, restSection.parse({})).variables;
}

const DIRECTOR = { name: 'Ida' };

describe('a body whose fields are variables', () => {
  it.each<readonly [unknown, ...string[]]>([
    [undefined, 'The body must be an object.'],
    [null, 'The body must be an object.'],
    [[], 'The body must be an object.'],
    ['Heat', 'The body must be an object.'],
    [{}, '"title" is required.'],
    [{ title: null }, '"title" must not be null.'],
    [{ title: 5 }, '"title" must be a string.'],
    [{ title: ' ' }, '"title" must contain a character other than white space and must not contain NUL.'],
    [{ title: 'Heat 2' }, '"title" must have at most 5 characters.'],
    [{ title: 'Heat', releaseYear: '1995' }, '"releaseYear" must be an integer from -2147483648 to 2147483647.'],
    [{ title: 'Heat', rating: null }, '"rating" must not be null.'],
    [{ title: 'Heat', genre: 'HEIST' }, '"genre" must be one of DRAMA, COMEDY.'],
    [{ title: 'Heat', tags: 'a' }, '"tags" must be an array.'],
    [{ title: 'Heat', tags: ['a', null] }, '"tags.1" must not be null.'],
    [{ title: 'Heat', tags: ['a', 'b', 'c'] }, '"tags" must have at most 2 values.'],
    [{ title: 'Heat', studioId: 'a' }, '"studioId" must be an integer, 0 or greater.'],
    [{ title: 'Heat', director: {} }, '"director.name" is required.'],
    [{ title: 'Heat', director: { name: 'x', age: 1 } }, '"director.age" is not a known field; the allowed fields are name, born.'],
    [
      { title: 'Heat', year: 1995 },
      '"year" is not a known field; the allowed fields are title, releaseYear, rating, genre, tags, studioId, director, code.',
    ],
    [{ title: 1, genre: 2 }, '"title" must be a string.', '"genre" must be one of DRAMA, COMEDY.'],
  ])('rejects %j with every error', (body, ...messages) => {
    expect(catchRejection(() => bind(ADD, body))).toEqual({ code: 'BAD_USER_INPUT', messages });
  });

  it.each([
    [{ title: 'Heat' }, { title: 'Heat' }],
    [
      { title: 'Heat', releaseYear: null, genre: null, tags: null, studioId: null, director: null },
      { title: 'Heat', year: null, genre: null, tags: null, studio: null, director: null },
    ],
    [
      { title: 'Heat', releaseYear: 1995, rating: 4, genre: 'DRAMA', tags: ['a'], studioId: 7, director: DIRECTOR },
      { title: 'Heat', year: 1995, rating: 4, genre: 'DRAMA', tags: ['a'], studio: '7', director: DIRECTOR },
    ],
  ])('%j sets only the variables of the members that it has', (body, variables) => {
    expect(bind(ADD, body)).toEqual(variables);
  });

  it('PATCH sets only the members of the body, and null clears', () => {
    expect(bind(editing('PATCH'), {})).toEqual({ id: 'f1' });
    expect(bind(editing('PATCH'), { title: null })).toEqual({ id: 'f1', title: null });
  });

  it('PUT sets absent members to null, unless the variable or the argument has a default', () => {
    expect(bind(editing('PUT'), {})).toEqual({ id: 'f1', title: null });
    expect(bind(editing('PUT'), { year: null, genre: 'COMEDY' })).toEqual({ id: 'f1', title: null, year: null, genre: 'COMEDY' });
  });

  it('a variable in an object literal has the default and the rules of the input field', () => {
    expect(bind(RATE, { stars: 5 })).toEqual({ id: 'f1', stars: 5 });
    expect(catchRejection(() => bind(RATE, { text: 'Good.' }))?.messages).toEqual(['"stars" is required.']);
  });

  it('maps business errors of an object literal to the fields of the body', () => {
    const sdl =
      'type Query { a: A } type A { id: ID! } type P { a: A problems: [Problem!]! } type Problem { path: [String!] text: String! }';
    const graph = buildSchema(`${sdl} type Mutation { addA(input: I!, n: Int): P } input I { stars: Int! } `);
    const text = `mutation Add($s: Int! @body(field: "rating"), $n: Int @body(field: "count")) @endpoint(method: POST, path: "/a") {
      addA(input: { stars: $s }, n: $n) { a @result { id } problems @userErrors { field: path message: text } }
    }`;
    const { routes, problems } = compileRoutes([{ path: 'a.graphql', text }], graph);
    expect(problems).toEqual([]);
    expect(routes[0]?.result.userErrors).toMatchObject({ path: ['addA', 'problems'] });
    expect(routes[0]?.result.userErrors?.names).toEqual(
      new Map([
        ['input.stars', 'rating'],
        ['n', 'count'],
      ]),
    );
  });

  it('an operation has only one whole body', () => {
    const text = `mutation Merge($one: Director! @body, $other: Director! @body) @endpoint(method: POST, path: "/merged") {
      mergeFilms(one: $one, other: $other) @result { id }
    }`;
    expect(compileRoutes([{ path: 'x.graphql', text }], schema).problems).toEqual([
      expect.objectContaining({
        message: 'Only one variable can be the whole body.',
        hint: expect.stringContaining('`@body(field: "title")`'),
        line: 1,
        column: 39,
      }),
    ]);
  });

  it('is one schema in the API description, whose name differs from the types of the graph', () => {
    const { routes, fragments } = compile(ADD);
    const source = { routes, fragments, schema, challenges: 'Bearer', settings: restSection.parse({}), needsCredentials: () => false };
    const { paths, components } = describeRoutes(source, { version: 1, isDefault: true, basePath: '' });
    expect(paths['/films']?.['post']?.requestBody?.content['application/json']).toEqual({
      schema: { $ref: '#/components/schemas/AddFilmBody2' },
    });
    expect(components.schemas['AddFilmBody2']).toEqual({
      type: 'object',
      properties: {
        title: { type: 'string', description: 'The original title.', minLength: 1, maxLength: 5, pattern: expect.any(String) },
        releaseYear: { type: ['integer', 'null'], format: 'int32', minimum: -2147483648, maximum: 2147483647, default: 1900 },
        rating: { type: 'number', format: 'double', default: 5 },
        genre: { type: ['string', 'null'], enum: ['DRAMA', 'COMEDY', null] },
        tags: { type: ['array', 'null'], items: { type: 'string' }, maxItems: 2 },
        studioId: expect.objectContaining({ type: ['integer', 'null'] }),
        director: { anyOf: [{ $ref: '#/components/schemas/Director' }, { type: 'null' }] },
        code: { type: ['string', 'null'], deprecated: true },
      },
      required: ['title'],
      additionalProperties: false,
    });
  });
});
