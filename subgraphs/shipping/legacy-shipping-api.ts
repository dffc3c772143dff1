import { RESTDataSource } from '@apollo/datasource-rest';
import type { Fetcher } from './deadline-fetch.ts';
import { toLegacyTime } from './legacy-time.ts';
import { readShipments } from './read-shipments.ts';
import type { Shipment } from './shipment.ts';

/** The backend refuses longer lists. */
const MAX_ORDER_IDS_PER_CALL = 500;

export interface LegacyShippingApiOptions {
  /** Address of the backend, without a path. */
  readonly baseUrl: string;
  readonly fetch: Fetcher;
  readonly correlationId: string;
}

/** An order on its way to the carrier. */
export interface Parcel {
  readonly orderId: string;
  readonly pieces: number;
  readonly handedOverAt: Date;
}

/** The calls to the legacy shipping backend that one GraphQL request makes. */
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
   * Shipments by order id; orders that were not handed over are absent. One call for up to 500 orders.
   *
   * @throws UnreadableShipment, or what the fetch throws.
   */
  async shipmentsOf(orderIds: readonly string[]): Promise<ReadonlyMap<string, Shipment>> {
    const pages = Array.from({ length: Math.ceil(orderIds.length / MAX_ORDER_IDS_PER_CALL) }, (_, page) =>
      orderIds.slice(page * MAX_ORDER_IDS_PER_CALL, (page + 1) * MAX_ORDER_IDS_PER_CALL),
    );
    const answers = await Promise.all(pages.map((ids) => this.get<unknown>('api/shipments', { params: { order_ids: ids.join(',') } })));
    return new Map(answers.flatMap((answer) => Array.from(readShipments(answer))));
  }

  /** Hands an order over; handing it over again changes nothing. @throws what the fetch throws, or GraphQLError for a refusal */
  async book({ orderId, pieces, handedOverAt }: Parcel): Promise<void> {
    await this.post('api/shipments', { body: { order_id: orderId, pieces: String(pieces), handed_over: toLegacyTime(handedOverAt) } });
  }
}
