import { setMaxListeners } from 'node:events';
import { setPriority } from 'node:os';
import type { AttackTarget, Tally } from './attack.ts';
import { loadAttack } from './load-attack.ts';

/**
 * Runs one attack in a process of its own until SIGTERM: `attack-process.ts <name>`, the target in `ATTACK_TARGET`. Sends `ready` before it begins, and its tally at the end.
 */
const name = process.argv[2] ?? '';
const target = JSON.parse(process.env['ATTACK_TARGET'] ?? '{}') as AttackTarget;

/** An attacker has machines of its own: this one shall not take processor time from the gateway, whose planner has a niceness of 10. */
const PRIORITY = 19;

setPriority(PRIORITY);
const attack = await loadAttack(name);
// A connection from which nothing is read keeps no process running.
setInterval(() => undefined, 60_000);
const tally: Tally = { sent: 0, accepted: 0, rejected: 0, broken: 0 };
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
process.send?.('ready');
// Requests under way each listen to the signal, and undici allows for 1,500.
setMaxListeners(0, stop.signal);
await attack.run(target, tally, stop.signal);
process.send?.(tally, () => process.exit(0));
