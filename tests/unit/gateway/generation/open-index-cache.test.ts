import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { IndexCache, IndexedSupergraph } from '../../../../gateway/generation/index-cache.ts';
import { openConfiguredIndexCache, openIndexCache } from '../../../../gateway/generation/open-index-cache.ts';
import type { EncodedIndexes } from '../../../../gateway/planning/indexing/encode-indexes.ts';
import { packageRoot } from '../../../../gateway/platform/package-root.ts';
import { type Logger, silentLogger } from '../../../../gateway/platform/logger.ts';

const SUPERGRAPH: IndexedSupergraph = { sdl: 'type Query { a: Int }', hasAuthentication: true };
const INDEXES: EncodedIndexes = { serving: Buffer.from('the serving index'), planning: Buffer.from('the planning index') };

/** Positions in a file: its digest, the digest of its name, the length of the serving index, and both indexes. */
const DIGEST = 0;
const KEY = 32;
const LENGTH = 64;
const BODY = 68;

const OTHER_USER = 12_345;
const HOUR_MS = 3_600_000;
const isRoot = process.geteuid?.() === 0;

let parent: string;
let directory: string;
let count = 0;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'gatefold-indexes-'));
});
beforeEach(() => {
  count += 1;
  directory = join(parent, `cache-${count}`);
});
afterAll(async () => rm(parent, { recursive: true }));

type Entry = readonly [level: string, message: string];

interface OpenedCache extends IndexCache {
  readonly entries: Entry[];
}

function open({ codeId = 'code', at = directory } = {}): OpenedCache {
  const entries: Entry[] = [];
  const record =
    (level: string) =>
    (_facts: unknown, message?: unknown): void =>
      void entries.push([level, String(message)]);
  const logger: Logger = { ...silentLogger, warn: record('warn'), info: record('info'), error: record('error') };
  return { ...openIndexCache({ directory: at, logger, codeId }), entries };
}

/** Stores indexes. @returns path of the only file */
async function store(supergraph = SUPERGRAPH, indexes = INDEXES): Promise<string> {
  const before = new Set(await readdir(directory).catch(() => []));
  const cache = open();
  await cache.write(supergraph, indexes);
  expect(cache.entries).toEqual([]);
  const name = (await readdir(directory)).find((each) => !before.has(each)) ?? '';
  return join(directory, name);
}

async function flip(path: string, position: number): Promise<void> {
  const content = await readFile(path);
  content.writeUInt8(content.readUInt8(position) ^ 1, position);
  await writeFile(path, content);
}

async function replaceByDirectory(path: string): Promise<void> {
  await rm(path);
  await mkdir(path);
}

async function replaceByPipe(path: string): Promise<void> {
  await rm(path);
  execFileSync('mkfifo', [path]);
}

const DAMAGED = 'the file is damaged.';
const WRITABLE = 'other users can write to the file. On a volume of Kubernetes, set fsGroupChangePolicy of the pod to OnRootMismatch';

/** Asserts that the file is not used, with a warning. @returns the cache */
async function expectRefused(path: string, reason: string): Promise<OpenedCache> {
  const cache = open();
  expect(await cache.read(SUPERGRAPH)).toBeUndefined();
  expect(cache.entries).toEqual([['warn', expect.stringContaining(`Stored indexes of the supergraph are not used: ${reason}`)]]);
  expect(path).toContain(directory);
  return cache;
}

const DAMAGE: readonly (readonly [title: string, damage: (path: string) => Promise<void>, reason?: string])[] = [
  ['is empty', async (path) => truncate(path, 0)],
  ['ends in its head', async (path) => truncate(path, BODY - 1)],
  ['ends too early', async (path) => truncate(path, BODY + 20)],
  ['has a wrong bit in its digest', async (path) => flip(path, DIGEST)],
  ['has a wrong bit in the digest of its name', async (path) => flip(path, KEY)],
  ['has a wrong bit in the length', async (path) => flip(path, LENGTH)],
  ['has a wrong bit in the serving index', async (path) => flip(path, BODY)],
  ['has a wrong bit in the planning index', async (path) => flip(path, BODY + INDEXES.serving.length + 1)],
  ['is longer than any file of the cache', async (path) => truncate(path, 40_000_000)],
  ['has an additional byte', async (path) => writeFile(path, 'x', { flag: 'a' })],
  ['can be written to by its group', async (path) => chmod(path, 0o620), WRITABLE],
  ['can be written to by everyone', async (path) => chmod(path, 0o602), WRITABLE],
];

