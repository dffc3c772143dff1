import { toLoggableError } from '../kit/database/loggable-error.ts';
import type { CreateSubgraph } from '../kit/subgraph-definition.ts';
import { createResolvers } from './create-resolvers.ts';
import { createDeadlineFetch } from './deadline-fetch.ts';
import { startHandOverRelay } from './hand-over-relay.ts';
import { createLegacyBackend } from './legacy-backend/create-legacy-backend.ts';
import { createSqlConsignmentStore } from './legacy-backend/sql-consignment-store.ts';
import { readShippedSince } from './shipped-orders.ts';

/** Creates the shipping subgraph, and starts the legacy back end that it uses. */
export const createShippingSubgraph: CreateSubgraph = async ({ database, events, clock, log }) => {
  const legacyBackend = await createLegacyBackend({
    store: createSqlConsignmentStore(database),
    onFailure: (error) => log.error({ err: toLoggableError(error) }, 'The legacy shipping back end failed.'),
  });
  const backend = { baseUrl: legacyBackend.url, fetch: createDeadlineFetch() };
  const relay = startHandOverRelay({
    events,
    readShippedSince: async (since) => readShippedSince(database, since),
    backend,
    clock,
    log,
  });
  return {
    name: 'shipping',
    resolvers: createResolvers(backend),
    async close() {
      await relay[Symbol.asyncDispose]();
      await legacyBackend[Symbol.asyncDispose]();
    },
  };
};
