import { once } from 'node:events';
import { systemClock } from '../gateway/platform/clock.ts';
import { createLogger } from '../gateway/platform/logger.ts';
import { readEnvironment } from './read-environment.ts';
import { startSubgraphs } from './start-subgraphs.ts';
import { openStorage } from './storage/open-storage.ts';

/**
 * Hosts the reference subgraphs. Tells its parent `{ ready: { <name>: <url> } }` by IPC, or, started alone, prints that as
 * one line; stops on SIGTERM, on SIGINT, and when the parent is gone.
 */
async function main(): Promise<void> {
  const { databaseUrl, directory, ...settings } = readEnvironment(process.env);
  const log = createLogger();
  // Before anything is opened, so that no signal in between leaves a lock behind.
  const stopping = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT'), once(process, 'disconnect')]);
  const storage = await openStorage({ databaseUrl, directory, log });
  try {
    const running = await startSubgraphs({ ...settings, database: storage.database, clock: systemClock, log });
    const addresses = Object.fromEntries(Object.entries(running.subgraphs).map(([name, { url }]) => [name, url]));
    if (process.send === undefined) console.log(JSON.stringify({ ready: addresses }));
    else process.send({ ready: addresses });
    await stopping;
    await running.stop();
  } finally {
    await storage.close();
  }
}

try {
  await main();
  // An open IPC channel would keep the process.
  if (process.connected) process.disconnect();
} catch (error) {
  console.error(`The subgraphs cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
  if (process.connected) process.disconnect();
}