describe('a file of the index cache', () => {
  it.each(DAMAGE)('is not used when it %s, and replaced by the next write', async (_name, damage, reason = DAMAGED) => {
    const path = await store();
    await damage(path);
    const cache = await expectRefused(path, reason);
    await cache.write(SUPERGRAPH, INDEXES);
    expect(plain(await cache.read(SUPERGRAPH))).toEqual(plain(INDEXES));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(cache.entries).toHaveLength(1);
  });

  it('is not used when it is a directory, which is left there without unfinished files', async () => {
    const path = await store();
    await replaceByDirectory(path);
    const cache = await expectRefused(path, 'the path is not that of a file.');
    await cache.write(SUPERGRAPH, INDEXES);
    expect(cache.entries[1]).toEqual(['info', expect.stringContaining('cannot be stored')]);
    expect(await readdir(directory)).toHaveLength(1);
  });

  it('is not awaited when it is a named pipe', async () => {
    const path = await store();
    await replaceByPipe(path);
    await expectRefused(path, 'the path is not that of a file.');
  }, 5_000);

  it('is not used when it belongs to another user', async () => {
    if (!isRoot) {
      console.warn('Skipped: only root can give a file to another user.');
      return;
    }
    const path = await store();
    await chown(path, OTHER_USER, OTHER_USER);
    await expectRefused(path, 'the file belongs to another user.');
  });

  it('is used when it belongs to root, although another user cannot note the use', async () => {
    const { seteuid } = process;
    if (!isRoot || seteuid === undefined) {
      console.warn('Skipped: only root can become another user.');
      return;
    }
    const path = await store();
    const usedAt = new Date(Date.now() - HOUR_MS);
    await utimes(path, usedAt, usedAt);
    for (const shared of [parent, directory]) await chmod(shared, 0o755);
    await chmod(path, 0o644);
    const cache = open();
    seteuid(OTHER_USER);
    try {
      expect(plain(await cache.read(SUPERGRAPH))).toEqual(plain(INDEXES));
    } finally {
      seteuid(0);
    }
    expect(cache.entries).toEqual([]);
    expect((await stat(path)).mtimeMs).toBeCloseTo(usedAt.getTime(), -1);
  });

  it('is not used for another supergraph whose file it replaces', async () => {
    const path = await store();
    const other = await store({ ...SUPERGRAPH, sdl: 'type Query { secret: Int }' });
    await rename(other, path);
    await expectRefused(path, DAMAGED);
  });

  it('is not used for another supergraph that links to it', async () => {
    const path = await store();
    const other = await store({ ...SUPERGRAPH, sdl: 'type Query { secret: Int }' });
    await rm(path);
    await symlink(other, path);
    await expectRefused(path, DAMAGED);
  });
});

describe('IndexCache.read', () => {
  it('returns nothing, without a message, when nothing was stored', async () => {
    const cache = open();
    expect(await cache.read(SUPERGRAPH)).toBeUndefined();
    expect(cache.entries).toEqual([]);
  });

  it('returns nothing for other code, without authentication, and for a changed supergraph', async () => {
    await store();
    const [cache, newer] = [open(), open({ codeId: 'newer' })];
    expect(await newer.read(SUPERGRAPH)).toBeUndefined();
    expect(await cache.read({ ...SUPERGRAPH, hasAuthentication: false })).toBeUndefined();
    expect(await cache.read({ ...SUPERGRAPH, sdl: `${SUPERGRAPH.sdl} ` })).toBeUndefined();
    expect([...cache.entries, ...newer.entries]).toEqual([]);
  });

  it.each([
    ['short indexes', INDEXES],
    ['empty indexes', { serving: new Uint8Array(), planning: new Uint8Array() }],
    ['long indexes', { serving: new Uint8Array(300_000).fill(7), planning: new Uint8Array(200_000).fill(9) }],
  ])('returns the same %s as were written', async (_name, indexes) => {
    await store(SUPERGRAPH, indexes);
    expect(plain(await open().read(SUPERGRAPH))).toEqual(plain(indexes));
  });

  it('returns indexes that do not share memory, because they are sent to different threads', async () => {
    await store();
    const indexes = await open().read(SUPERGRAPH);
    expect([indexes?.serving.buffer.byteLength, indexes?.planning.buffer.byteLength]).toEqual([
      INDEXES.serving.length,
      INDEXES.planning.length,
    ]);
  });

  it('notes that the file was used, and does not change it', async () => {
    const path = await store();
    const [before, old] = [await readFile(path), new Date(Date.now() - HOUR_MS)];
    await utimes(path, old, old);
    await open().read(SUPERGRAPH);
    expect((await stat(path)).mtimeMs).toBeGreaterThan(Date.now() - HOUR_MS / 2);
    expect(await readFile(path)).toEqual(before);
  });
});

