import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { buildSchema } from 'graphql';
import { compileRoutes } from '../../../../rest-facade/compile/compile-routes.ts';
import { compilePrintedItems } from '../../../../rest-facade/compile/result/printed-items.ts';
import type { RestRoute } from '../../../../rest-facade/compile/rest-route.ts';
import { isResultObject, itemsOf, valueAt } from '../../../../rest-facade/response/result-data.ts';
import { shapeResource } from '../../../../rest-facade/response/shape-resource.ts';
import { takePrintedItems } from '../../../../rest-facade/response/result-data.ts';

const schema = buildSchema(/* GraphQL */ `
  scalar Anything
  enum Colour {
    RED
  }
  type Query {
    things(first: Int!, offset: Int): ThingConnection
    shelf(id: ID!): Shelf
    all: [Thing!]
  }
  type Shelf {
    things(first: Int!, offset: Int): ThingConnection
  }
  type ThingConnection {
    nodes: [Thing]
    edges: [ThingEdge]
    totalCount: Int!
    pageInfo: PageInfo
    extra: Anything
  }
  type ThingEdge {
    node: Thing
  }
  type PageInfo {
    hasNextPage: Boolean!
    endCursor: String
  }
  type Thing {
    id: ID!
    title: String
    size: Float
    colour: Colour
    extra: Anything
    owner: Owner
    relatedIds: [ID!]!
    version: Int!
  }
  type Owner {
    id: ID!
    name: String
  }
`);

const AROUND = 'totalCount pageInfo { hasNextPage endCursor }';

/** Route of a list of things with this selection. */
function listOf(selection: string, { after = AROUND, before = '' } = {}): RestRoute {
  return routeOf(`things(first: $size, offset: $offset) @result(shape: PAGE) { ${before} nodes { ${selection} } ${after} }`);
}

function routeOf(field: string, isPage = true): RestRoute {
  const variables = isPage ? '($size: Int! @page(role: SIZE), $offset: Int @page(role: OFFSET))' : '';
  const text = `query List${variables} @endpoint(method: GET, path: "/things") { ${field} }`;
  const { routes, problems } = compileRoutes([{ path: 'things.graphql', text }], schema);
  const [route] = routes;
  if (route === undefined || problems.length > 0) throw new Error(problems.map(({ message }) => message).join('\n'));
  return route;
}

const printedOf = (route: RestRoute) => compilePrintedItems(schema, route.operation, route.result);

/** Response when the data is parsed and serialized again. */
function asValues({ result }: RestRoute, text: string): string {
  const root = valueAt(JSON.parse(text), result.path);
  const items = result.collection && itemsOf(root, result.collection);
  return JSON.stringify(shapeResource(items, result.shape, { omitted: new Map(), mask: undefined }));
}

/** Texts that look like the patterns that the code searches for. */
const nastyText = fc.oneof(
  fc.string(),
  fc.constantFrom('],"totalCount":7', '"id":"5"', ',"id":"5"', '{"id":"5"}', '\\', '\\"', '}]}', '"],"totalCount":', '","id":"1'),
);
const nullable = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null });
const anId = fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 19n }).map(String), fc.constantFrom('0', '007', '-4', '1.5', 'a', ''), nastyText);
const owner = fc.record({ id: anId, name: nullable(nastyText) }, { noNullPrototype: true });
const thing = fc.record(
  { id: anId, title: nullable(nastyText), size: nullable(fc.integer()), extra: fc.jsonValue(), owner: nullable(owner) },
  { noNullPrototype: true },
);

describe('items that are copied from the printed result', () => {
  it.each([
    ['nested objects', listOf('id owner { name }'), true],
    ['edges', routeOf(`things(first: $size, offset: $offset) @result(shape: PAGE) { edges { node { id } } ${AROUND} }`), false],
    ['a list of integers', listOf('id relatedIds @integer'), false],
    ['a name that is an integer in one object only', listOf('id @integer owner { id }'), false],
    ['a field of any JSON type after the list', listOf('id', { after: `extra ${AROUND}` }), false],
    ['a field before the list', listOf('id', { before: 'totalCount', after: 'pageInfo { hasNextPage endCursor }' }), false],
    ['aliases', listOf('key: id @integer called: title'), true],
    [
      'a list deeper in the graph',
      routeOf(`shelf(id: "1") { things(first: $size, offset: $offset) @result(shape: PAGE) { nodes { id } ${AROUND} } }`),
      true,
    ],
    ['a plain list', routeOf('all @result(shape: LIST) { id @integer title }', false), true],
    ['a list at the end', routeOf('things(first: 5) @result(shape: LIST) { nodes { id @integer } totalCount }', false), true],
  ])('decides for %s whether items can be copied', (_what, route, canBe) => {
    expect(printedOf(route) !== undefined).toBe(canBe);
  });

  it('copies items with hidden fields, which it does not select', () => {
    const route = listOf('id @integer version @internal owner { id @integer @internal name }');
    expect(JSON.stringify(route.operation)).not.toContain('"version"');
    expect(printedOf(route)).toBeDefined();
  });

  it.each([
    ['a null list', '{"things":{"nodes":null,"totalCount":0,"pageInfo":null}}'],
    ['a null connection', '{"things":null}'],
    ['null data', 'null'],
  ])('falls back to parsing for %s', (_what, text) => {
    const printed = printedOf(listOf('id @integer'));
    expect(printed && takePrintedItems(text, printed)).toBeUndefined();
  });

  it('falls back to parsing when an item contains a JSON object that could hide an ID', () => {
    const route = listOf('id @integer extra');
    const printed = printedOf(route);
    const textWith = (extra: unknown) =>
      `{"things":{"nodes":[{"id":"1","extra":${JSON.stringify(extra)}}],"totalCount":1,"pageInfo":null}}`;
    expect(printed && takePrintedItems(textWith({ id: '5' }), printed)).toBeUndefined();
    expect(printed && takePrintedItems(textWith([{ id: '5' }]), printed)).toBeUndefined();
    expect(printed && takePrintedItems(textWith(',"id":"5"'), printed)?.items).toBe('[{"id":1,"extra":",\\"id\\":\\"5\\""}]');
  });

  it('the copied items equal the serialized values, byte by byte', () => {
    const routes = [listOf('id @integer title size extra owner { id @integer name }'), listOf('id title size extra owner { id name }')];
    fc.assert(
      fc.property(
        fc.constantFrom(...routes),
        fc.array(nullable(thing)),
        fc.nat(),
        nullable(nastyText),
        (route, nodes, totalCount, endCursor) => {
          const text = JSON.stringify({ things: { nodes, totalCount, pageInfo: { hasNextPage: true, endCursor } } });
          const printed = printedOf(route);
          if (printed === undefined) throw new Error('The items are not copied from the printed result.');
          const taken = takePrintedItems(text, printed);
          if (taken === undefined) return expect(nodes.some((node) => typeof node?.extra === 'object' && node.extra !== null)).toBe(true);
          expect(taken.items).toBe(asValues(route, text));
          const rest = valueAt(taken.data, ['things']);
          return expect(isResultObject(rest) && rest).toEqual({ nodes: null, totalCount, pageInfo: { hasNextPage: true, endCursor } });
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
