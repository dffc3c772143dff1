import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../../gateway/platform/package-root.ts';

const LOCK_MODULE = pathToFileURL(join(packageRoot, 'dist/subgraphs/storage/directory-lock.js')).href;

/** Takes and releases the lock; writes each step with O_APPEND, so that the order of the lines is the order of the events. */
const CONTENDER = `
import { appendFileSync } from 'node:fs';
const { lockDirectory } = await import(process.argv[2]);
const [directory, record, takings] = [process.argv[3], process.argv[4], Number(process.argv[5])];
const write = (step) => appendFileSync(record, step + ' ' + process.pid + '\\n');
for (let taken = 0; taken < takings; ) {
  const lock = await lockDirectory(directory).catch((error) => {
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

/** Takes the lock when it is told to, and holds it until it is told to release it. */
const HOLDER = `
const { lockDirectory } = await import(process.argv[2]);
let lock;
process.on('message', async (step) => {
  if (step === 'take') {
    lock = await lockDirectory(process.argv[3]).catch((error) => {
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
 * Lets all processes take the lock at the same time, in rounds. Before each round the lock file is that of a process that is gone.
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
  const answerOf = async (child: ChildProcess): Promise<boolean> => {
    const [answer] = (await Promise.race([once(child, 'message'), ends.get(child)])) as [boolean | undefined];
    if (answer === undefined) throw new Error('A process that takes the lock has ended.');
    return answer;
  };
  const tell = async (step: 'take' | 'release'): Promise<readonly boolean[]> => {
    const answers = children.map(answerOf);
    for (const child of children) child.send(step);
    return Promise.all(answers);
  };
  try {
    await Promise.all(children.map(answerOf));
    const held: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await writeFile(join(directory, 'gatefold.lock'), `4194305 ${round}\n`); // beyond the largest number that Linux gives a process
      held.push((await tell('take')).filter(Boolean).length);
      await tell('release');
    }
    return held;
  } finally {
    for (const child of children) child.kill();
  }
}

export interface KillingContention extends Contention {
  /** How often each process takes the lock. */
  readonly takings: number;
  /** Processes that are killed once they have taken the lock; each is started again. */
  readonly kills: number;
}

export interface ContentionReport {
  /** Takings while another process held the lock and had not been killed. */
  readonly sharedHolds: readonly string[];
  readonly takings: number;
  readonly exits: readonly (number | string | null)[];
}

/** Lets processes take and release the lock in turn, and kills some of them. */
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
      // Its first line in the record: it is inside, or has just been.
      while (child.exitCode === null && !(await readFile(record, 'utf8')).includes(` ${child.pid}\n`)) await new Promise(setImmediate);
      if (child.exitCode === null) {
        // Written before the signal: what another process does after this line it may do.
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
  const faults: string[] = [];
  const killed = new Set<string | undefined>();
  for (const [index, line] of lines.entries()) {
    const [step, pid] = line.split(' ');
    if (step === 'enter') {
      if (inside !== undefined) faults.push(`line ${index}: ${pid} entered while ${inside} was inside`);
      // A killed process may write one more line before the signal arrives.
      inside = killed.has(pid) ? undefined : pid;
    } else {
      if (step === 'kill') killed.add(pid);
      if (inside === pid) inside = undefined;
    }
  }
  return faults;
}
