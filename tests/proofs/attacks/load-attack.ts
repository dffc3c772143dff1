import { existsSync } from 'node:fs';
import type { Attack } from './attack.ts';

/**
 * Loads an attack by the name of its file.
 *
 * @throws Error when the attack does not exist
 */
export async function loadAttack(name: string): Promise<Attack> {
  const file = new URL(`${name}.ts`, import.meta.url);
  const exported = existsSync(file) ? ((await import(file.href)) as Readonly<Record<string, unknown>>) : {};
  const attack = Object.values(exported).find(
    (value): value is Attack => typeof value === 'object' && value !== null && 'run' in value && 'point' in value,
  );
  if (attack === undefined) throw new Error(`The attack "${name}" does not exist.`);
  return attack;
}
