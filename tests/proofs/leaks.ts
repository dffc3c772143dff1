/**
 * Sends a mixed load to a gateway in five rounds, each followed by calm: queries, REST, WebSockets, event streams, errors and disconnects.
 * Nothing may grow in all rounds: neither the objects of a constructor, nor closures, descriptors, timers, sockets and listeners. Exits with
 * 1 otherwise.
 *
 * Duration: about 4 minutes
 *
 * `npm run prove leaks [--rounds 5] [--seconds 30] [--calm 10] [--concurrency 24]`
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startNumberedSubgraphs } from '../integration/subscriptions/numbered-subgraphs.ts';
import { createServeProcess } from '../support/process/serve-process.ts';
import { growing, type Inventory, INVENTORY_MODULE, takeInventory } from './leaks/inventory.ts';
import { sendMixedLoad } from './leaks/mixed-load.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '30' },
    calm: { type: 'string', default: '10' },
    concurrency: { type: 'string', default: '24' },
  },
});
const ROUNDS = Number(values.rounds);
const SECONDS = Number(values.seconds);
const CALM_SECONDS = Number(values.calm);
const CONCURRENCY = Number(values.concurrency);
/** Interval between two events. @unit milliseconds */
const INTERVAL_MS = 50;

const directory = await mkdtemp(join(tmpdir(), 'gatefold-leaks-'));
const [supergraph, documents] = [join(directory, 'supergraph.graphql'), join(directory, 'rest')];
await using subgraphs = await startNumberedSubgraphs();
await writeFile(supergraph, subgraphs.supergraphOf({ version: 1, hasExtra: true, hasNotesInside: false }));
await mkdir(documents);
await writeFile(join(documents, 'notes.graphql'), 'query Notes @endpoint(method: GET, path: "/notes") { notebook @result { pages } }');
await using gateway = await createServeProcess({
  supergraph,
  nodeArguments: ['--import', INVENTORY_MODULE],
  config: {
    logging: { level: 'error' },
    budget: { mode: 'off' },
    subgraphs: { override: subgraphs.settings },
    server: { shutdown: { lameDuckMs: 0 } },
    rest: { documents },
  },
});
await gateway.start();
const publishing = setInterval(() => subgraphs.publish(), INTERVAL_MS);

/** Sends the load and waits until sockets and timers of the round have ended. */
async function round(seconds: number): Promise<void> {
  const { sent, results } = await sendMixedLoad(gateway.url, seconds, CONCURRENCY);
  console.log(`${sent} requests: ${JSON.stringify(results)}`);
  await wait(CALM_SECONDS * 1_000);
}

await round(SECONDS); // Fills the caches.
const inventories: Inventory[] = [];
for (let number = 1; number <= ROUNDS; number += 1) {
  await round(SECONDS);
  if (gateway.current === undefined) throw new Error('The gateway is not running.');
  const inventory = await takeInventory(gateway.current, number, gateway.directory);
  inventories.push(inventory);
  const objects = [...inventory].reduce((sum, [what, count]) => (what.startsWith('object ') ? sum + count : sum), 0);
  console.log(
    `Round ${number}: ${objects} objects, ${inventory.get('descriptors')} descriptors, ${inventory.get('resource Timeout') ?? 0} timers`,
  );
}
clearInterval(publishing);
await gateway.stop();
await rm(directory, { recursive: true });
const leaks = growing(inventories);
for (const { what, counts } of leaks) console.error(`FAILED: ${what} grows in all rounds: ${counts.join(', ')}`);
if (leaks.length === 0) console.log(`Nothing of ${inventories.at(-1)?.size ?? 0} kinds grows in all ${ROUNDS} rounds.`);
process.exit(leaks.length === 0 ? 0 : 1);
