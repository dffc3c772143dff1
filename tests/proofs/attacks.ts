/**
 * Measures an honest caller at 50 requests a second, calm and during each attack, against a gateway in a separate process with its default
 * limits and with budgets enforced. Exits with 1 unless, during every attack, the caller's p99 is at most three times the calm one, the
 * gateway's resident memory stays within 300 MB of the calm one, no honest request is rejected, and the attack reached its declared rate.
 *
 * Duration: about 11 minutes
 *
 * `npm run prove attacks [name …]` runs only the named attacks. SECONDS (60) is the length of an attack. The caller is measured for a
 * quarter of it before, and again after it: "calm" is both together. GATEWAY is another built checkout to attack instead of this one, and
 * PROFILE a directory for CPU profiles of the gateway. Requires the files below /proc of Linux.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Attack, AttackTarget, Tally } from './attacks/attack.ts';
import { startAttackedGateway } from './attacks/gateway-process.ts';
import { type HonestTarget, requestHonestly } from './attacks/honest-caller.ts';
import { createHonestRequests } from './attacks/honest-requests.ts';
import { loadAttack } from './attacks/load-attack.ts';
import { endTogether } from '../support/process/end-together.ts';
import { joined, measure } from './attacks/measure.ts';
import { classify, printClassifications, type Classification } from './attacks/classification.ts';

const SECONDS = Number(process.env['SECONDS'] ?? 60);
const CALM_SECONDS = Math.ceil(SECONDS / 4);
/** Plans and code are compiled before the measurement starts. */
const WARM_UP_SECONDS = 5;
/** Time for the gateway to finish work of the attack before the calm measurement starts again. @unit milliseconds */
const SETTLE_MS = 2_000;

const NAMES = ['keyed-mutations', 'interface-chains', 'entity-chains', 'unknown-keys', 'unread-responses', 'operation-variants'];

/** @throws Error when the attack does not start */
async function startAttack(name: string, target: AttackTarget): Promise<ChildProcess> {
  const file = new URL('./attacks/attack-process.ts', import.meta.url).pathname;
  const attacker = fork(file, [name], { execArgv: ['--import', 'tsx'], env: { ...process.env, ATTACK_TARGET: JSON.stringify(target) } });
  endTogether(attacker);
  const isReady = await Promise.race([once(attacker, 'message').then(() => true), once(attacker, 'exit').then(() => false)]);
  if (!isReady) throw new Error(`The attack ${name} did not start.`);
  return attacker;
}

/** @returns undefined if the attack ended by itself, which must never happen */
async function stopAttack(attacker: ChildProcess): Promise<Tally | undefined> {
  if (attacker.exitCode !== null || attacker.signalCode !== null) return undefined;
  const tally = once(attacker, 'message');
  const exit = once(attacker, 'exit');
  attacker.kill('SIGTERM');
  const [sent] = (await Promise.race([tally, exit.then(() => [])])) as [Tally?];
  await exit;
  return sent;
}

async function prove(attack: Attack): Promise<Classification> {
  const profile = process.env['PROFILE'];
  await using gateway = await startAttackedGateway({
    checkout: process.env['GATEWAY'],
    settings: attack.settings,
    ...(profile === undefined ? {} : { nodeArguments: ['--cpu-prof', `--cpu-prof-dir=${profile}/${attack.name}`] }),
  });
  const caller: HonestTarget = {
    url: gateway.url,
    controlUrl: gateway.controlUrl,
    token: gateway.tokenOf('2'),
    next: createHonestRequests(),
  };
  await requestHonestly(caller, WARM_UP_SECONDS);
  const before = await measure(gateway, caller, CALM_SECONDS);
  const attacker = await startAttack(attack.name, { url: gateway.url, userToken: gateway.tokenOf('1') });
  const attacked = await measure(gateway, caller, SECONDS);
  const tally = await stopAttack(attacker);
  await delay(SETTLE_MS);
  const calm = gateway.hasEnded() ? before : joined(before, await measure(gateway, caller, CALM_SECONDS));
  const classification = classify({ attack, before, calm, attacked, tally, seconds: SECONDS, hasEnded: gateway.hasEnded() });
  printClassifications([classification]);
  if (classification.failures.length > 0) console.error(lastLines(gateway.output()));
  return classification;
}

function lastLines(output: string): string {
  return output.trimEnd().split('\n').slice(-5).join('\n');
}

const chosen = process.argv.slice(2);
const attacks = await Promise.all((chosen.length > 0 ? chosen : NAMES).map(loadAttack));
const classifications: Classification[] = [];
for (const attack of attacks) classifications.push(await prove(attack));
if (classifications.length > 1) printClassifications(classifications);
process.exitCode = classifications.every(({ failures }) => failures.length === 0) ? 0 : 1;
