import { describe, expect, it } from '@jest/globals';
import { findUnsupported } from '../../../cli/apollo-engine/unsupported-settings.ts';
import { loadSupergraph } from '../../../gateway/supergraph/load-supergraph.ts';
import { apolloConfig, composedOf, serve, startTestApolloEngine } from '../../fixtures/apollo-engine.ts';
import { signToken } from '../../support/identity/tokens.ts';

const KEY = 'k'.repeat(64);

const LINKS = `
  extend schema
    @link(url: "https://specs.apollo.dev/federation/v2.12", import: ["@key", "@external", "@requires", "@composeDirective"])
    @link(url: "https://specs.apollo.dev/connect/v0.3", import: ["@connect", "@source"])
    @link(url: "https://gatefold.dev/auth/v1.0", import: ["@auth"])
    @composeDirective(name: "@auth")
    @source(name: "api", http: { baseURL: "http://back-end.test" })
  enum Role { USER ADMIN }
  directive @auth(requires: Role!, orOwner: String) on FIELD_DEFINITION | OBJECT
`;

const ORDERS = `${LINKS}
  type Query {
    orders: [Order] @connect(source: "api", http: { GET: "/orders" }, selection: "id userId")
    order(id: ID!): Order @connect(source: "api", http: { GET: "/orders/{$args.id}" }, selection: "id userId", entity: true)
  }
  type Order @key(fields: "id") { id: ID! userId: ID }
`;

const PARCELS = `${LINKS}
  type Order @key(fields: "id")
    @connect(source: "api", http: { GET: "/parcels?of={$batch.id->joinNotNull(',')}" }, selection: "id parcel") {
    id: ID!
    userId: ID @external
    parcel: String @requires(fields: "userId") @auth(requires: ADMIN, orOwner: "userId")
  }
`;

const ENGINE = { rules: 'subgraphs' } as const;

describe('connectors with the engine "apollo"', () => {
  it('enforces the rules of entities, and requests nothing that belongs to others', async () => {
    const requested: string[] = [];
    await using backEnd = await serve((request, response) => {
      const { url = '' } = request;
      const order = (id: number) => ({ id, userId: String(id % 2) });
      if (url.startsWith('/parcels')) requested.push(url);
      const body = url.startsWith('/orders/')
        ? order(Number(url.slice('/orders/'.length)))
        : [1, 2, 3].map((id) => (url === '/orders' ? order(id) : { id, parcel: `p${id}` }));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    const source = { sources: { api: { baseUrl: backEnd.url } } };
    await using engine = await startTestApolloEngine({
      engine: ENGINE,
      config: {
        profile: 'dev',
        supergraph: { sdl: composedOf({ orders: { sdl: ORDERS, url: '' }, parcels: { sdl: PARCELS, url: '' } }) },
        connectors: { subgraphs: { orders: source, parcels: source } },
        identity: { secret: KEY },
        auth: { developmentKey: KEY },
      },
    });
    const query = async (token?: string): Promise<unknown> => {
      const response = await fetch(`${engine.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
        body: JSON.stringify({ query: '{ orders { id parcel } }' }),
      });
      return response.json();
    };
    const denied = (index: number, code: string) => ({ path: ['orders', index, 'parcel'], extensions: { code } });
    expect(await query(signToken({ sub: '1' }, { key: KEY }))).toMatchObject({
      data: {
        orders: [
          { id: '1', parcel: 'p1' },
          { id: '2', parcel: null },
          { id: '3', parcel: 'p3' },
        ],
      },
      errors: [denied(1, 'FORBIDDEN')],
    });
    expect(await query()).toMatchObject({
      data: { orders: [{ parcel: null }, { parcel: null }, { parcel: null }] },
      errors: [0, 1, 2].map((index) => denied(index, 'UNAUTHENTICATED')),
    });
    expect(requested).toEqual(['/parcels?of=1%2C3']);
  });

  it.each([
    ['a root field', ORDERS.replace('"id userId")', '"id userId") @auth(requires: USER)'), 'Query.orders'],
    ['a field of a nested object', ORDERS.replace('userId: ID }', 'userId: ID @auth(requires: ADMIN) }'), 'Order.userId'],
  ])('does not start with a rule of %s', (_what, sdl, coordinate) => {
    const supergraph = composedOf({ orders: { sdl, url: '' } });
    const config = apolloConfig({ engine: ENGINE, config: { supergraph: { sdl: supergraph }, identity: { secret: KEY } } });
    expect(findUnsupported(config, loadSupergraph(supergraph))).toEqual([
      expect.stringContaining(`Rules of fields that connectors resolve are not enforced (${coordinate})`),
    ]);
  });
});
