import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';
import { readConnectors, readConnectorsOfSubgraph } from '../../../../../gateway/connectors/definition/read-connectors.ts';
import { parseSelection } from '../../../../../gateway/connectors/selection/parse-selection.ts';
import { composeSubgraphs } from '../../../../../gateway/supergraph/compose-subgraphs.ts';

const LINK = `
  extend schema
    @link(url: "https://specs.apollo.dev/federation/v2.11")
    @link(url: "https://specs.apollo.dev/connect/v0.3", import: ["@connect", "@source"])
`;

const SHOP = `
  extend schema
    @link(url: "https://specs.apollo.dev/federation/v2.11", import: ["@key"])
    @link(url: "https://specs.apollo.dev/connect/v0.3", as: "con", import: [{ name: "@connect", as: "@api" }])
    @con__source(
      name: "shop"
      http: {
        baseURL: "http://shop.test/v1"
        headers: [{ name: "X-Key", value: "{$config.key}" }, { name: "x-a", from: "X-B" }]
        path: "$config.path"
        queryParams: "k: $config.k"
      }
      errors: { message: "error.message", extensions: "code: error.code" }
      isSuccess: "$status->eq(200)"
    )
  type Query {
    item(id: ID!): Item
      @api(id: "first", source: "shop", http: { GET: "/items/{$args.id}" }, selection: "id name", entity: true)
      @api(source: "shop", http: { PUT: "/items", body: "id: $args.id" }, selection: "id", errors: { message: "$.oops" })
  }
  type Item @key(fields: "id") @api(source: "shop", http: { POST: "/batch", body: "ids: $batch.id" }, batch: { maxSize: 5 }, selection: "id name") {
    id: ID!
    name: String
  }
`;

/** Summarizes connectors as a client of the definitions reads them. */
function summaryOf(connectors: ReturnType<typeof readConnectors>) {
  return connectors.map(({ subgraph, type, field, index, id, source, http, isEntity, isSuccess, errors, batchMaxSize, selection }) => ({
    subgraph,
    coordinate: field === undefined ? type : `${type}.${field}`,
    index,
    id,
    source: source?.name,
    request: `${http.method} ${http.url.text}`,
    body: http.body,
    isEntity,
    isSuccess,
    message: errors?.message,
    extensions: errors?.extensions,
    batchMaxSize,
    selection,
  }));
}

const mapping = (text: string) => parseSelection(text, '0.3');

const OF_SOURCE = {
  source: 'shop',
  isSuccess: mapping('$status->eq(200)'),
  message: mapping('error.message'),
  extensions: mapping('code: error.code'),
};
const EXPECTED = [
  {
    ...OF_SOURCE,
    subgraph: 'my-shop',
    coordinate: 'Query.item',
    index: 0,
    id: 'first',
    request: 'GET /items/{$args.id}',
    body: undefined,
    isEntity: true,
    batchMaxSize: undefined,
    selection: mapping('id name'),
  },
  {
    ...OF_SOURCE,
    subgraph: 'my-shop',
    coordinate: 'Query.item',
    index: 1,
    id: undefined,
    request: 'PUT /items',
    body: mapping('id: $args.id'),
    isEntity: false,
    message: mapping('$.oops'),
    batchMaxSize: undefined,
    selection: mapping('id'),
  },
  {
    ...OF_SOURCE,
    subgraph: 'my-shop',
    coordinate: 'Item',
    index: 0,
    id: undefined,
    request: 'POST /batch',
    body: mapping('ids: $batch.id'),
    isEntity: true,
    batchMaxSize: 5,
    selection: mapping('id name'),
  },
];

describe('readConnectorsOfSubgraph', () => {
  it.each([
    ['no method', '@connect(http: {}, selection: "$")', '`@connect(http:)` on `Query.a` has no HTTP method'],
    ['an unknown method', '@connect(http: { get: "http://a" }, selection: "$")', 'unknown argument "get". Did you mean "GET"?'],
    ['no selection', '@connect(http: { GET: "http://a" })', '`@connect` on `Query.a` has no argument "selection"'],
    ['a number as URL', '@connect(http: { GET: 1 }, selection: "$")', '`@connect(http: { GET: })` on `Query.a` must be a string'],
    ['an invalid batch', '@connect(http: { GET: "http://a" }, selection: "$", batch: { maxSize: 0 })', 'integer of at least 1'],
    ['an unknown source', '@connect(source: "b", http: { GET: "/" }, selection: "$")', 'the subgraph has none'],
  ])('throws an error with the coordinate for %s', (_, directive, message) => {
    const document = parse(`${LINK} type Query { a: Int ${directive} }`);
    expect(() => readConnectorsOfSubgraph('s', document)).toThrow(message);
  });

  it('throws an error for an unknown version', () => {
    const document = parse('extend schema @link(url: "https://specs.apollo.dev/connect/v0.9") type Query { a: Int }');
    expect(() => readConnectorsOfSubgraph('s', document)).toThrow('Link v0.1, v0.2, v0.3, v0.4.');
  });

  it('returns nothing for a subgraph without the link', () => {
    expect(readConnectorsOfSubgraph('s', parse('type Query { a: Int @connect(selection: "$") }'))).toEqual([]);
  });

  it('reads renamed directives with all their arguments', () => {
    const connectors = readConnectorsOfSubgraph('my-shop', parse(SHOP));
    expect(summaryOf(connectors)).toEqual(EXPECTED);
    expect(connectors[0]?.source).toMatchObject({
      name: 'shop',
      baseUrl: { text: 'http://shop.test/v1' },
      headers: [
        { name: 'x-key', value: { text: '{$config.key}' } },
        { name: 'x-a', from: 'x-b' },
      ],
      path: mapping('$config.path'),
      queryParams: mapping('k: $config.k'),
    });
  });

  it('reads a header that is written over several lines as one line', () => {
    const headers = String.raw`{ name: "x-a", value: "one,\n two\r\n" }, { name: "x-b", value: "\n{$config.b}\n" }`;
    const connect = `@connect(http: { GET: "http://a.test", headers: [${headers}] }, selection: "$")`;
    const [connector] = readConnectorsOfSubgraph('s', parse(`${LINK} type Query { a: Int ${connect} }`));
    expect(connector?.http.headers.map((rule) => 'value' in rule && rule.value.parts)).toMatchObject([
      [{ kind: 'text', text: 'one, two' }],
      [{ kind: 'expression', text: '$config.b' }],
    ]);
  });
});

describe('readConnectors', () => {
  it('reads the same from a composed supergraph, for each subgraph', () => {
    const other = `${LINK} type Query { other: Int @connect(http: { GET: "http://other.test" }, selection: "$") }`;
    const { supergraphSdl = '', errors } = composeSubgraphs([
      { name: 'my-shop', url: '', files: [{ path: 'shop.graphql', text: SHOP }] },
      { name: 'other', url: '', files: [{ path: 'other.graphql', text: other }] },
    ]);
    expect(errors).toBeUndefined();
    const connectors = readConnectors(parse(supergraphSdl));
    const shop = summaryOf(connectors.filter(({ subgraph }) => subgraph === 'my-shop'));
    expect([shop[1], shop[2], shop[0]]).toEqual(EXPECTED);
    expect(summaryOf(connectors.filter(({ subgraph }) => subgraph === 'other'))).toMatchObject([{ coordinate: 'Query.other' }]);
  });

  it('returns nothing for a schema that is not a supergraph', () => {
    expect(readConnectors(parse('type Query { a: Int }'))).toEqual([]);
  });
});
