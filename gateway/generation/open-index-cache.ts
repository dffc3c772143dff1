import { createHash, randomBytes, webcrypto } from 'node:crypto';
import { constants, existsSync, readFileSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { builtModule, isSourceRun, packageRoot } from '../platform/package-root.ts';
import type { SupergraphSection } from '../config/sections/supergraph.ts';
import type { Logger } from '../platform/logger.ts';
import type { EncodedIndexes } from '../planning/indexing/encode-indexes.ts';
import type { IndexCache, IndexedSupergraph } from './index-cache.ts';

export interface IndexCacheOptions {
  /** Directory of the cache. It is created when the first indexes are stored. */
  readonly directory: string;
  readonly logger: Logger;
  /** Identifies the code that creates and reads the indexes. Indexes of other code are not used. */
  readonly codeId: string;
}

const SUFFIX = '.indexes';

/** Matches the names of files of the cache. Only an unfinished file has the second part. The directory may contain other files. */
const FILE_NAME = /^[\da-f]{64}\.indexes(?<unfinished>\.[\da-f]{12})?$/;

/** Maximum number of supergraphs whose indexes are stored. Those that have not been used for the longest time are removed. */
const MAX_STORED = 16;

/** Maximum size of all stored indexes. Those of 20,000 types have 3 MB. @unit bytes */
const MAX_STORED_BYTES = 33_554_432;

/** Age at which a file is removed that a process has not finished to write. @unit milliseconds */
const MAX_UNFINISHED_MS = 3_600_000;

/**
 * A file begins with the SHA-256 of everything after it, the digest in its name, and the length of the serving index. A file with the name
 * of another one, which a user with access to the directory can rename, would otherwise decide about the fields of another supergraph.
 */
const DIGEST_BYTES = 32;
const LENGTH_AT = 2 * DIGEST_BYTES;
const HEAD_BYTES = LENGTH_AT + 4;

/** Permissions of a file: those that do not belong to its owner. */
const WRITABLE_BY_OTHERS = 0o022;

/** Opens the cache as configured. @returns undefined when no indexes are stored */
export function openConfiguredIndexCache(
  { storeIndexes, indexDirectory: directory }: Pick<SupergraphSection, 'storeIndexes' | 'indexDirectory'>,
  logger: Logger,
): IndexCache | undefined {
  if (!storeIndexes || directory === undefined) return undefined;
  const codeId = idOfBuild();
  return codeId === undefined ? undefined : openIndexCache({ directory, logger, codeId });
}

/**
 * Opens the cache of indexes in a directory. Its files decide who may read which field, so a file is used only if it belongs to the user of
 * the process or to root, if no other user can change it, and if its digest is correct. Its name contains the digest of the supergraph and of
 * everything else that the indexes depend on. The permissions of the directory do not matter: with write access to it, another user can
 * remove, rename and add files, but no file of that user is used, and no renamed one.
 */
export function openIndexCache({ directory, logger, codeId }: IndexCacheOptions): IndexCache {
  let isReported = false;
  /** Digests of supergraphs. The same digest is needed to read stored indexes, and to store new ones if there are none. */
  const keys = new WeakMap<IndexedSupergraph, Promise<Buffer>>();

  function report(err: unknown, problem: string): void {
    if (isReported) return;
    isReported = true;
    logger.info(
      { err, directory },
      `${problem} Each start reads the whole supergraph. Set supergraph.indexDirectory to a directory that the gateway can write to, ` +
        'or supergraph.storeIndexes to false.',
    );
  }

  /** Returns the digest of everything that the indexes depend on. */
  function keyOf(supergraph: IndexedSupergraph): Promise<Buffer> {
    let key = keys.get(supergraph);
    if (key === undefined) {
      const { sdl, hasAuthentication } = supergraph;
      key = digestInSteps(`${JSON.stringify([codeId, process.versions.v8, hasAuthentication])}\n`, sdl);
      keys.set(supergraph, key);
    }
    return key;
  }

  function pathOf(key: Buffer): string {
    return join(directory, `${key.toString('hex')}${SUFFIX}`);
  }

  /** Notes that a file has been used. That of another owner cannot be changed, and is as usable. */
  async function noteUse(path: string): Promise<void> {
    try {
      await utimes(path, new Date(), new Date());
    } catch (err) {
      logger.debug({ err, path }, 'The time at which stored indexes were used was not noted.');
    }
  }

  async function clean(): Promise<void> {
    try {
      await removeOld(directory);
    } catch (err) {
      logger.debug({ err, directory }, 'Old indexes were not removed.');
    }
  }

  return {
    async read(supergraph) {
      let path = '';
      try {
        const key = await keyOf(supergraph);
        path = pathOf(key);
        const indexes = await decode(await readOwnFile(path), key);
        await noteUse(path);
        return indexes;
      } catch (err) {
        if (err instanceof FileRefused) logger.warn({ path }, `Stored indexes of the supergraph are not used: ${err.message}`);
        else if (codeOf(err) !== 'ENOENT') logger.debug({ err, path }, 'No stored indexes of the supergraph were read.');
        return undefined;
      }
    },
    async write(supergraph, indexes) {
      try {
        if (HEAD_BYTES + indexes.serving.length + indexes.planning.length > MAX_STORED_BYTES) return;
        const key = await keyOf(supergraph);
        await mkdir(directory, { recursive: true, mode: 0o700 });
        await replaceFile(pathOf(key), await encode(indexes, key));
      } catch (err) {
        report(err, 'The indexes of the supergraph cannot be stored.');
        return;
      }
      await clean();
    },
  };
}

/** Length of the text that is digested in one iteration of the event loop. @unit UTF-16 code units */
const STEP_LENGTH = 131_072;

/**
 * Returns the SHA-256 of a text in UTF-16. A step can end between the two code units of a character. In UTF-8, each of them would become
 * the replacement character, so that different texts could have the same digest.
 */
async function digestInSteps(head: string, text: string): Promise<Buffer> {
  const hash = createHash('sha256').update(head, 'utf16le');
  for (let start = 0; start < text.length; start += STEP_LENGTH) {
    await nextIteration();
    hash.update(text.slice(start, start + STEP_LENGTH), 'utf16le');
  }
  return hash.digest();
}

/** Thrown for a file that is not used. The message is intended for the operator of the gateway. */
class FileRefused extends Error {}

/** @throws FileRefused for anything but a file, and for a file that another user owns or can change */
async function readOwnFile(path: string): Promise<Buffer> {
  // A named pipe would otherwise be awaited until a process writes to it.
  await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const status = await file.stat();
  if (!status.isFile()) throw new FileRefused('the path is not that of a file.');
  if (status.size > MAX_STORED_BYTES) throw new FileRefused('the file is damaged.');
  const own = process.geteuid?.();
  // Windows has neither owners nor permissions of this kind.
  if (own === undefined) return file.readFile();
  if (status.uid !== own && status.uid !== 0) throw new FileRefused('the file belongs to another user.');
  if ((status.mode & WRITABLE_BY_OTHERS) === 0) return file.readFile();
  throw new FileRefused(
    'other users can write to the file. On a volume of Kubernetes, set fsGroupChangePolicy of the pod to OnRootMismatch, so that the group ' +
      'does not get write access at each start.',
  );
}

/** Replaces a file so that other processes see either the old content or the new one. */
async function replaceFile(path: string, content: Buffer): Promise<void> {
  const unfinished = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(unfinished, content, { mode: 0o600, flag: 'wx' });
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function encode({ serving, planning }: EncodedIndexes, key: Buffer): Promise<Buffer> {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(serving.length);
  const body = Buffer.concat([key, length, serving, planning]);
  return Buffer.concat([await sha256(body), body]);
}

/** @throws FileRefused for a damaged file, and for one of another key */
async function decode(content: Buffer, key: Buffer): Promise<EncodedIndexes> {
  if (content.length < HEAD_BYTES || !key.equals(content.subarray(DIGEST_BYTES, LENGTH_AT))) throw new FileRefused('the file is damaged.');
  const digest = await sha256(content.subarray(DIGEST_BYTES));
  if (!digest.equals(content.subarray(0, DIGEST_BYTES))) throw new FileRefused('the file is damaged.');
  const end = HEAD_BYTES + content.readUInt32LE(LENGTH_AT);
  // Each index is copied, because a view would be sent to the planner's thread, and retained, together with the whole file.
  return { serving: new Uint8Array(content.subarray(HEAD_BYTES, end)), planning: new Uint8Array(content.subarray(end)) };
}

/** Computes a digest in another thread, because that of a large supergraph takes milliseconds. */
async function sha256(bytes: Parameters<typeof webcrypto.subtle.digest>[1]): Promise<Buffer> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes));
}

