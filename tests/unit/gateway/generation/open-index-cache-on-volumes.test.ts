import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { IndexCache, IndexedSupergraph } from '../../../../gateway/generation/index-cache.ts';
import { openIndexCache } from '../../../../gateway/generation/open-index-cache.ts';
import type { EncodedIndexes } from '../../../../gateway/planning/indexing/encode-indexes.ts';
import { silentLogger } from '../../../../gateway/platform/logger.ts';

const SUPERGRAPH: IndexedSupergraph = { sdl: 'type Query { a: Int }', hasAuthentication: true };
const INDEXES: EncodedIndexes = { serving: Buffer.from('the serving index'), planning: Buffer.from('the planning index') };
const PLAIN = ['the serving index', 'the planning index'];

const WRITABLE = 'other users can write to the file. On a volume of Kubernetes, set fsGroupChangePolicy of the pod to OnRootMismatch';

const OTHER_USER = 12_345;
const isRoot = process.geteuid?.() === 0;

interface OpenedCache extends IndexCache {
  /** Warnings and other messages for operators. */
  readonly messages: string[];
}

function open(directory: string): OpenedCache {
  const messages: string[] = [];
  const record = (_facts: unknown, message?: unknown): void => void messages.push(String(message));
  const logger = { ...silentLogger, warn: record, info: record, error: record };
  return { ...openIndexCache({ directory, logger, codeId: 'code' }), messages };
}

/** Stores indexes. @returns path of the file */
async function storeIn(directory: string): Promise<string> {
  const cache = open(directory);
  await cache.write(SUPERGRAPH, INDEXES);
  expect(cache.messages).toEqual([]);
  const [name = ''] = await readdir(directory);
  return join(directory, name);
}

/** Asserts that the stored indexes are not used, with a warning. @returns the cache */
async function expectRefused(directory: string, reason: string): Promise<OpenedCache> {
  const cache = open(directory);
  expect(await cache.read(SUPERGRAPH)).toBeUndefined();
  expect(cache.messages).toEqual([expect.stringContaining(`Stored indexes of the supergraph are not used: ${reason}`)]);
  return cache;
}

/** Permissions that the kubelet adds for `fsGroup`: to files, and to directories, whose new files get the group. */
const GROUP_OF_FILE = 0o660;
const GROUP_OF_DIRECTORY = 0o2770;

/** Does what the kubelet does when it mounts a volume for a pod with `fsGroup`, except for the owning group. */
async function mount(volume: string, policy: 'Always' | 'OnRootMismatch'): Promise<void> {
  const { mode } = await stat(volume);
  if (policy === 'OnRootMismatch' && (mode & GROUP_OF_DIRECTORY) === GROUP_OF_DIRECTORY) return;
  await chmod(volume, (mode & 0o7777) | GROUP_OF_DIRECTORY);
  for (const entry of await readdir(volume, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    await chmod(path, ((await stat(path)).mode & 0o7777) | (entry.isDirectory() ? GROUP_OF_DIRECTORY : GROUP_OF_FILE));
  }
}

describe('a file of the index cache on a volume with fsGroup', () => {
  let parent: string;
  let volume: string;
  let directory: string;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'gatefold-volumes-'));
    volume = join(parent, 'volume');
    directory = join(volume, 'supergraphs');
    await mkdir(volume);
  });
  afterEach(async () => rm(parent, { recursive: true }));

  it('is refused when the group gets write access at the next mount, and replaced', async () => {
    await mount(volume, 'Always');
    const path = await storeIn(directory);
    await mount(volume, 'Always');
    expect((await stat(path)).mode & 0o777).toBe(0o660);
    const cache = await expectRefused(directory, WRITABLE);
    await cache.write(SUPERGRAPH, INDEXES);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('is used after the next mount with OnRootMismatch, and has no access for the group', async () => {
    await mount(volume, 'OnRootMismatch');
    const path = await storeIn(directory);
    await mount(volume, 'OnRootMismatch');
    const cache = open(directory);
    expect(plain(await cache.read(SUPERGRAPH))).toEqual(PLAIN);
    expect(cache.messages).toEqual([]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['the group', 0o2775],
    ['everyone, as to an emptyDir,', 0o2777],
  ])('is used by the next container when %s has write access to the volume', async (_who, mode) => {
    await chmod(volume, mode);
    const path = await storeIn(directory);
    const cache = open(directory);
    expect(plain(await cache.read(SUPERGRAPH))).toEqual(PLAIN);
    expect(cache.messages).toEqual([]);
    expect([(await stat(path)).mode & 0o777, (await stat(directory)).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  it('is used by the next container when the volume belongs to root', async () => {
    const { seteuid, setegid } = process;
    if (!isRoot || seteuid === undefined || setegid === undefined) {
      console.warn('Skipped: only root can become another user.');
      return;
    }
    await chmod(parent, 0o755);
    await chown(volume, 0, OTHER_USER);
    await chmod(volume, 0o2777);
    setegid(OTHER_USER);
    seteuid(OTHER_USER);
    try {
      const path = await storeIn(directory);
      const cache = open(directory);
      expect(plain(await cache.read(SUPERGRAPH))).toEqual(PLAIN);
      expect(cache.messages).toEqual([]);
      expect(await stat(path)).toMatchObject({ uid: OTHER_USER, gid: OTHER_USER });
    } finally {
      seteuid(0);
      setegid(0);
    }
  });

  it('is refused when another user puts it into the place of the directory', async () => {
    if (!isRoot) {
      console.warn('Skipped: only root can give a file to another user.');
      return;
    }
    await chmod(volume, 0o2777);
    const path = await storeIn(directory);
    const content = await readFile(path);
    await rename(directory, `${directory}-before`);
    await mkdir(directory);
    await writeFile(path, content, { mode: 0o600 });
    for (const each of [directory, path]) await chown(each, OTHER_USER, OTHER_USER);
    await expectRefused(directory, 'the file belongs to another user.');
  });
});

function plain(indexes: EncodedIndexes | undefined): readonly string[] | undefined {
  return indexes && [indexes.serving, indexes.planning].map((bytes) => Buffer.from(bytes).toString('utf8'));
}
