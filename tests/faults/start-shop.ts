import { createGateway, type Gateway, type GatewayConfigInput } from '../../gateway/index.ts';
import { silentLogger } from '../../gateway/platform/logger.ts';
import type { Clock } from '../../gateway/platform/clock.ts';
import { forFewCallers } from '../fixtures/few-callers.ts';
import { shopSupergraph } from './shop-subgraphs.ts';
import { startSubgraphServer, type SubgraphServer } from './subgraph-server.ts';

/** Response that a client reads. */
export interface ShopResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors: readonly ShopError[];
  readonly codes: readonly (string | undefined)[];
}

export interface ShopError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: { readonly code?: string };
}

/** A gateway in front of the three subgraphs. The stock is the one that fails. */
export interface Shop extends AsyncDisposable {
  readonly gateway: Gateway;
  readonly url: string;
  readonly catalogue: SubgraphServer;
  readonly prices: SubgraphServer;
  readonly stock: SubgraphServer;
  /** Sends an operation over HTTP. */
  request(
    query: string,
    options?: { readonly signal?: AbortSignal; readonly headers?: Readonly<Record<string, string>> },
  ): Promise<ShopResponse>;
}

export interface ShopOptions {
  readonly subgraphs?: GatewayConfigInput['subgraphs'];
  readonly graphql?: GatewayConfigInput['graphql'];
  /** Settings of the stock only, for deadlines that the other subgraphs cannot meet on a busy machine. */
  readonly stockSettings?: NonNullable<NonNullable<GatewayConfigInput['subgraphs']>['override']>[string];
  /** Address that replaces the stock. */
  readonly stockUrl?: string;
  readonly clock?: Clock;
}

/** Reads one field of every product from each of the three subgraphs. */
export const ALL_THREE = '{ products { id name price count } }';

/** Data when all subgraphs respond correctly. */
export const ALL_WELL = {
  products: [
    { id: '1', name: 'lamp', price: 100, count: 10 },
    { id: '2', name: 'desk', price: 200, count: 20 },
    { id: '3', name: 'chair', price: 300, count: 30 },
  ],
};

/** Starts the three subgraphs and the gateway, on free ports. */
export async function startShop({ subgraphs = {}, graphql = {}, stockSettings, stockUrl, clock }: ShopOptions = {}): Promise<Shop> {
  const [catalogue, prices, stock] = await Promise.all([
    startSubgraphServer('catalogue'),
    startSubgraphServer('prices'),
    startSubgraphServer('stock'),
  ]);
  const override = {
    catalogue: { url: catalogue.url },
    prices: { url: prices.url },
    stock: { ...stockSettings, url: stockUrl ?? stock.url },
  };
  const gateway = await createGateway(
    {
      profile: 'dev',
      server: { port: 0, internalPort: 0, drainTimeoutMs: 500 },
      supergraph: { sdl: shopSupergraph },
      subgraphs: { ...subgraphs, override },
      graphql,
      ...forFewCallers({}),
    },
    { logger: silentLogger, ...(clock === undefined ? {} : { clock }) },
  );
  const { url } = await gateway.listen();

  return {
    gateway,
    url,
    catalogue,
    prices,
    stock,
    async request(query, { signal, headers = {} } = {}) {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/graphql-response+json',
          'x-correlation-id': 'faults',
          ...headers,
        },
        body: JSON.stringify({ query }),
        ...(signal === undefined ? {} : { signal }),
      });
      const text = await response.text();
      const { data, errors = [] } = JSON.parse(text) as Pick<ShopResponse, 'data'> & { errors?: readonly ShopError[] };
      const httpResponse = {
        status: response.status,
        headers: response.headers,
        text,
        errors,
        codes: errors.map(({ extensions }) => extensions?.code),
      };
      return data === undefined ? httpResponse : { ...httpResponse, data };
    },
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await Promise.all([catalogue, prices, stock].map((server) => server[Symbol.asyncDispose]()));
    },
  };
}

/** Repeats the query until all data is there: a subgraph with a short deadline may be late once on a busy machine. */
export async function requestUntilSuccess(shop: Shop): Promise<ShopResponse> {
  for (;;) {
    const response = await shop.request(ALL_THREE);
    if (response.errors.length === 0) return response;
  }
}
