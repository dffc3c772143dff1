import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Random } from '../../support/random/random.ts';
import { type KillableShop, startKillableShop, VICTIMS } from './killable-shop.ts';
import { type PaidPayment, payUntilSure } from './pay-until-sure.ts';

export interface KillPlan {
  readonly kills: number;
  readonly random: Random;
  /** Called after each kill. */
  readonly onKill?: (made: number) => void;
}

export interface KillReport {
  readonly kills: number;
  readonly payments: number;
  /** Requests that clients sent for the payments. */
  readonly attempts: number;
  /** Payments for which a response was replayed. */
  readonly replayed: number;
  /** Duration of the run. @unit milliseconds */
  readonly elapsedMs: number;
  /** Mistakes that were found. Empty when each key has one charge and one response. */
  readonly failures: readonly string[];
}

/** Payments that are started with each kill. */
const IN_FLIGHT = 10;
/** Maximum delay between the payments and the kill. @unit milliseconds */
const LATEST_MS = 50;
/** Maximum number of waiting clients at a kill. More clients would only delay each other, which does not test anything. */
const MAX_UNSURE = 30;
/** Users that the keys belong to. */
const USERS = 100;

/** Kills processes at random moments while clients pay, and then compares the charges. */
export async function killWhilePaying({ kills, random, onKill }: KillPlan): Promise<KillReport> {
  await using shop = await startKillableShop();
  const startedAt = performance.now();
  const paid: Promise<PaidPayment>[] = [];
  const unsure = new Set<Promise<void>>();

  /** Starts a payment. The amount identifies it: the first is 1, the next 2. */
  function payOne(): void {
    const amount = paid.length + 1;
    const payment = { key: randomUUID(), amount, token: shop.tokenOf((amount % USERS) + 1) };
    const made = payUntilSure(payment, () => shop.gatewayUrl(random.next()));
    const end = made.then(
      () => void unsure.delete(end),
      () => void unsure.delete(end), // The error is reported at the end, together with all others.
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
  const results = await Promise.allSettled(paid);
  const payments = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failed = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
  return {
    kills,
    payments: payments.length,
    attempts: payments.reduce((sum, { attempts }) => sum + attempts, 0),
    replayed: payments.filter(({ wasReplayed }) => wasReplayed).length,
    elapsedMs: performance.now() - startedAt,
    failures: [...failed, ...(await compareWithLedger(shop, payments))],
  };
}

/** Checks that the table has one row for each key, with the id that its client received, and no other rows. */
async function compareWithLedger({ databaseUrl }: KillableShop, payments: readonly PaidPayment[]): Promise<readonly string[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ id: string; amount: number }>('select id, amount from payments.payments');
  await client.end();
  const reported = payments.map(({ body, amount }) => ({ id: String((JSON.parse(body) as { readonly id: number }).id), amount }));
  const failures: string[] = [];
  const charged = new Map(rows.map(({ id, amount }) => [id, amount]));
  for (const { id, amount } of reported) {
    if (charged.get(id) !== amount)
      failures.push(`The client received payment ${id} for ${amount}, but the charge is ${String(charged.get(id))}.`);
  }
  const [ledger, keys] = [rows, reported].map((list) => list.reduce((sum, { amount }) => sum + amount, 0));
  if (rows.length !== reported.length || ledger !== keys)
    failures.push(`${rows.length} charges of ${ledger} for ${reported.length} keys of ${keys}.`);
  return failures;
}
