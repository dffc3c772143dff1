import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { requireBuild } from '../../support/built-cli.ts';

const CONTENDERS = 8;
const TAKINGS_OF_EACH = 15;
const KILLS = 12;

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

/** Entries that happened while another process was inside and had not been killed. */
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

describe('point 09: the lock of a data directory', () => {
  let parent: string;
  beforeAll(async () => {
    await requireBuild();
    parent = await mkdtemp(join(tmpdir(), 'contend-'));
  });
  afterAll(async () => rm(parent, { recursive: true }));

  it(`has one holder at a time among ${CONTENDERS} processes, ${KILLS} of which are killed`, async () => {
    const [script, record] = [join(parent, 'contender.mjs'), join(parent, 'record')];
    const lock = pathToFileURL(join(packageRoot, 'dist/subgraphs/storage/directory-lock.js')).href;
    await Promise.all([writeFile(script, CONTENDER), writeFile(record, '')]);
    let killsLeft = KILLS;
    const exits: (number | string | null)[] = [];

    async function contend(): Promise<void> {
      const args = [script, lock, join(parent, 'data'), record, String(TAKINGS_OF_EACH)];
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

    await Promise.all(Array.from({ length: CONTENDERS }, contend));
    const lines = (await readFile(record, 'utf8')).trimEnd().split('\n');
    expect(findSharedHolds(lines)).toEqual([]);
    expect(lines.filter((line) => line.startsWith('enter')).length).toBeGreaterThanOrEqual(CONTENDERS * TAKINGS_OF_EACH);
    expect(exits.filter((exit) => exit !== 'SIGKILL')).toEqual(Array.from({ length: CONTENDERS }, () => 0));
    expect(exits).toContain('SIGKILL');
  });
});
