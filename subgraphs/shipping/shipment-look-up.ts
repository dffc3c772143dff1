import type { GraphQLError } from 'graphql';
import { refusal } from '../kit/refusal.ts';
import type { RequestContext } from '../kit/request-context.ts';
import type { Fetcher } from './deadline-fetch.ts';
import { LegacyShippingApi } from './legacy-shipping-api.ts';
import type { Shipment } from './shipment.ts';

/** How to reach the legacy backend. */
export interface LegacyBackendAccess {
  readonly baseUrl: string;
  readonly fetch: Fetcher;
}

/** Order numbers that the backend knows how to read; one that it does not would make it refuse the whole list. */
const LEGACY_ORDER_ID = /^[1-9]\d{0,9}$/;

/**
 * The shipment of an order, null before it is handed over. All orders that one request asks for become one call.
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
    log.warn({ err: error, correlationId }, 'the shipping backend did not answer as it should');
    throw toRefusal(error);
  }
}

const UNUSABLE_ANSWERS: ReadonlySet<unknown> = new Set(['UnreadableShipment', 'BackendAnswerRefused', 'SyntaxError']);

/** The backend's words and address stay inside. */
function toRefusal(error: unknown): GraphQLError {
  // By name: what Node's fetch throws need not be an instance of this realm's classes.
  const name = typeof error === 'object' && error !== null && 'name' in error ? error.name : undefined;
  if (UNUSABLE_ANSWERS.has(name)) return refusal('SUBGRAPH_INVALID_RESPONSE', 'The shipping service gave an answer that cannot be used.');
  if (name === 'TimeoutError') return refusal('SUBGRAPH_TIMEOUT', 'The shipping service took too long to answer.');
  return refusal('SUBGRAPH_UNAVAILABLE', 'The shipping service is not available at the moment. Try again shortly.');
}
