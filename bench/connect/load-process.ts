import { readFileSync } from 'node:fs';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { graphql, type GraphQLSchema, parse } from 'graphql';
import { measureSlice, type Slice, type SliceCommand } from '../load/measure-slice.ts';
import { startRecordedBackEnd } from '../load/recorded-back-end.ts';
import { createShippingContext, createShippingSchema } from './hand-written-subgraph/create-shipping-schema.ts';
import { ordersOf, shipmentsOf } from './recorded-data.ts';

// Runs the clients and all back ends in one process, so that the CPU time of these is not measured.

/** Origins of the back ends. */
export interface BackEnds {
  /** Subgraph with the orders. */
  readonly orders: string;
  /** REST service with the shipments. */
  readonly legacy: string;
  /** Subgraph that returns recorded shipments. */
  readonly shipping: string;
}

/** Slice with the requests that the gateway sent meanwhile. */
export interface ConnectSlice extends Slice {
  readonly fetches: Readonly<Record<keyof BackEnds, number>>;
}

export type ConnectReport = { readonly backEnds: BackEnds } | ConnectSlice;

const ordersSchema = buildSubgraphSchema({
  typeDefs: parse(readFileSync(new URL('orders.graphql', import.meta.url), 'utf8')),
  resolvers: { Query: { orders: (_root: unknown, { userId }: { readonly userId: string }) => ordersOf(userId) } },
});
const shippingSchema = createShippingSchema();

async function executeBody(schema: GraphQLSchema, body: string, contextValue?: object): Promise<string> {
  const { query, variables } = JSON.parse(body) as { query: string; variables?: Record<string, unknown> };
  const result = await graphql({ schema, source: query, variableValues: variables, contextValue });
  if (result.errors !== undefined) throw new Error(`A back end cannot execute ${body}: ${result.errors.map(String).join('; ')}`);
  return JSON.stringify(result);
}

const orders = await startRecordedBackEnd(async ({ body }) => executeBody(ordersSchema, body));
const legacy = await startRecordedBackEnd(async ({ target }) => {
  const ids = new URL(target, 'http://legacy').searchParams.get('order_ids');
  return JSON.stringify(shipmentsOf(ids?.split(',') ?? []));
});
const shipping = await startRecordedBackEnd(async ({ body }) =>
  executeBody(shippingSchema, body, createShippingContext(legacy.origin, 'recording')),
);

function countFetches(): ConnectSlice['fetches'] {
  return { orders: orders.requests, legacy: legacy.requests, shipping: shipping.requests };
}

async function measure(command: SliceCommand): Promise<ConnectSlice> {
  const before = countFetches();
  const slice = await measureSlice(command);
  const after = countFetches();
  const fetches = {
    orders: after.orders - before.orders,
    legacy: after.legacy - before.legacy,
    shipping: after.shipping - before.shipping,
  };
  return { ...slice, fetches };
}

process.on('message', (command: SliceCommand) => {
  void measure(command).then((slice) => process.send?.(slice));
});
process.on('disconnect', () => process.exit());
process.send?.({ backEnds: { orders: orders.origin, legacy: legacy.origin, shipping: shipping.origin } } satisfies ConnectReport);
