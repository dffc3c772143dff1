import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { lockDirectory } from '../../../../subgraphs/storage/directory-lock.ts';

describe('the lock of a data directory', () => {
  let parent: string;
  let directory: string;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'lock-'));
    directory = join(parent, 'data');
  });
  afterEach(async () => rm(parent, { recursive: true }));

  it('given a living process that holds it, when taken, then it is refused with the number of the process', async () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(other, 'spawn');
    const status = await readFile(`/proc/${other.pid}/stat`, 'utf8').catch(() => '');
    const startedAt = status.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? '';
    await writeFile(`${directory}.lock`, `${other.pid} ${startedAt}`);
    await expect(lockDirectory(directory)).rejects.toThrow(`The data in ${directory} is in use by process ${other.pid}.`);
    other.kill('SIGKILL');
    await once(other, 'exit');
    const lock = await lockDirectory(directory);
    await expect(lockDirectory(directory)).rejects.toThrow(`is in use by process ${process.pid}.`);
    await lock.release();
    expect(await readdir(parent)).toEqual([]);
  });

  const onLinux = process.platform === 'linux' ? it : it.skip;

  onLinux('given a holder that has ended and whose parent does not fetch it, when taken, then it is taken over', async () => {
    // The shell becomes `cat`, which knows of no child.
    const careless = spawn('sh', ['-c', 'sleep 1000 & echo $!; exec cat'], { stdio: ['pipe', 'pipe', 'ignore'] });
    try {
      const [printed]: readonly unknown[] = await once(careless.stdout, 'data');
      const holder = Number(String(printed));
      const stat = async () => readFile(`/proc/${holder}/stat`, 'utf8');
      const startedAt = (await stat()).split(' ')[21];
      process.kill(holder, 'SIGKILL');
      while (!(await stat()).includes(') Z ')) await new Promise(setImmediate);
      await writeFile(`${directory}.lock`, `${holder} ${startedAt}`);
      const lock = await lockDirectory(directory);
      await lock.release();
    } finally {
      careless.stdin.end();
      await once(careless, 'exit');
    }
  });

  it.each([
    ['a process that is gone', '4194303 12345'],
    ['a process whose number was given to another since', '1 999999999999'],
    ['nonsense', 'x'],
    ['nothing', ''],
  ])('given a lock of %s, when taken, then it is taken over', async (_what, content) => {
    await writeFile(`${directory}.lock`, content);
    const lock = await lockDirectory(directory);
    expect(await readFile(`${directory}.lock`, 'utf8')).toMatch(new RegExp(`^${process.pid} `));
    await lock.release();
    expect(await readdir(parent)).toEqual([]);
  });

  it('given a lock that another process took over, when released, then it stays', async () => {
    const lock = await lockDirectory(directory);
    await writeFile(`${directory}.lock`, '1 1');
    await lock.release();
    expect(await readFile(`${directory}.lock`, 'utf8')).toBe('1 1');
  });
});
