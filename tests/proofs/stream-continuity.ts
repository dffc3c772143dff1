/**
 * Holds clients subscribed, half over WebSocket and half over server-sent events, while supergraphs are replaced and the gateway process is
 * restarted and killed. No event may be lost or duplicated if the subgraph provides ids, a gap must be reported if it provides none, and a
 * reload must not close a stream whose operation remains valid.
 *
 * Duration: about 4 minutes
 *
 * - `CLIENTS` (1000): number of clients.
 * - `RELOADS` (50): number of replaced supergraphs.
 * - `RESTARTS` (10) and `KILLS` (2): number of restarts and kills of the gateway.
 * - `INTERVAL_MS` (250): time between two events.
 */
import { gatewayInProcess } from '../integration/subscriptions/gateway-runs.ts';
import { holdStreams } from '../integration/subscriptions/hold-streams.ts';

const setting = (name: string, fallback: number): number => Number(process.env[name] ?? fallback);
const startedAt = performance.now();
const proof = await holdStreams({
  gateway: gatewayInProcess(),
  clients: setting('CLIENTS', 1_000),
  reloads: setting('RELOADS', 50),
  restarts: setting('RESTARTS', 10),
  kills: setting('KILLS', 2),
  intervalMs: setting('INTERVAL_MS', 250),
  say: (line) => console.log(`${((performance.now() - startedAt) / 1_000).toFixed(0)} s: ${line}`),
});
const { failures, ...figures } = proof;
console.log(JSON.stringify(figures));
for (const failure of failures) console.error(`FAILED: ${failure}`);
process.exit(failures.length === 0 ? 0 : 1);
