import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { describeFileFailure } from '../../../gateway/platform/file-errors.ts';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import type { OpenedDatabase } from '../../../subgraphs/kit/storage/open-database.ts';
import { openStorage } from '../../../subgraphs/storage/open-storage.ts';

const IN_USE = 'is in use by process';
const open = async (directory: string, useSnapshot = true) => openStorage({ directory, useSnapshot, log: silentLogger });

/** Opens a directory in a separate process with its own mount namespace, after running `prepare` there. */
async function openInNamespace(prepare: string, directory: string): Promise<string> {
  const script = `import { openStorage } from ${JSON.stringify(join(packageRoot, 'dist/subgraphs/storage/open-storage.js'))};
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    openStorage({ directory: ${JSON.stringify(directory)}, log }).then(
      (storage) => { console.log('OPENED'); return storage.close(); },
      (error) => console.log(String(error.message ?? error)),
    );`;
  const command = `${prepare} && exec "${process.execPath}" --input-type=module -e "$SCRIPT"`;
  const child = spawn('unshare', ['-m', 'sh', '-c', command], { cwd: packageRoot, env: { ...process.env, SCRIPT: script } });
  const [output, errors] = [text(child.stdout), text(child.stderr)];
  await once(child, 'close');
  return (await output) + (await errors);
}

async function canMount(): Promise<boolean> {
  const child = spawn('unshare', ['-m', 'true'], { stdio: 'ignore' });
  const [code] = (await Promise.race([once(child, 'close'), once(child, 'error')])) as [unknown];
  return code === 0;
}
const onMounts = (await canMount()) ? it : it.skip;

describe('point 09: one data directory under several paths', () => {
  let parent: string;
  let directory: string;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'paths-'));
    directory = join(parent, 'data');
  });
  afterEach(async () => rm(parent, { recursive: true }));

  /** One directory serves all of these cases, because filling a directory takes most of the time. Each case leaves the data unchanged. */
  describe('with data', () => {
    let parentOfFilled: string;
    let filled: string;
    beforeAll(async () => {
      parentOfFilled = await mkdtemp(join(tmpdir(), 'paths-'));
      filled = join(parentOfFilled, 'data');
      await symlink(filled, join(parentOfFilled, 'link'));
      await symlink(parentOfFilled, join(parentOfFilled, 'up'));
    });
    afterAll(async () => rm(parentOfFilled, { recursive: true }));

    describe('that is open', () => {
      let storage: OpenedDatabase;
      beforeAll(async () => {
        storage = await open(filled);
      });
      afterAll(async () => storage.close());

      onMounts('is rejected when another process opens it through a second mount', async () => {
        const mounted = join(parent, 'elsewhere', 'data');
        await mkdir(mounted, { recursive: true });
        expect(await openInNamespace(`mount --bind "${filled}" "${mounted}"`, mounted)).toContain(`${IN_USE} ${process.pid}`);
      });

      it.each([
        ['a symbolic link', 'link'],
        ['a symbolic link in the middle of the path', 'up/data'],
        ['a trailing slash', 'data/'],
      ])('is rejected when it is also opened through %s', async (_how, path) => {
        await expect(open(join(parentOfFilled, path))).rejects.toThrow(IN_USE);
      });
    });

    it('remains when an earlier version locked a file next to it, and both locks are held', async () => {
      await rm(join(filled, 'gatefold.lock'), { force: true });
      await writeFile(`${filled}.lock`, '');
      const storage = await open(filled);
      const { tryLock } = await import('fs-native-extensions');
      const { open: openFile } = await import('node:fs/promises');
      const file = await openFile(`${filled}.lock`, 'a+');
      expect(tryLock(file.fd)).toBe(false);
      await file.close();
      await storage.close();
    });
  });

  it.each([true, false])('stores data through a link to an empty directory, with a snapshot: %s', async (useSnapshot) => {
    await mkdir(directory);
    await symlink(directory, join(parent, 'link'));
    const first = await open(join(parent, 'link'), useSnapshot);
    await first.database.scripts(async ({ query }) => query('delete from payments.payments where id <= 10'));
    await first.close();
    const second = await open(directory, useSnapshot);
    const count = async () => second.database.scripts(async ({ query }) => query('select count(*)::int from payments.payments'));
    expect(await count()).toEqual([{ count: 990 }]);
    await second.close();
    expect((await readdir(parent)).toSorted()).toEqual(['data', 'link']);
  });

  it.each(['data/gatefold.unfinished', 'data.unfinished'])(
    'replaces an incomplete database with the marker %s, while the lock is held',
    async (mark) => {
      await mkdir(join(directory, 'base'), { recursive: true });
      await writeFile(join(directory, 'PG_VERSION'), 'half');
      await writeFile(join(directory, 'gatefold.lock'), '');
      await writeFile(join(parent, mark), '');
      const storage = await open(directory);
      await expect(open(directory)).rejects.toThrow(IN_USE);
      await storage.close();
      expect(existsSync(join(parent, mark))).toBe(false);
    },
  );

  it('removes no file from a directory that has other files and no database', async () => {
    await mkdir(directory);
    await writeFile(join(directory, 'letter'), 'keep me');
    const opening = open(directory).then(async (storage) => storage.close());
    await opening.catch(() => {});
    expect(existsSync(join(directory, 'letter'))).toBe(true);
  });

  it('rejects a broken link with a full sentence', async () => {
    await symlink(join(parent, 'nowhere'), join(parent, 'link'));
    await expect(open(join(parent, 'link'))).rejects.toThrow(/^The data directory .*link cannot be used: .*\.$/);
  });

  it.each([20, 28, 44])('describes error %i of the embedded database, which is not an Error', (errno) => {
    expect(describeFileFailure({ name: 'ErrnoError', errno })).toMatch(/^\w.* \w/);
  });
});
