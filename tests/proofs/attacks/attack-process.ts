import type { Attack, AttackTarget } from './attack.ts';

/** Runs one attack in a process of its own until SIGTERM: `attack-process.ts <name>`, the target in `ATTACK_TARGET`. */
const name = process.argv[2] ?? '';
const target = JSON.parse(process.env['ATTACK_TARGET'] ?? '{}') as AttackTarget;

const exported = (await import(new URL(`${name}.ts`, import.meta.url).href)) as Readonly<Record<string, unknown>>;
const attack = Object.values(exported).find(
  (value): value is Attack => typeof value === 'object' && value !== null && 'run' in value && 'point' in value,
);
if (attack === undefined) throw new Error(`tests/proofs/attacks/${name}.ts exports no attack.`);

// A connection from which nothing is read keeps no process running.
setInterval(() => undefined, 60_000);
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
await attack.run(target, stop.signal);
process.exit(0);
