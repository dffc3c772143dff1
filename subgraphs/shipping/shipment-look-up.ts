import type { GraphQLError } from 'graphql';
import { clientError } from '../kit/client-error.ts';
import type { RequestContext } from '../kit/request-context.ts';
import type { Fetcher } from './deadline-fetch.ts';
import { LegacyShippingApi } from './legacy-shipping-api.ts';
import type { Shipment } from './shipment.ts';

/** Address and client of the legacy back end. */
export interface LegacyBackendAccess {
  readonly baseUrl: string;
  readonly fetch: Fetcher;
}

/** Matches order numbers that the back end supports. It would reject the whole list because of a single other number. */
const LEGACY_ORDER_ID = /^[1-9]\d{0,9}$/;

/**
 * Returns the shipment of an order; null before it is handed over. All orders of one request are fetched with one call.
 *
 * @throws GraphQLError `SUBGRAPH_UNAVAILABLE`, `SUBGRAPH_TIMEOUT` or `SUBGRAPH_INVALID_RESPONSE`
 */
export async function lookUpShipment(access: LegacyBackendAccess, context: RequestContext, orderId: string): Promise<Shipment | null> {
  return context.loaders.loadShaped<Shipment | null>(access, 'shipments', orderId, () => ({
    load: async (orderIds) => {
      const shipments = await readShipmentsOf(access, context, orderIds);
      return orderIds.map((id) => shipments.get(id) ?? null);
    },
  }));
}

async function readShipmentsOf(
  { baseUrl, fetch }: LegacyBackendAccess,
  { correlationId, log }: RequestContext,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, Shipment>> {
  const api = new LegacyShippingApi({ baseUrl, fetch, correlationId });
  try {
    return await api.shipmentsOf(orderIds.filter((id) => LEGACY_ORDER_ID.test(id)));
  } catch (error) {
    log.warn({ err: error, correlationId }, 'The shipping back end did not return a valid response.');
    throw toGraphqlError(error);
  }
}

const UNUSABLE_RESPONSES: ReadonlySet<unknown> = new Set(['UnreadableShipment', 'BackendResponseRejected', 'SyntaxError']);

/** Converts an error. Messages and address of the back end are not exposed. */
function toGraphqlError(error: unknown): GraphQLError {
  // The class is identified by name, because errors of Node's `fetch` may belong to another realm.
  const name = typeof error === 'object' && error !== null && 'name' in error ? error.name : undefined;
  if (UNUSABLE_RESPONSES.has(name)) return clientError('SUBGRAPH_INVALID_RESPONSE', 'The shipping service returned an invalid response.');
  if (name === 'TimeoutError') return clientError('SUBGRAPH_TIMEOUT', 'The shipping service did not respond in time.');
  return clientError('SUBGRAPH_UNAVAILABLE', 'The shipping service is not available at the moment. Try again shortly.');
}
