import { toLoggableError } from '../kit/database/loggable-error.ts';
import type { SubgraphSetup } from '../kit/subgraph-definition.ts';
import { forwardPort } from './forward-port.ts';
import { startHandOverRelay } from './hand-over-relay.ts';
import { createLegacyBackend } from './legacy-backend/create-legacy-backend.ts';
import { createSqlConsignmentStore } from './legacy-backend/sql-consignment-store.ts';
import { readShippedSince } from './shipped-orders.ts';

/** Address at which the back end is available. */
export interface ShippingBackEndAddress {
  /** @defaultValue '127.0.0.1' */
  readonly host?: string | undefined;
  /** @defaultValue a free port */
  readonly port?: number | undefined;
}

/** The legacy back end with the relay that reports shipped orders to it. */
export interface ShippingBackEnd extends AsyncDisposable {
  /** URL for `baseURL` of the source `legacy` in `schema/subgraphs/shipping.graphql`. */
  readonly url: string;
}

/** Starts the legacy shipping back end and the relay. @throws Error when the port is already in use */
export async function startShippingBackEnd(
  { database, events, clock, log }: SubgraphSetup,
  { host = '127.0.0.1', port = 0 }: ShippingBackEndAddress = {},
): Promise<ShippingBackEnd> {
  const isForwarded = host !== '127.0.0.1';
  const legacyBackend = await createLegacyBackend({
    store: createSqlConsignmentStore(database),
    port: isForwarded ? 0 : port,
    onFailure: (error) => log.error({ err: toLoggableError(error) }, 'The legacy shipping back end failed.'),
  });
  const opened: AsyncDisposable[] = [legacyBackend];
  const close = async (): Promise<void> => {
    for (const part of opened.splice(0).toReversed()) await part[Symbol.asyncDispose]();
  };
  let { url } = legacyBackend;
  if (isForwarded) {
    // The back end accepts connections from its own machine only.
    const forwarded = await forwardPort({ host, port }, url).catch(async (error: unknown) => {
      await close();
      throw error;
    });
    opened.push(forwarded);
    ({ url } = forwarded);
  }
  opened.push(
    startHandOverRelay({
      events,
      readShippedSince: async (since) => readShippedSince(database, since),
      backend: { baseUrl: legacyBackend.url },
      clock,
      log,
    }),
  );
  return { url, [Symbol.asyncDispose]: close };
}
