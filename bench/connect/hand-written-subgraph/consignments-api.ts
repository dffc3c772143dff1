import { RESTDataSource, type DataSourceConfig } from '@apollo/datasource-rest';
import { type HandWrittenShipment, readConsignments } from './read-consignments.ts';

type Fetch = NonNullable<DataSourceConfig['fetch']>;

/** Timeout of a call, including the body. @unit milliseconds */
const TIMEOUT_MS = 3_000;
/** Maximum size of a response. @unit bytes */
const MAX_BYTES = 1_048_576;

/** Client of the back end for one GraphQL request. */
export class ConsignmentsApi extends RESTDataSource {
  override readonly baseURL: string;
  readonly #correlationId: string;

  constructor(baseUrl: string, correlationId: string) {
    super({ fetch: fetchWithLimits });
    this.baseURL = baseUrl;
    this.#correlationId = correlationId;
  }

  override willSendRequest(_path: string, request: { headers: Record<string, string> }): void {
    request.headers['x-correlation-id'] = this.#correlationId;
  }

  /** Returns shipments by order, with one call. */
  async shipmentsOf(orderIds: readonly string[]): Promise<ReadonlyMap<string, HandWrittenShipment>> {
    return readConsignments(await this.get<unknown>('api/shipments', { params: { order_ids: orderIds.join(',') } }));
  }
}

/** Fetches with a timeout and a limit of the size, and follows no redirects. */
const fetchWithLimits: Fetch = async (url, init) => {
  const response = await fetch(url, {
    method: init?.method ?? 'GET',
    headers: init?.headers ?? {},
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw new Error(`The response of the back end has more than ${MAX_BYTES} bytes.`);
    chunks.push(chunk);
  }
  const { status, statusText, headers } = response;
  return new Response(Buffer.concat(chunks), { status, statusText, headers });
};
