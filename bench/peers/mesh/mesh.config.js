import { defineConfig, loadGraphQLHTTPSubgraph } from '@graphql-mesh/compose-cli';
import { loadJSONSchemaSubgraph } from '@omnigraph/json-schema';

// Composes the subgraph with the orders and the REST service with the shipments. The types of the response are derived from a sample.

const { ORDERS_URL, LEGACY_URL, ORDERS_SDL_FILE, SAMPLE_FILE } = process.env;
/** @type {any} */
const shipments = {
  type: 'Query',
  field: 'shipments',
  method: 'GET',
  path: '/api/shipments?order_ids={args.order_ids}',
  argTypeMap: { order_ids: { type: 'string' } },
  responseSample: SAMPLE_FILE,
  responseTypeName: 'Shipments',
};

export const composeConfig = defineConfig({
  subgraphs: [
    { sourceHandler: loadGraphQLHTTPSubgraph('orders', { endpoint: ORDERS_URL, source: ORDERS_SDL_FILE }) },
    { sourceHandler: loadJSONSchemaSubgraph('shipping', { endpoint: LEGACY_URL, operations: [shipments] }) },
  ],
  additionalTypeDefs: `
    scalar DateTime
    extend type Order { shipment: Shipment }
    type Shipment {
      carrier: String!
      trackingNumber: String!
      status: ShipmentStatus!
      weightGrams: Int!
      estimatedDelivery: DateTime
      events: [ShipmentEvent!]!
    }
    type ShipmentEvent { at: DateTime! place: String! description: String! }
    enum ShipmentStatus { LABEL_CREATED IN_TRANSIT DELIVERED RETURNED }
  `,
});
