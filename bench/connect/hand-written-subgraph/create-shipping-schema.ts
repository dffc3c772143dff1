import { readFileSync } from 'node:fs';
import { buildSubgraphSchema } from '@apollo/subgraph';
import DataLoader from 'dataloader';
import { GraphQLScalarType, type GraphQLSchema, parse } from 'graphql';
import { ConsignmentsApi } from './consignments-api.ts';
import type { HandWrittenShipment } from './read-consignments.ts';

/** Context of one GraphQL request. */
export interface ShippingContext {
  readonly shipments: DataLoader<string, HandWrittenShipment | null>;
}

/** Creates the context of one request. All orders of the request are fetched with one call. */
export function createShippingContext(backEndUrl: string, correlationId: string): ShippingContext {
  const api = new ConsignmentsApi(backEndUrl, correlationId);
  return {
    shipments: new DataLoader(async (orderIds) => {
      const found = await api.shipmentsOf(orderIds);
      return orderIds.map((id) => found.get(id) ?? null);
    }),
  };
}

/** Creates the schema of the subgraph, as a team writes it without connectors. */
export function createShippingSchema(): GraphQLSchema {
  const typeDefs = parse(readFileSync(new URL('shipping.graphql', import.meta.url), 'utf8'));
  return buildSubgraphSchema({
    typeDefs,
    resolvers: {
      DateTime: new GraphQLScalarType<Date, string>({ name: 'DateTime', serialize: (value) => (value as Date).toISOString() }),
      Order: {
        // The builder accepts resolvers of an unknown context only.
        shipment: async ({ id }: { readonly id: string }, _args: unknown, context) => (context as ShippingContext).shipments.load(id),
      },
    },
  });
}
