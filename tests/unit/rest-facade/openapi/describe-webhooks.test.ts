import { buildSchema } from 'graphql';
import { describe, expect, it } from '@jest/globals';
import { restSection } from '../../../../rest-facade/config.ts';
import type { OpenApiDocument } from '../../../../rest-facade/openapi/openapi-document.ts';
import { describeRoutes } from '../../../../rest-facade/openapi/describe-routes.ts';
import { toPayload } from '../../../../subgraphs/webhooks/events/payload.ts';
import { messageIssues } from '../../../support/description/message-issues.ts';

const SDL = `
  scalar JSON
  type Query { order: Order }
  type Subscription { changed: Change! moved: [Change!]! counted: Int! found: Found }
  union Found = Order | Line
  type Change { id: ID! note: String extra: JSON! order: Order! lines: [Line!]! tags: [String!]! state: State! }
  type Order { id: ID! note: String! lines: [Line!]! }
  type Line { sku: String! order: Order }
  enum State { OPEN CLOSED }
`;

const NOTE = 'ż'.repeat(10_000);

/** Describes one event. */
function describeEvent(selection: string): OpenApiDocument {
  return describeRoutes(
    {
      routes: [],
      fragments: new Map(),
      schema: buildSchema(SDL),
      challenges: 'Bearer realm="x"',
      settings: restSection.parse({}),
      needsCredentials: () => false,
      webhooks: [{ path: 'webhooks/test.graphql', text: `subscription Told @webhook(event: "shown.so") ${selection}` }],
    },
    { version: 1, isDefault: true, basePath: '' },
  );
}

const event = (data: Readonly<Record<string, unknown>>): string => toPayload({ event: 'shown.so', at: new Date(), data }).body;

describe('the OpenAPI description of webhooks', () => {
  const order = { id: '7', note: NOTE, lines: [] };

  it.each<[string, string, Readonly<Record<string, unknown>>]>([
    [
      'objects and lists',
      '{ changed { id note extra order { id note lines { sku } } lines { sku } tags state } }',
      { changed: { id: '7', note: null, extra: { a: 1 }, order, lines: [{ sku: 'a' }], tags: ['b'], state: 'OPEN' } },
    ],
    [
      'fragments',
      '{ ...Root } fragment Root on Subscription { changed { ...Whole } } fragment Whole on Change { id state order { id note lines { sku } } }',
      { changed: { id: '7', state: 'OPEN', order } },
    ],
    [
      'an object of one of several types',
      '{ found { __typename ... on Order { id note lines { sku } } ... on Line { sku order { id note lines { sku } } } } }',
      { found: { __typename: 'Line', sku: 'a', order } },
    ],
    ['a list in place of an object', '{ moved { id order { id note lines { sku } } } }', { moved: [{ id: '7', order }] }],
    ['aliases', '{ shown: changed { number: id order { id note lines { sku } } } }', { shown: { number: '7', order } }],
  ])('covers the full and the thin message of a document with %s', (_what, selection, long) => {
    const document = describeEvent(selection);
    const short = event(JSON.parse(JSON.stringify(long).replace(NOTE, '')) as Readonly<Record<string, unknown>>);
    expect([short, event(long)].map((body) => [JSON.parse(body).isThin, messageIssues(document, body)])).toEqual([
      [undefined, []],
      [true, []],
    ]);
  });

  it('a thin message requires the remaining fields and omits the rest', () => {
    const document = describeEvent('{ changed { id note state order { id note lines { sku } } tags } }');
    expect(document.components.schemas['ToldEvent']).toMatchObject({
      properties: {
        isThin: { type: 'boolean', const: true },
        data: {
          anyOf: [
            { properties: { changed: { required: ['id', 'state', 'order', 'tags'] } } },
            { properties: { changed: { properties: { id: {}, note: {}, state: {} }, required: ['id', 'state'] } }, required: ['changed'] },
          ],
        },
      },
      required: ['type', 'timestamp', 'data'],
    });
  });

  it('a list in place of an object is null in a thin message', () => {
    const document = describeEvent('{ moved { id } }');
    expect(document.components.schemas['ToldEvent']?.properties?.['data']?.anyOf?.[1]?.properties).toEqual({ moved: { type: 'null' } });
  });

  it('includes the ping and gap messages of the webhooks themselves', () => {
    const document = describeEvent('{ changed { id } }');
    expect(Object.keys(document.webhooks ?? {})).toEqual(['shown.so', 'webhook.ping', 'webhook.gap']);
    const timestamp = new Date().toISOString();
    expect(messageIssues(document, JSON.stringify({ type: 'webhook.ping', timestamp, data: { webhookId: '1' } }))).toEqual([]);
    expect(messageIssues(document, JSON.stringify({ type: 'webhook.gap', timestamp, data: { event: 'shown.so' } }))).toEqual([]);
    expect(messageIssues(document, JSON.stringify({ type: 'webhook.gap', timestamp, data: {} }))).not.toEqual([]);
  });
});
