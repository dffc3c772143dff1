/**
 * Keeps clients subscribed, half over WebSocket and half by server-sent events, while supergraphs are replaced and the gateway, a process, is
 * started again and killed. No event is lost or doubled where the subgraph gives ids, a gap is told where it gives none, and nothing is
 * closed by a reload that an operation outlives.
 *
 * Duration: about 4 minutes
 *
 *   CLIENTS      1000      RELOADS  50
 *   RESTARTS     10        KILLS    2
 *   INTERVAL_MS  250, between two events
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
for (const failure of failures) console.error(`FAULT ${failure}`);
process.exit(failures.length === 0 ? 0 : 1);