/** Removes the indexes that have not been used for the longest time, and unfinished files. */
async function removeOld(directory: string): Promise<void> {
  const files = (await Promise.all((await readdir(directory)).map(async (name) => storedFile(directory, name)))).flat();
  const finished = files.filter(({ isFinished }) => isFinished).toSorted((one, other) => other.usedAt - one.usedAt);
  const removed = files.filter(({ isFinished, usedAt }) => !isFinished && usedAt < Date.now() - MAX_UNFINISHED_MS);
  let count = 0;
  let bytes = 0;
  for (const file of finished) {
    count += 1;
    bytes += file.size;
    if (count > MAX_STORED || bytes > MAX_STORED_BYTES) removed.push(file);
  }
  await Promise.all(removed.map(({ path }) => rm(path, { force: true })));
}

interface StoredFile {
  readonly path: string;
  readonly isFinished: boolean;
  /** @unit bytes */
  readonly size: number;
  /** @unit milliseconds since the epoch */
  readonly usedAt: number;
}

/** Returns nothing for a file that is not of the cache, or that another process has just renamed or removed. */
async function storedFile(directory: string, name: string): Promise<readonly StoredFile[]> {
  const match = FILE_NAME.exec(name);
  if (match === null) return [];
  const path = join(directory, name);
  try {
    const status = await stat(path);
    if (!status.isFile()) return [];
    return [{ path, isFinished: match.groups?.['unfinished'] === undefined, size: status.size, usedAt: status.mtimeMs }];
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/**
 * Returns the identity of this build: its version, and the module that creates indexes, which changes while the package is developed.
 *
 * @returns undefined when the sources run
 */
function idOfBuild(): string | undefined {
  const indexer = builtModule('gateway/planning/worker/create-indexes.bundle.js');
  if (isSourceRun || !existsSync(indexer)) return undefined;
  const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { readonly version: string };
  return `${version} ${createHash('sha256').update(readFileSync(indexer)).digest('hex')}`;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
