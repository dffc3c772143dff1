import { describe, expect, it } from '@jest/globals';
import { createFederation } from './in-process-federation.ts';

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable", "@interfaceObject", "@external", "@requires"])';

describe('point 25: keys of __typename', () => {
  const catalog = createFederation({
    products: {
      sdl: `${LINK}
        type Query { entry: Entry list: [Entry] nothing: Entry }
        type Entry @key(fields: "__typename") { sku: String! }`,
      root: { entry: { sku: 'A' }, list: [{ sku: 'A' }, null, { sku: 'B' }], nothing: null },
    },
    reviews: {
      sdl: `${LINK}
        type Entry @key(fields: "__typename") { rating: Int! next: Entry }`,
      resolvers: { Entry: { __resolveReference: () => ({ rating: 5, next: { rating: 5 } }) } },
    },
  });

  it.each([
    ['{ entry { sku rating } }', { entry: { sku: 'A', rating: 5 } }],
    ['{ entry { rating } }', { entry: { rating: 5 } }],
    ['{ list { sku rating } }', { list: [{ sku: 'A', rating: 5 }, null, { sku: 'B', rating: 5 }] }],
    ['{ nothing { rating } }', { nothing: null }],
    ['{ entry { next { sku: rating } } }', { entry: { next: { sku: 5 } } }],
    ['{ one: entry { rating } other: entry { rating } }', { one: { rating: 5 }, other: { rating: 5 } }],
  ])('%s returns the field of the second subgraph', async (text, data) => {
    const response = await catalog.request(text);
    expect([response.data, response.errors]).toEqual([data, []]);
  });

  it('sends no request to the second subgraph if the object is null', async () => {
    const { requests } = await catalog.request('{ nothing { rating } }');
    expect(requests.map(({ subgraph }) => subgraph)).toEqual(['products']);
  });

  it('returns a deferred field of the second subgraph later', async () => {
    const { data, parts } = await catalog.requestInMultipart('{ entry { sku ... @defer { rating } } }');
    expect(data).toEqual({ entry: { sku: 'A' } });
    expect(parts.flat().map((part) => part.data)).toEqual([{ rating: 5 }]);
  });
});
