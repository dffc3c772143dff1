import { RESTDataSource } from '@apollo/datasource-rest';
import type { Fetcher } from './deadline-fetch.ts';
import { toLegacyTime } from './legacy-time.ts';
import { readShipments } from './read-shipments.ts';
import type { Shipment } from './shipment.ts';

/** Maximum length of a list that the back end accepts. */
const MAX_ORDER_IDS_PER_CALL = 500;

export interface LegacyShippingApiOptions {
  /** Address of the backend, without a path. */
  readonly baseUrl: string;
  readonly fetch: Fetcher;
  readonly correlationId: string;
}

/** An order that is handed over to the carrier. */
export interface Parcel {
  readonly orderId: string;
  readonly pieces: number;
  readonly handedOverAt: Date;
}

/** Client of the legacy shipping back end for one GraphQL request. */
export class LegacyShippingApi extends RESTDataSource {
  override readonly baseURL: string;
  readonly #correlationId: string;

  constructor({ baseUrl, fetch, correlationId }: LegacyShippingApiOptions) {
    super({ fetch });
    this.baseURL = baseUrl;
    this.#correlationId = correlationId;
  }

  override willSendRequest(_path: string, request: { headers: Record<string, string> }): void {
    request.headers['x-correlation-id'] = this.#correlationId;
  }

  /**
   * Returns shipments by order id; orders that were not handed over are absent. It makes one call per 500 orders.
   *
   * @throws UnreadableShipment, and the errors of `fetch`
   */
  async shipmentsOf(orderIds: readonly string[]): Promise<ReadonlyMap<string, Shipment>> {
    const pages = Array.from({ length: Math.ceil(orderIds.length / MAX_ORDER_IDS_PER_CALL) }, (_, page) =>
      orderIds.slice(page * MAX_ORDER_IDS_PER_CALL, (page + 1) * MAX_ORDER_IDS_PER_CALL),
    );
    const responses = await Promise.all(pages.map((ids) => this.get<unknown>('api/shipments', { params: { order_ids: ids.join(',') } })));
    return new Map(responses.flatMap((response) => Array.from(readShipments(response))));
  }

  /**
   * Hands an order over. Handing it over again changes nothing.
   *
   * @throws the errors of `fetch`, or GraphQLError when the back end rejects it
   */
  async book({ orderId, pieces, handedOverAt }: Parcel): Promise<void> {
    await this.post('api/shipments', { body: { order_id: orderId, pieces: String(pieces), handed_over: toLegacyTime(handedOverAt) } });
  }
}
