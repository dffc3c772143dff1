import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../../../../gateway/platform/package-root.ts';
import { loadSupergraph } from '../../../../../gateway/supergraph/load-supergraph.ts';
import { compileRoutes, readRestDocuments } from '../../../../../rest-facade/index.ts';
import { routesIn } from '../../../../../rest-facade/compile/endpoint/versions.ts';

const { schema } = loadSupergraph(readFileSync(join(packageRoot, 'schema/supergraph.graphql'), 'utf8'));
const { routes, problems } = compileRoutes(readRestDocuments(join(packageRoot, 'schema/rest')), schema);

const pathOf = (route: (typeof routes)[number]): string =>
  route.template.map((segment) => ('literal' in segment ? `/${segment.literal}` : `/{${segment.parameter}}`)).join('');

describe('the REST documents of the reference graph', () => {
  it('compile against the composed supergraph without a mistake', () => {
    expect(problems).toEqual([]);
  });

  it.each([1, 2])('have a route in version %d for every row of the endpoint table of the specification', (version) => {
    expect(
      routesIn(routes, version)
        .map((route) => `${route.method} ${pathOf(route)} ${route.status}`)
        .sort(),
    ).toEqual([
      'DELETE /books/{book_id} 204',
      'DELETE /orders/{order_id} 204',
      'DELETE /webhooks/{webhook_id} 204',
      'GET /books 200',
      'GET /books/{book_id} 200',
      'GET /orders 200',
      'GET /orders/{order_id} 200',
      'GET /orders/{order_id}/events 200',
      'GET /payments/{payment_id} 200',
      'GET /posts 200',
      'GET /posts/{post_id} 200',
      'GET /users 200',
      'GET /users/{user_id} 200',
      'GET /users/{user_id}/orders 200',
      'GET /webhooks 200',
      'GET /webhooks/{webhook_id} 200',
      'GET /webhooks/{webhook_id}/deliveries 200',
      'PATCH /books/{book_id} 200',
      'PATCH /orders/{order_id} 200',
      'PATCH /users/{user_id} 200',
      'PATCH /webhooks/{webhook_id} 200',
      'POST /books 201',
      'POST /orders 201',
      'POST /payments 201',
      'POST /posts 201',
      'POST /users 201',
      'POST /webhooks 201',
      'POST /webhooks/{webhook_id}/deliveries 202',
      'POST /webhooks/{webhook_id}/secrets 201',
      'PUT /books/{book_id} 200',
      'PUT /orders/{order_id} 200',
    ]);
  });

  it.each([
    ['GetUser', ['id', 'name', 'email', 'createdAt']],
    ['GetOrder', ['id', 'status', 'productId', 'qty', 'userId', 'total', 'createdAt']],
    ['GetOrderV2', ['id', 'status', 'productId', 'quantity', 'userId', 'total', 'createdAt']],
    ['GetBook', ['id', 'title', 'author', 'price', 'inStock']],
  ])('%s returns the fields of the specification in their order', (operationName, fields) => {
    const route = routes.find((candidate) => candidate.operationName === operationName);
    expect([...(route?.result.shape.keys() ?? [])]).toEqual(fields);
  });
});
