import { once } from 'node:events';
import { systemClock } from '../gateway/platform/clock.ts';
import { createLogger } from '../gateway/platform/logger.ts';
import { readEnvironment } from './read-environment.ts';
import { startSubgraphs } from './start-subgraphs.ts';
import { openStorage } from './storage/open-storage.ts';
import { keepNewFilesPrivate } from './kit/storage/private-files.ts';
import { storeDevelopmentKey } from './webhooks/secrets/development-key.ts';

/**
 * Hosts the reference subgraphs. Sends `{ ready: { <name>: <url> }, backEnds: { <name>: { <source>: <url> } }, database }` to its parent by
 * IPC, or prints it as one line when it has no parent. `ready` has the subgraphs with a server, `backEnds` those with connectors, and
 * `database` describes the location of the data. It stops on SIGTERM, on SIGINT, and when the parent disconnects. The parent sends
 * `{ gateway: <url> }` when the internal listener of the gateway is open.
 */
async function main(): Promise<void> {
  keepNewFilesPrivate();
  const { databaseUrl, directory, webhooks: environment, ...settings } = readEnvironment(process.env);
  const log = createLogger({ format: process.env['GATEFOLD_LOGGING__FORMAT'] === 'pretty' ? 'pretty' : 'json' });
  // Registered before anything is opened, so that a signal in between does not leave a lock.
  const stopping = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT'), once(process, 'disconnect')]);
  const storage = await openStorage({ databaseUrl, directory, log });
  try {
    const { gatewayUrl, serviceSecret, ...webhooks } = environment;
    const keys = webhooks.keys.length > 0 ? webhooks.keys : [await storeDevelopmentKey(directory)];
    const gateway = { url: gatewayUrl === undefined ? gatewayError() : Promise.resolve(gatewayUrl), serviceSecret };
    const dependencies = { database: storage.database, clock: systemClock, log, webhooks: { ...webhooks, keys, gateway } };
    const running = await startSubgraphs({ ...settings, ...dependencies });
    const addresses = Object.fromEntries(Object.entries(running.subgraphs).map(([name, { url }]) => [name, url]));
    const report = { ready: addresses, backEnds: running.backEnds, database: storage.description };
    if (process.send === undefined) console.log(JSON.stringify(report));
    else process.send(report);
    await stopping;
    await running.stop();
  } finally {
    await storage.close();
  }
}

async function gatewayError(): Promise<string> {
  return new Promise((resolve) => {
    process.on('message', (message: { readonly gateway?: string }) => {
      if (typeof message.gateway === 'string') resolve(message.gateway);
    });
  });
}

try {
  await main();
  // An open IPC channel would prevent the process from exiting.
  if (process.connected) process.disconnect();
} catch (error) {
  console.error(`The subgraphs cannot start: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
  if (process.connected) process.disconnect();
}
