import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'undici';

// Sends small requests one after another, in a process in which nothing else delays them. The parent process controls it by messages.

/** Messages from the parent process: start sending, stop and report, or send a number of requests and report when they have ended. */
export type PingCommand =
  | { readonly kind: 'start'; readonly url: string }
  | { readonly kind: 'stop' }
  | { readonly kind: 'repeat'; readonly count: number };

/** Messages to the parent process: the first requests have been sent, or the latencies of those that followed. @unit milliseconds */
export type PingReport = { readonly isStarted: true } | { readonly latencies: readonly number[] };

/** Number of requests that are not measured. The first ones connect, and run code that is not optimized. */
const UNMEASURED = 200;

/** Pause between two requests. @unit milliseconds */
const PAUSE_MS = 2;
const BODY = '{"query":"{ping}"}';

let client: Client | undefined;
let path = '';
let isStopped = false;
let running: Promise<readonly number[]> | undefined;

async function ping(): Promise<number> {
  if (client === undefined) throw new Error('The first message starts the requests.');
  const startedAt = performance.now();
  const { body } = await client.request({ path, method: 'POST', headers: { 'content-type': 'application/json' }, body: BODY });
  await body.dump();
  return performance.now() - startedAt;
}

async function pingWhile(isWanted: (sent: number) => boolean): Promise<readonly number[]> {
  const latencies: number[] = [];
  while (isWanted(latencies.length)) {
    latencies.push(await ping());
    await wait(PAUSE_MS);
  }
  return latencies;
}

async function obey(command: PingCommand): Promise<void> {
  if (command.kind === 'start') {
    const { origin, pathname } = new URL(command.url);
    client = new Client(origin, { pipelining: 1 });
    path = pathname;
    await pingWhile((sent) => sent < UNMEASURED);
    send({ isStarted: true });
    running = pingWhile(() => !isStopped);
  } else if (command.kind === 'stop') {
    isStopped = true;
    send({ latencies: (await running) ?? [] });
  } else send({ latencies: await pingWhile((sent) => sent < command.count) });
}

function send(report: PingReport): void {
  process.send?.(report);
}

process.on('message', (command: PingCommand) => void obey(command));
process.on('disconnect', () => process.exit());