describe('IndexCache.write', () => {
  it('reports a directory that cannot be created once, with the names of the settings', async () => {
    const file = join(parent, 'file');
    await writeFile(file, '');
    const cache = open({ at: join(file, 'cache') });
    await cache.write(SUPERGRAPH, INDEXES);
    await cache.write(SUPERGRAPH, INDEXES);
    expect(await cache.read(SUPERGRAPH)).toBeUndefined();
    expect(cache.entries).toEqual([
      ['info', expect.stringMatching(/cannot be stored.*supergraph\.indexDirectory.*supergraph\.storeIndexes/)],
    ]);
  });

  it('restricts the file and the directory to the user', async () => {
    const path = await store();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
  });

  it('stores a whole file when several processes write the same supergraph, without a message', async () => {
    const writers = Array.from({ length: 12 }, () => open());
    const large = { serving: new Uint8Array(100_000).fill(1), planning: new Uint8Array(100_000).fill(2) };
    await Promise.all(writers.map(async (cache) => cache.write(SUPERGRAPH, large)));
    expect(writers.flatMap(({ entries }) => entries)).toEqual([]);
    expect(await readdir(directory)).toHaveLength(1);
    expect(plain(await open().read(SUPERGRAPH))).toEqual(plain(large));
  });

  it('removes unfinished files that are older than an hour, and no other files', async () => {
    const path = await store();
    const [fresh, old, foreign] = [`${path}.0123456789ab`, `${path}.ba9876543210`, join(directory, 'notes.indexes-of-2020')];
    for (const each of [fresh, old, foreign]) await writeFile(each, 'x');
    for (const each of [old, foreign]) await utimes(each, 0, 0);
    await open().write(SUPERGRAPH, INDEXES);
    expect((await readdir(directory)).toSorted()).toEqual(
      [path, fresh, foreign].map((each) => each.slice(directory.length + 1)).toSorted(),
    );
  });

  it('retains the 16 supergraphs that were used most recently', async () => {
    const supergraphs = Array.from({ length: 17 }, (_, index) => ({ ...SUPERGRAPH, sdl: `type Query { a${index}: Int }` }));
    for (const [index, supergraph] of supergraphs.slice(0, 16).entries()) {
      const usedAt = new Date(Date.now() - (20 - index) * 60_000);
      await utimes(await store(supergraph), usedAt, usedAt);
    }
    await Promise.all(Array.from({ length: 20 }, async (_, index) => writeFile(join(directory, `${index}.indexes`), '')));
    const cache = open();
    const [first, second, ...others] = supergraphs as [IndexedSupergraph, IndexedSupergraph, ...IndexedSupergraph[]];
    await cache.read(first);
    await cache.write(supergraphs[16] ?? first, INDEXES);
    expect(await cache.read(second)).toBeUndefined();
    for (const supergraph of [first, ...others]) expect(plain(await cache.read(supergraph))).toEqual(plain(INDEXES));
    expect(await readdir(directory)).toHaveLength(36);
  });

  it('retains at most 32 MiB, and does not store more at once', async () => {
    const cache = open();
    const large: EncodedIndexes = { serving: new Uint8Array(20_000_000), planning: INDEXES.planning };
    await cache.write(SUPERGRAPH, large);
    const [first = ''] = await readdir(directory);
    await utimes(join(directory, first), 1, 1);
    await cache.write({ ...SUPERGRAPH, sdl: 'another' }, large);
    expect(await readdir(directory)).toHaveLength(1);
    expect(await readdir(directory)).not.toContain(first);
    await cache.write({ ...SUPERGRAPH, sdl: 'a third' }, { ...large, planning: new Uint8Array(14_000_000) });
    expect(await readdir(directory)).toHaveLength(1);
    expect(cache.entries).toEqual([]);
  });
});

describe('openConfiguredIndexCache', () => {
  it('opens no cache when it is switched off, or without a directory', () => {
    expect(openConfiguredIndexCache({ storeIndexes: false, indexDirectory: directory }, silentLogger)).toBeUndefined();
    expect(openConfiguredIndexCache({ storeIndexes: true, indexDirectory: undefined }, silentLogger)).toBeUndefined();
  });

  it('opens no cache when sources run under tsx, because the build does not identify them', () => {
    const settings = JSON.stringify({ storeIndexes: true, indexDirectory: directory });
    const script = `import { openConfiguredIndexCache } from './gateway/generation/open-index-cache.ts'; console.log(openConfiguredIndexCache(${settings}, console));`;
    const args = ['--import', 'tsx', '--input-type=module', '--eval', script];
    expect(execFileSync(process.execPath, args, { cwd: packageRoot, encoding: 'utf8' })).toBe('undefined\n');
  });

  it('opens a cache in the directory', async () => {
    const cache = openConfiguredIndexCache({ storeIndexes: true, indexDirectory: directory }, silentLogger);
    await cache?.write(SUPERGRAPH, INDEXES);
    expect(plain(await cache?.read(SUPERGRAPH))).toEqual(plain(INDEXES));
    expect(await open().read(SUPERGRAPH)).toBeUndefined();
  });
});

/** Returns the indexes as text, because arrays of different classes are not equal. */
function plain(indexes: EncodedIndexes | undefined): readonly string[] | undefined {
  return indexes && [indexes.serving, indexes.planning].map((bytes) => Buffer.from(bytes).toString('base64'));
}
