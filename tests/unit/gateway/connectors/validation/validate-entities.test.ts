import { describe, expect, it } from '@jest/globals';
import { expectProblem, problemsIn } from './expect-problem.ts';

const ITEM = 'type Item { id: ID! name: String }';

describe('validateConnectors of entities', () => {
  const entity = (field: string, type = ITEM): string =>
    `type Query { ${field} @connect(source: "shop", http: { GET: "/" }, selection: "id name", entity: ¶true) } ${type}`;

  it.each([
    ['a list', entity('a(id: ID!): [Item]'), 'ENTITY_TYPE_INVALID', 'returns `[Item]`'],
    ['a non-null type', entity('a(id: ID!): Item!'), 'ENTITY_TYPE_INVALID', 'returns `Item!`'],
    ['no arguments', entity('a: Item'), 'ENTITY_RESOLVER_ARGUMENT_MISMATCH', 'must have arguments'],
  ])('reports entity: true with %s', (_, sdl, code, message) => {
    expectProblem(sdl, code, message);
  });

  it.each([
    ['a name', 'a(¶idd: ID!): Item', 'Did you mean `id`?'],
    ['a type', 'a(¶id: Int!): Item', '`Item.id` has the type `ID!`'],
    ['a list', 'a(¶id: [ID!]): Item', 'has the type `[ID!]`'],
  ])('reports an argument of entity: true with %s that no field has', (_, field, message) => {
    const sdl = `type Query { ${field} @connect(source: "shop", http: { GET: "/" }, selection: "id name", entity: true) } ${ITEM}`;
    expectProblem(sdl, 'ENTITY_RESOLVER_ARGUMENT_MISMATCH', message);
  });

  it('reports entity: true on a field of another type', () => {
    const sdl =
      'type Item { id: ID! @external a: Int @connect(source: "shop", http: { GET: "/{$this.id}" }, selection: "$", entity: ¶true) }';
    expectProblem(sdl, 'ENTITY_NOT_ON_ROOT_QUERY', 'only fields of `Query`');
  });

  const onType = (connect: string, fields = 'id: ID! name: String'): string => `type Item ${connect} { ${fields} }`;

  it.each([
    [
      'entity: false',
      '@connect(source: "shop", http: { GET: "/{$this.id}" }, selection: "id name", entity: ¶false)',
      'CONNECT_ON_TYPE_MUST_BE_ENTITY',
      '',
    ],
    [
      'no key',
      '¶@connect(source: "shop", http: { GET: "/" }, selection: "id name")',
      'CONNECTORS_CANNOT_RESOLVE_KEY',
      'neither `$this` nor `$batch`',
    ],
    [
      '$this and $batch',
      '¶@connect(source: "shop", http: { POST: "/{$this.id}", body: "$batch.id" }, selection: "id name")',
      'CONNECT_BATCH_AND_THIS',
      '',
    ],
    [
      '$batch in the response',
      '@connect(source: "shop", http: { POST: "/", body: "$batch.id" }, selection: "id name: ¶$batch.name")',
      'INVALID_SELECTION',
      '',
    ],
    [
      'a missing batch key',
      '@connect(source: "shop", http: { POST: "/", body: "$batch.id" }, selection: "¶$.items { name }")',
      'CONNECTORS_BATCH_KEY_NOT_IN_SELECTION',
      '`id`',
    ],
    [
      'a batch key of the context',
      '@connect(source: "shop", http: { POST: "/", body: "$batch.id" }, selection: "¶id: $context.id name")',
      'CONNECTORS_NON_ROOT_BATCH_KEY',
      '`id`',
    ],
    ['$args', '@connect(source: "shop", http: { GET: "/{$this.id}/{¶$args.a}" }, selection: "id name")', 'INVALID_URL', 'not available'],
  ])('reports a connector on a type with %s', (_, connect, code, message) => {
    expectProblem(onType(connect), code, message);
  });

  it('reports a key that consists of an object', () => {
    const connect = '¶@connect(source: "shop", http: { POST: "/", body: "$this.owner" }, selection: "id")';
    expectProblem(
      `type Item ${connect} { id: ID! owner: Owner @external } type Owner @external { id: ID! }`,
      'CONNECTORS_CANNOT_RESOLVE_KEY',
      '`$this.owner`',
    );
  });

  it('reports a connector on a root type', () => {
    const sdl = 'type Query ¶@connect(source: "shop", http: { GET: "/" }, selection: "a") { a: Int }';
    expect(problemsIn(sdl)[0]).toMatchObject({ code: 'CONNECT_ON_ROOT', isAtMarker: true });
  });

  it('reports a key that no connector resolves', () => {
    const fields = 'sku: ID! id: ID! name: String';
    const connect = '@connect(source: "shop", http: { GET: "/{$this.id}" }, selection: "id sku name")';
    expectProblem(onType(`@key(fields: "id") ¶@key(fields: "sku") ${connect}`, fields), 'MISSING_ENTITY_CONNECTOR', 'fields: "sku"');
    expect(problemsIn(onType(`@key(fields: "id") @key(fields: "sku", resolvable: false) ${connect}`, fields))).toEqual([]);
  });

  it.each([
    ['on a type', onType('@key(fields: "id") @connect(source: "shop", http: { GET: "/{$this.id}" }, selection: "id name")')],
    [
      'for batches',
      onType(`@connect(source: "shop", http: { GET: "/?ids={$batch.id->joinNotNull(',')}" }, selection: "$.items { id name }")`),
    ],
    [
      'with composite keys',
      `type Item @key(fields: "id shop { id }") @connect(source: "shop", http: { POST: "/", body: "$batch { id s: shop.id }" }, selection: "id shop { id }") { id: ID! shop: Shop } type Shop { id: ID! }`,
    ],
    [
      'with input objects',
      `type Query { a(id: ID!, shop: In!): Item @connect(source: "shop", http: { GET: "/" }, selection: "id shop { id }", entity: true) } input In { id: ID! } type Item @key(fields: "shop { id } id") { id: ID! shop: Shop } type Shop { id: ID! }`,
    ],
  ])('accepts entity connectors %s', (_, sdl) => {
    expect(problemsIn(sdl)).toEqual([]);
  });
});

describe('validateConnectors of abstract types', () => {
  const search = (selection: string): string => `
    type Query { search: [Media] @connect(source: "shop", http: { GET: "/" }, selection: """${selection}""") }
    interface Media { id: ID! }
    type Book implements Media { id: ID! pages: Int }
    type Film implements Media { id: ID! length: Int }`;

  it('reports fields and types that no case can have', () => {
    const cases = `id ... kind->match(["b", { __typename: "Book", pages, length: pages }], ["f", { ¶__typename: "Flm", length }])`;
    expect(problemsIn(search(cases), '0.4').map(({ code }) => code)).toEqual(['SELECTED_FIELD_NOT_FOUND', 'INVALID_SELECTION']);
  });

  it('reports fields of a type without a case', () => {
    expect(problemsIn(search('id ... kind->match(["b", { __typename: "Book", pages }])'), '0.4')).toMatchObject([
      { code: 'CONNECTORS_UNRESOLVED_FIELD', message: expect.stringContaining('`Film.length`') },
    ]);
  });

  it('accepts a case for each type', () => {
    const cases = 'id ... kind->match(["b", { __typename: "Book", pages }], ["f", $ { __typename: $("Film") length }], [@, null])';
    expect(problemsIn(search(cases), '0.4')).toEqual([]);
  });
});
