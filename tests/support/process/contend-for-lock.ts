import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../../gateway/platform/package-root.ts';

const LOCK_MODULE = pathToFileURL(join(packageRoot, 'dist/subgraphs/kit/storage/directory-lock.js')).href;

/**
 * Script that takes and releases the lock. It writes each step with O_APPEND, so that the order of the lines is the order of the events.
 */
const CONTENDER = `
import { appendFileSync } from 'node:fs';
const { lockDirectory } = await import(process.argv[2]);
const settings = { url: 'A', directory: 'B', inMemory: 'C' };
const [directory, record, takings] = [process.argv[3], process.argv[4], Number(process.argv[5])];
const write = (step) => appendFileSync(record, step + ' ' + process.pid + '\\n');
for (let taken = 0; taken < takings; ) {
  const lock = await lockDirectory(directory, settings).catch((error) => {
    if (!error.message.includes('is in use by')) throw error;
  });
  await new Promise(setImmediate);
  if (lock === undefined) continue;
  write('enter');
  await new Promise(setImmediate);
  write('leave');
  await lock.release();
  taken += 1;
}
`;

/** Script that takes the lock on command, and holds it until the command to release it. */
const HOLDER = `
const { lockDirectory } = await import(process.argv[2]);
const settings = { url: 'A', directory: 'B', inMemory: 'C' };
let lock;
process.on('message', async (step) => {
  if (step === 'take') {
    lock = await lockDirectory(process.argv[3], settings).catch((error) => {
      if (!error.message.includes('is in use by')) throw error;
    });
  } else {
    await lock?.release();
    lock = undefined;
  }
  process.send(lock !== undefined);
});
process.send(false);
`;

export interface Contention {
  /** Folder for scripts, records and the locked directory. */
  readonly parent: string;
  /** @unit processes */
  readonly contenders: number;
}

/**
 * Makes all processes take the lock at the same time, in rounds. Before each round the lock file names a process that no longer exists.
 *
 * @returns the number of processes that held the lock at the same time, by round
 */
export async function takeTogether({ parent, contenders, rounds }: Contention & { readonly rounds: number }): Promise<readonly number[]> {
  const [script, directory] = [join(parent, 'holder.mjs'), join(parent, 'shared')];
  await mkdir(directory, { recursive: true });
  await writeFile(script, HOLDER);
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const;
  const children = Array.from({ length: contenders }, () =>
    spawn(process.execPath, [script, LOCK_MODULE, directory], { stdio: [...stdio] }),
  );
  const ends = new Map(children.map((child) => [child, once(child, 'exit').then(() => [undefined])]));
  const responseOf = async (child: ChildProcess): Promise<boolean> => {
    const [response] = (await Promise.race([once(child, 'message'), ends.get(child)])) as [boolean | undefined];
    if (response === undefined) throw new Error('A process that takes the lock ended unexpectedly.');
    return response;
  };
  const report = async (step: 'take' | 'release'): Promise<readonly boolean[]> => {
    const responses = children.map(responseOf);
    for (const child of children) child.send(step);
    return Promise.all(responses);
  };
  try {
    await Promise.all(children.map(responseOf));
    const held: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await writeFile(join(directory, 'gatefold.lock'), `4194305 ${round}\n`); // Larger than any process ID of Linux.
      held.push((await report('take')).filter(Boolean).length);
      await report('release');
    }
    return held;
  } finally {
    for (const child of children) child.kill();
  }
}

export interface KillingContention extends Contention {
  /** Number of times that each process takes the lock. */
  readonly takings: number;
  /** Number of processes that are killed after they have taken the lock. Each one is started again. */
  readonly kills: number;
}

export interface ContentionReport {
  /** Acquisitions while another process held the lock and had not been killed. */
  readonly sharedHolds: readonly string[];
  readonly takings: number;
  readonly exits: readonly (number | string | null)[];
}

/** Makes processes take and release the lock repeatedly, and kills some of them. */
export async function contendWithKills({ parent, contenders, takings, kills }: KillingContention): Promise<ContentionReport> {
  const [script, record] = [join(parent, 'contender.mjs'), join(parent, 'record')];
  await Promise.all([writeFile(script, CONTENDER), writeFile(record, '')]);
  let killsLeft = kills;
  const exits: (number | string | null)[] = [];

  async function contend(): Promise<void> {
    const args = [script, LOCK_MODULE, join(parent, 'data'), record, String(takings)];
    const child: ChildProcess = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    const exited = once(child, 'exit');
    const mayKill = killsLeft > 0;
    if (mayKill) killsLeft -= 1;
    if (mayKill) {
      // The first line in the record shows that the process holds the lock, or held it just before.
      while (child.exitCode === null && !(await readFile(record, 'utf8')).includes(` ${child.pid}\n`)) await new Promise(setImmediate);
      if (child.exitCode === null) {
        // Written before the signal, so that another process may take the lock after this line.
        appendFileSync(record, `kill ${child.pid}\n`);
        child.kill('SIGKILL');
      }
    }
    await exited;
    exits.push(child.signalCode ?? child.exitCode);
    if (child.signalCode === 'SIGKILL') await contend();
  }

  await Promise.all(Array.from({ length: contenders }, contend));
  const lines = (await readFile(record, 'utf8')).trimEnd().split('\n');
  return { sharedHolds: findSharedHolds(lines), takings: lines.filter((line) => line.startsWith('enter')).length, exits };
}

function findSharedHolds(lines: readonly string[]): readonly string[] {
  let inside: string | undefined;
  const failures: string[] = [];
  const killed = new Set<string | undefined>();
  for (const [index, line] of lines.entries()) {
    const [step, pid] = line.split(' ');
    if (step === 'enter') {
      if (inside !== undefined) failures.push(`line ${index}: ${pid} entered while ${inside} was inside`);
      // A killed process may write one more line before the signal arrives.
      inside = killed.has(pid) ? undefined : pid;
    } else {
      if (step === 'kill') killed.add(pid);
      if (inside === pid) inside = undefined;
    }
  }
  return failures;
}
