import { setMaxListeners } from 'node:events';
import { setPriority } from 'node:os';
import type { AttackTarget, Tally } from './attack.ts';
import { loadAttack } from './load-attack.ts';

/**
 * Runs one attack in a separate process until SIGTERM: `attack-process.ts <name>`, the target in `ATTACK_TARGET`. Sends `ready` before it
 * begins, and its tally at the end.
 */
const name = process.argv[2] ?? '';
const target = JSON.parse(process.env['ATTACK_TARGET'] ?? '{}') as AttackTarget;

/** An attacker has its own machines: this process must not take CPU time from the gateway, whose planner has a niceness of 10. */
const PRIORITY = 19;

setPriority(PRIORITY);
const attack = await loadAttack(name);
// A connection from which nothing is read does not keep the process running.
setInterval(() => undefined, 60_000);
const tally: Tally = { sent: 0, accepted: 0, rejected: 0, broken: 0 };
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
process.send?.('ready');
// Each request in flight listens to the signal, and undici allows 1,500 of them.
setMaxListeners(0, stop.signal);
await attack.run(target, tally, stop.signal);
process.send?.(tally, () => process.exit(0));
