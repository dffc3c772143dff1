import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../../gateway/platform/package-root.ts';
import { loadSupergraph } from '../../../../gateway/supergraph/load-supergraph.ts';
import { createOwnersOf } from '../../../../gateway/supergraph/owners-of.ts';
import { compileRoutes, readRestDocuments } from '../../../../rest-facade/index.ts';
import type { Stack } from '../../../support/stack/shared-stack.ts';

const { schema, graph } = loadSupergraph(readFileSync(join(packageRoot, 'schema/supergraph.graphql'), 'utf8'));

/** Every route of the reference documents, as the facade compiles them. A new document is tested automatically. */
const compiled = compileRoutes(readRestDocuments(join(packageRoot, 'schema/rest')), schema, createOwnersOf(graph));

/** Routes without event streams. Streams have separate tests because their responses do not end. */
export const routes = compiled.routes.filter(({ isStream }) => !isStream);

export type ReferenceRoute = (typeof routes)[number];

/** Pairs each route with a title for its tests. */
export const titled = (chosen: readonly ReferenceRoute[]): readonly (readonly [title: string, route: ReferenceRoute])[] =>
  chosen.map((route) => [`${route.method} ${pathOf(route)} of version ${String(route.lifespan.since)}`, route]);

export const parametersOf = ({ template }: ReferenceRoute): readonly string[] =>
  template.flatMap((segment) => ('parameter' in segment ? [segment.parameter] : []));

/** Returns the path of a route in its first version, with values for its parameters. */
export function pathOf({ template, lifespan }: ReferenceRoute, values: Readonly<Record<string, string | number>> = {}): string {
  const segments = template.map((segment) =>
    'literal' in segment ? segment.literal : String(values[segment.parameter] ?? `{${segment.parameter}}`),
  );
  return `${lifespan.since === 1 ? '' : `/v${String(lifespan.since)}`}/${segments.join('/')}`;
}

/** Returns parameter values of an object that does not exist. */
export const nowhere = (route: ReferenceRoute) => Object.fromEntries(parametersOf(route).map((name) => [name, 999_999_999]));

/** Webhook address on which no server listens. */
const WEBHOOK_URL = 'http://127.0.0.1:9/in';

type Maker = (stack: Stack) => Promise<number>;

/** Creates a separate object for each path parameter. The administrator may read and change it. */
export const makers: Readonly<Record<string, Maker>> = {
  user_id: async ({ newUser }) => (await newUser()).id,
  order_id: async ({ newUser, newOrder }) => newOrder(await newUser()),
  book_id: (stack) => create(stack, '/books', { title: 'A title', author: 'An author', price: 7 }),
  post_id: (stack) => create(stack, '/posts', { title: 'A title', body: 'Some words.' }),
  payment_id: (stack) => create(stack, '/payments', { amount: 5, currency: 'EUR' }),
  webhook_id: async (stack) => create(stack, '/webhooks', { url: WEBHOOK_URL, events: ['order.created'] }, (await stack.newUser()).token),
};

async function create({ http, tokens }: Stack, path: string, json: object, token = tokens.admin): Promise<number> {
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const response = await http.post<{ readonly id: number }>(path, json, { token, headers });
  if (response.status !== 201) throw new Error(`POST ${path} created no resource: ${String(response.status)} ${response.text}`);
  return response.body.id;
}

/** Returns the path of a route to new objects that a test may change. */
export async function freshPath(route: ReferenceRoute, stack: Stack): Promise<string> {
  const values: Record<string, number> = {};
  for (const name of parametersOf(route)) values[name] = (await makers[name]?.(stack)) ?? 0;
  return pathOf(route, values);
}

const shared = new Map<string, Promise<number>>();

/** Returns the path of a route to objects that several tests read. */
export async function sharedPath(route: ReferenceRoute, stack: Stack): Promise<string> {
  const values: Record<string, number> = {};
  for (const name of parametersOf(route)) {
    const made = shared.get(name) ?? makers[name]?.(stack) ?? Promise.resolve(0);
    shared.set(name, made);
    values[name] = await made;
  }
  return pathOf(route, values);
}

/** Bodies of the writes that compare versions. Each turn has different content. */
export const bodies: Readonly<Record<string, (turn: number) => object>> = {
  UpdateUser: (turn) => ({ name: `Name ${String(turn)}` }),
  UpdateOrder: (turn) => ({ qty: turn + 3 }),
  UpdateOrderV2: (turn) => ({ quantity: turn + 3 }),
  ReplaceOrder: (turn) => ({ productId: 1, qty: turn + 3 }),
  ReplaceOrderV2: (turn) => ({ productId: 1, quantity: turn + 3 }),
  UpdateBook: (turn) => ({ price: turn + 8 }),
  ReplaceBook: (turn) => ({ title: 'Another', author: 'An author', price: turn + 8 }),
  UpdateWebhook: (turn) => ({ url: `${WEBHOOK_URL}/${String(turn)}` }),
};
