import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { validateConnectors } from '../../../../../gateway/connectors/validation/validate-connectors.ts';
import { expectProblem, problemsIn } from './expect-problem.ts';

const ITEM = 'type Item { id: ID! name: String }';
const item = (connect: string): string => `type Query { item(id: ID!, tags: [String!]): Item ${connect} } ${ITEM}`;

describe('validateConnectors', () => {
  it.each([
    [
      'an unknown source',
      '@connect(source: ¶"shp", http: { GET: "/" }, selection: "id name")',
      'SOURCE_NAME_MISMATCH',
      'Did you mean "shop"?',
    ],
    ['no method', '¶@connect(source: "shop", http: {}, selection: "id name")', 'MISSING_HTTP_METHOD', 'GET, POST, PUT, PATCH, DELETE'],
    [
      'two methods',
      '@connect(source: "shop", http: { GET: ¶"/a", PUT: "/b" }, selection: "id name")',
      'MULTIPLE_HTTP_METHODS',
      'GET and PUT',
    ],
    ['a relative URL', '@connect(http: { GET: ¶"/a" }, selection: "id name")', 'RELATIVE_CONNECT_URL_WITHOUT_SOURCE', '"/a"'],
    [
      'two origins',
      '@connect(source: "shop", http: { GET: ¶"http://a" }, selection: "id name")',
      'ABSOLUTE_CONNECT_URL_WITH_SOURCE',
      'http://a',
    ],
    ['another scheme', '@connect(http: { GET: ¶"ftp://a" }, selection: "id name")', 'INVALID_URL_SCHEME', '"ftp"'],
    [
      'an expression in the host',
      '@connect(http: { GET: "http://{¶$args.id}" }, selection: "id name")',
      'INVALID_URL',
      'could change the host',
    ],
    ['an open brace', '@connect(source: "shop", http: { GET: "/a/¶{$args.id" }, selection: "id name")', 'INVALID_URL', 'no closing brace'],
    ['invalid syntax in a URL', '@connect(source: "shop", http: { GET: "/a/{$args.¶!}" }, selection: "id name")', 'INVALID_URL', ''],
    [
      'a misspelled variable',
      '@connect(source: "shop", http: { GET: "/{¶$arg.id}" }, selection: "id name")',
      'INVALID_URL',
      'Did you mean `$args`?',
    ],
    [
      'a misspelled argument',
      '@connect(source: "shop", http: { GET: "/{$args.¶idd}" }, selection: "id name")',
      'INVALID_URL',
      'Did you mean `id`?',
    ],
    [
      'a field of a scalar',
      '@connect(source: "shop", http: { GET: "/{$args.id.¶x}" }, selection: "id name")',
      'INVALID_URL',
      'has no fields',
    ],
    [
      '$this on a root field',
      '@connect(source: "shop", http: { GET: "/{¶$this.id}" }, selection: "id name")',
      'INVALID_URL',
      'Use one of $args',
    ],
    [
      '$status in a request',
      '@connect(source: "shop", http: { GET: "/{¶$status}" }, selection: "id name")',
      'INVALID_URL',
      'is not available here',
    ],
    [
      '$batch on a field',
      '@connect(source: "shop", http: { POST: "/", body: "¶$batch.id" }, selection: "id name")',
      'INVALID_BODY',
      'on a type',
    ],
    [
      'the input in a request',
      '@connect(source: "shop", http: { POST: "/", body: "¶id" }, selection: "id name")',
      'INVALID_BODY',
      'has no input',
    ],
    [
      'a list in a URL',
      '@connect(source: "shop", http: { GET: "/{¶$args.tags}" }, selection: "id name")',
      'INVALID_URL',
      'can result in a list',
    ],
    [
      'a text as path',
      '@connect(source: "shop", http: { GET: "/", path: "¶$args.id" }, selection: "id name")',
      'INVALID_URL_PROPERTY',
      'in a list',
    ],
    [
      'null in path',
      `@connect(source: "shop", http: { GET: "/", path: "$(['a', ¶null])" }, selection: "id name")`,
      'INVALID_URL_PROPERTY',
      'contains null',
    ],
    [
      'a list as query',
      '@connect(source: "shop", http: { GET: "/", queryParams: "¶$args.tags" }, selection: "id name")',
      'INVALID_URL_PROPERTY',
      'in an object',
    ],
    ['an empty body', '@connect(source: "shop", http: { POST: "/", body: ¶" " }, selection: "id name")', 'INVALID_BODY', 'is empty'],
    ['a comment as selection', '@connect(source: "shop", http: { GET: "/" }, selection: ¶"# none")', 'INVALID_SELECTION', 'is empty'],
    [
      'invalid syntax',
      '@connect(source: "shop", http: { GET: "/" }, selection: "id ¶! name")',
      'INVALID_SELECTION',
      'is not a valid mapping',
    ],
    [
      'an input that a method does not accept',
      '@connect(source: "shop", http: { GET: "/" }, selection: "id name: $args.id->¶add(1)")',
      'INVALID_SELECTION',
      'A string cannot be the input of ->add',
    ],
    [
      'arguments that a method does not accept',
      '@connect(source: "shop", http: { GET: "/" }, selection: "id name: names->¶first(1)")',
      'INVALID_SELECTION',
      '->first takes no arguments, but has 1',
    ],
    ['an unknown method', '@connect(source: "shop", http: { GET: "/" }, selection: "id name: name->¶frst")', 'INVALID_SELECTION', 'frst'],
    [
      'an unknown field',
      '@connect(source: "shop", http: { GET: "/" }, selection: "id ¶nam")',
      'SELECTED_FIELD_NOT_FOUND',
      'Did you mean `name`?',
    ],
    [
      'a group on a scalar',
      '@connect(source: "shop", http: { GET: "/" }, selection: "id ¶name { a }")',
      'GROUP_SELECTION_IS_NOT_OBJECT',
      '`String`',
    ],
    ['no group', '@connect(source: "shop", http: { GET: "/" }, selection: "¶$.item")', 'GROUP_SELECTION_REQUIRED_FOR_OBJECT', '`Item`'],
    [
      'a condition of another type',
      '@connect(source: "shop", http: { GET: "/" }, selection: "id name", isSuccess: "¶$status")',
      'INVALID_IS_SUCCESS',
      'in a boolean',
    ],
    [
      'a number as message',
      '@connect(source: "shop", http: { GET: "/" }, selection: "id name", errors: { message: "¶$status" })',
      'INVALID_ERRORS',
      'in a string',
    ],
    [
      'a number as extensions',
      '@connect(source: "shop", http: { GET: "/" }, selection: "id name", errors: { extensions: "¶$status" })',
      'INVALID_ERRORS',
      'in an object',
    ],
    [
      'an invalid id',
      '@connect(id: ¶"1", source: "shop", http: { GET: "/" }, selection: "id name")',
      'INVALID_CONNECTOR_ID',
      'must begin with',
    ],
    [
      'an unknown argument',
      '@connect(¶sourc: "shop", http: { GET: "http://a" }, selection: "id name")',
      'INVALID_GRAPHQL',
      'Did you mean "source"?',
    ],
  ])('reports %s', (_, connect, code, message) => {
    expectProblem(item(connect), code, message);
  });

  it.each([
    ['a reserved header', '{ name: ¶"Host", value: "a" }', 'is reserved'],
    ['a copied content type', '{ name: ¶"Content-Type", from: "x" }', 'use "value"'],
    ['a header with an invalid name', '{ name: ¶"a b", value: "a" }', 'not a valid name'],
    ['a header without a name', '¶{ value: "a" }', 'without a name'],
    ['a header without a value', '{ name: ¶"a" }', 'neither "from" nor "value"'],
    ['a header with two values', '{ name: ¶"a", from: "b", value: "c" }', 'both "from" and "value"'],
    ['a header with a control character', '{ name: "a", value: "¶b\\u0000c: d" }', 'contains control characters'],
    ['a header with an object', '{ name: "a", value: "{¶$args}" }', 'can result in an object'],
  ])('reports %s', (_, header, message) => {
    expectProblem(
      item(`@connect(source: "shop", http: { GET: "/", headers: [${header}] }, selection: "id name")`),
      'INVALID_HEADER',
      message,
    );
  });

  it('reports two headers whose names differ only in case', () => {
    const headers = '[{ name: "x-a", value: "1" }, { name: ¶"X-A", from: "b" }]';
    expectProblem(
      item(`@connect(source: "shop", http: { GET: "/", headers: ${headers} }, selection: "id name")`),
      'HTTP_HEADER_NAME_COLLISION',
      'ignore case',
    );
  });

  it('finds the position within a block string', () => {
    const connect = `@connect(source: "shop", http: { GET: "/" }, selection: """
        id   # the key
          name: ¶$nme
      """)`;
    expectProblem(item(connect), 'INVALID_SELECTION', 'there is no variable `$nme`');
  });

  it.each([
    ['a source without a name', '@source(name: ¶"", http: { baseURL: "http://a" })', 'EMPTY_SOURCE_NAME', 'has no name'],
    ['an invalid source name', '@source(name: ¶"a$", http: { baseURL: "http://a" })', 'INVALID_SOURCE_NAME', '"$"'],
    [
      'two sources of one name',
      '¶@source(name: "b", http: { baseURL: "http://a" }) @source(name: "b", http: { baseURL: "http://a" })',
      'DUPLICATE_SOURCE_NAME',
      '"b"',
    ],
    ['a source without a URL', '¶@source(name: "b")', 'INVALID_URL', 'has no http: { baseURL: }'],
    ['a source with a relative URL', '@source(name: "b", http: { baseURL: ¶"a.test" })', 'INVALID_URL_SCHEME', 'http:// or https://'],
    ['credentials in a URL', '@source(name: "b", http: { baseURL: ¶"http://a:b@c" })', 'INVALID_URL', 'contains credentials'],
    ['$args in a source', '@source(name: "b", http: { baseURL: "http://{¶$args.a}" })', 'INVALID_URL', 'Use one of $config, $env'],
  ])('reports %s', (_, source, code, message) => {
    expectProblem(`extend schema ${source}`, code, message);
  });

  it('reports a source directive that is not imported', () => {
    const sdl = `extend schema @link(url: "https://specs.apollo.dev/connect/v0.3", import: ["@connect"]) @source(name: "a", http: { baseURL: "http://a" })`;
    expect(validateConnectors('shop', parse(sdl)).map(({ code }) => code)).toEqual(['NO_SOURCE_IMPORT']);
  });

  it.each(['0.9', 'x'])('reports the version %s', (version) => {
    expect(problemsIn('type Query { a: Int }', version).map(({ code, message }) => ({ code, message }))).toEqual([
      { code: 'UNKNOWN_CONNECTORS_VERSION', message: expect.stringContaining('Link v0.1, v0.2, v0.3, v0.4.') },
    ]);
  });

  it('reports subscriptions', () => {
    expectProblem('¶type Subscription { a: Int }', 'SUBSCRIPTION_IN_CONNECTORS', 'cannot have subscriptions');
  });

  it.each(['0.1', '0.2', '0.3'])('reports abstract types with version %s', (version) => {
    expectProblem('¶interface Node { id: ID! }', 'CONNECTORS_UNSUPPORTED_ABSTRACT_TYPE', 'Link v0.4', version);
  });

  it('reports two connectors with one id', () => {
    const connect = (id: string): string => `@connect(id: ${id}, source: "shop", http: { GET: "/" }, selection: "$")`;
    expectProblem(
      `type Query { a: Int ${connect('"x"')} b: Int ${connect('¶"x"')} }`,
      'DUPLICATE_CONNECTOR_ID',
      'Two connectors have the id "x"',
    );
  });

  it('reports a field with arguments that has no connector', () => {
    const sdl = 'type Query { a: A @connect(source: "shop", http: { GET: "/" }, selection: "¶b") } type A { b(c: Int): Int }';
    expectProblem(sdl, 'CONNECTORS_FIELD_WITH_ARGUMENTS', '`A.b`, which has arguments');
  });

  it('reports fields that no connector resolves, only without other mistakes', () => {
    const sdl = 'type Query { a: A @connect(source: "shop", http: { GET: "/" }, selection: "b") } type A { b: Int ¶c: Int }';
    expectProblem(sdl, 'CONNECTORS_UNRESOLVED_FIELD', 'No connector resolves `A.c`');
    expect(problemsIn(sdl.replace('"b"', '"b d"')).map(({ code }) => code)).toEqual(['SELECTED_FIELD_NOT_FOUND']);
  });

  it('reports a root field without a connector', () => {
    expectProblem('type Mutation { ¶a: Int }', 'CONNECTORS_UNRESOLVED_FIELD', '`Mutation.a`');
  });

  it('reports circular references', () => {
    const user = 'type User { id: ID! friends: [User] }';
    const selected = `type Query { me: User @connect(source: "shop", http: { GET: "/" }, selection: "id ¶friends { id }") } ${user}`;
    expectProblem(selected, 'CIRCULAR_REFERENCE', '`User` is more than once in `Query.me.friends`');
    const connect = '@connect(source: "shop", http: { GET: "/{$this.id}" }, selection: "id")';
    expectProblem(`type User { id: ID! ¶friends: [User] ${connect} }`, 'CIRCULAR_REFERENCE', 'the type that it is on');
  });
});
