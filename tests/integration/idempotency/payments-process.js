import { systemClock } from '../../../dist/gateway/platform/clock.js';
import { silentLogger } from '../../../dist/gateway/platform/logger.js';
import { openServerDatabase } from '../../../dist/subgraphs/kit/database/open-server-database.js';
import { createMemoryEventBus } from '../../../dist/subgraphs/kit/events/memory-event-bus.js';
import { startSubgraph } from '../../../dist/subgraphs/kit/server/start-subgraph.js';
import { createPaymentsSubgraph } from '../../../dist/subgraphs/payments/create-payments-subgraph.js';

// This is plain JavaScript on the build output, because a process that is killed a thousand times must start quickly.

/**
 * Starts only the payments subgraph. Its database is already migrated and seeded.
 *
 * @param {import('./killable-shop.ts').PaymentsSetup} setup
 */
async function start({ databaseUrl, identitySecret }) {
  const database = openServerDatabase({ url: databaseUrl, log: silentLogger });
  const setup = { database, events: createMemoryEventBus(), clock: systemClock, log: silentLogger };
  const runtime = { ...setup, wakeRelay: () => {}, identity: { secret: identitySecret }, profile: 'production' };
  const { url } = await startSubgraph(await createPaymentsSubgraph(setup), runtime, {});
  process.send({ url });
}

process.once('message', (setup) => void start(setup));
process.once('disconnect', () => process.exit());
