import { type IncomingMessage, type RequestListener, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ConsignmentStore } from './consignment-store.ts';
import { toShipmentJson } from './shipment-json.ts';

export interface LegacyBackendOptions {
  readonly store: ConsignmentStore;
  /** Port on the loopback interface; 0 selects a free one. @defaultValue 0 */
  readonly port?: number;
  /** Called with internal errors; the client receives only error 99. */
  readonly onFailure?: (error: unknown) => void;
}

export interface LegacyBackend extends AsyncDisposable {
  readonly url: string;
}

/** Maximum number of orders in one call, and maximum size of a booking. */
const MAX_ORDER_IDS = 500;
const MAX_BODY_BYTES = 4_096;

const ORDER_ID = /^[1-9]\d{0,9}$/;
const LEGACY_TIME = /^(\d{2})\.(\d{2})\.(\d{4}) (\d{2}:\d{2}:\d{2})$/;

interface LegacyResponse {
  readonly status: number;
  readonly body: object;
}

/** Starts the shipping system that existed before the graph: JSON over HTTP in a custom format. */
export async function createLegacyBackend({ store, port = 0, onFailure = () => {} }: LegacyBackendOptions): Promise<LegacyBackend> {
  const server = createServer(createLegacyHandler(store, onFailure));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  const { port: boundPort } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${boundPort}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function createLegacyHandler(store: ConsignmentStore, onFailure: (error: unknown) => void): RequestListener {
  return (request, response) => {
    respond(store, request).then(
      (httpResponse) => send(response, httpResponse),
      (error: unknown) => {
        onFailure(error);
        send(response, legacyError(500, '99', 'INTERNAL'));
      },
    );
  };
}

async function respond(store: ConsignmentStore, request: IncomingMessage): Promise<LegacyResponse> {
  const [path = '', query = ''] = (request.url ?? '').split('?');
  if (path === '/api/shipments' && request.method === 'GET') return listShipments(store, new URLSearchParams(query).get('order_ids'));
  if (path === '/api/shipments' && request.method === 'POST') return bookShipment(store, await readBody(request));
  const one = /^\/api\/shipments\/([^/]+)$/.exec(path)?.[1];
  if (one !== undefined && request.method === 'GET') return showShipment(store, one);
  return legacyError(404, '3', 'NO SUCH FUNCTION');
}

async function listShipments(store: ConsignmentStore, orderIds: string | null): Promise<LegacyResponse> {
  const ids = orderIds?.split(',') ?? [];
  if (ids.length === 0 || ids.length > MAX_ORDER_IDS || !ids.every((id) => ORDER_ID.test(id))) return legacyError(400, '12', 'ORDER_IDS?');
  const found = await store.find(ids.map(Number));
  return { status: 200, body: { result: 'OK', rows: String(found.length), shipments: found.map(toShipmentJson) } };
}

async function showShipment(store: ConsignmentStore, orderId: string): Promise<LegacyResponse> {
  const [found] = ORDER_ID.test(orderId) ? await store.find([Number(orderId)]) : [];
  return found
    ? { status: 200, body: { result: 'OK', rows: '1', shipments: [toShipmentJson(found)] } }
    : legacyError(404, '17', 'SHIPMENT UNKNOWN');
}

async function bookShipment(store: ConsignmentStore, text: string | undefined): Promise<LegacyResponse> {
  const { order_id: orderId, pieces, handed_over: handedOver } = readFields(text);
  const time = LEGACY_TIME.exec(handedOver ?? '');
  const handedOverAt = new Date(time ? `${time[3]}-${time[2]}-${time[1]}T${time[4]}Z` : Number.NaN);
  if (!ORDER_ID.test(orderId ?? '') || !/^[1-9]\d{0,3}$/.test(pieces ?? '') || Number.isNaN(handedOverAt.getTime())) {
    return legacyError(400, '21', 'BOOKING INCOMPLETE');
  }
  const isNew = await store.add({ orderId: Number(orderId), pieces: Number(pieces), state: 10, handedOverAt });
  return { status: isNew ? 201 : 200, body: { result: 'OK', rows: isNew ? '1' : '0' } };
}

/** Returns the string members of a JSON object. Other members are ignored. */
function readFields(text: string | undefined): Readonly<Partial<Record<string, string>>> {
  try {
    const parsed: unknown = JSON.parse(text ?? '');
    return Object.fromEntries(Object.entries(Object(parsed)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch {
    return {};
  }
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk); // the rest is read and discarded, because stopping early would close the connection before the response
  }
  return size <= MAX_BODY_BYTES ? Buffer.concat(chunks).toString('utf8') : undefined;
}

function legacyError(status: number, number: string, text: string): LegacyResponse {
  return { status, body: { result: 'ERR', err_no: number, err_txt: text } };
}

function send(response: ServerResponse, { status, body }: LegacyResponse): void {
  if (response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text);
}
