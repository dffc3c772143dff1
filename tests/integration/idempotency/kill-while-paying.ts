import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Random } from '../../support/random/random.ts';
import { type KillableShop, startKillableShop, VICTIMS } from './killable-shop.ts';
import { type PaidPayment, payUntilSure } from './pay-until-sure.ts';

export interface KillPlan {
  readonly kills: number;
  readonly random: Random;
  /** Hears of each kill. */
  readonly onKill?: (made: number) => void;
}

export interface KillReport {
  readonly kills: number;
  readonly payments: number;
  /** Requests that clients sent for them. */
  readonly attempts: number;
  /** Payments of which some answer was given twice. */
  readonly replayed: number;
  /** @unit milliseconds */
  readonly elapsedMs: number;
  /** What is wrong; empty when there is one charge and one answer for each key. */
  readonly faults: readonly string[];
}

/** Payments that are begun with each kill. */
const IN_FLIGHT = 10;
/** The kill comes so long after them, at most. @unit milliseconds */
const LATEST_MS = 50;
/** Nothing is killed while more clients than these wait: those who come on top of each other would make each other late, not unsure. */
const MAX_UNSURE = 30;
/** Keys belong to so many users. */
const USERS = 100;

/** Kills processes at random moments while clients pay, and then counts what was charged. */
export async function killWhilePaying({ kills, random, onKill }: KillPlan): Promise<KillReport> {
  await using shop = await startKillableShop();
  const startedAt = performance.now();
  const paid: Promise<PaidPayment>[] = [];
  const unsure = new Set<Promise<void>>();

  /** Amounts tell payments apart: the first is 1, the next 2. */
  function payOne(): void {
    const amount = paid.length + 1;
    const payment = { key: randomUUID(), amount, token: shop.tokenOf((amount % USERS) + 1) };
    const made = payUntilSure(payment, () => shop.gatewayUrl(random.next()));
    const end = made.then(
      () => void unsure.delete(end),
      () => void unsure.delete(end), // what is wrong is told at the end, with all others
    );
    unsure.add(end);
    paid.push(made);
  }

  for (let made = 0; made < kills; made += 1) {
    await shop.whole();
    while (unsure.size > MAX_UNSURE) await Promise.race(unsure);
    for (let count = 0; count < IN_FLIGHT; count += 1) payOne();
    const victim = random.pick(VICTIMS);
    await sleep(random.next() * LATEST_MS);
    await shop.kill(victim, random.next());
    onKill?.(made + 1);
  }
  const outcomes = await Promise.allSettled(paid);
  const payments = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const failed = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
  return {
    kills,
    payments: payments.length,
    attempts: payments.reduce((sum, { attempts }) => sum + attempts, 0),
    replayed: payments.filter(({ wasReplayed }) => wasReplayed).length,
    elapsedMs: performance.now() - startedAt,
    faults: [...failed, ...(await compareWithLedger(shop, payments))],
  };
}

/** One row for each key, with the id that its client was told, and nothing else. */
async function compareWithLedger({ databaseUrl }: KillableShop, payments: readonly PaidPayment[]): Promise<readonly string[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ id: string; amount: number }>('select id, amount from payments.payments');
  await client.end();
  const told = payments.map(({ body, amount }) => ({ id: String((JSON.parse(body) as { readonly id: number }).id), amount }));
  const faults: string[] = [];
  const charged = new Map(rows.map(({ id, amount }) => [id, amount]));
  for (const { id, amount } of told) {
    if (charged.get(id) !== amount) faults.push(`${amount} was told as payment ${id}, which is ${String(charged.get(id))}.`);
  }
  const [ledger, keys] = [rows, told].map((list) => list.reduce((sum, { amount }) => sum + amount, 0));
  if (rows.length !== told.length || ledger !== keys)
    faults.push(`${rows.length} charges of ${ledger} for ${told.length} keys of ${keys}.`);
  return faults;
}
