import { createHash, randomBytes, webcrypto } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, open, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtModule, packageRoot } from '../platform/package-root.ts';
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

/** Maximum number of supergraphs whose indexes are stored. Those that have not been used for the longest time are removed. */
const MAX_STORED = 16;

/** Maximum size of all stored indexes. Those of 20,000 types have 3 MB. @unit bytes */
const MAX_STORED_BYTES = 33_554_432;

/** Age at which a file is removed that a process has not finished to write. @unit milliseconds */
const MAX_UNFINISHED_MS = 3_600_000;

/** A file begins with the SHA-256 of everything after it, and the length of the serving index. */
const DIGEST_BYTES = 32;
const HEAD_BYTES = DIGEST_BYTES + 4;

/** Permissions of a file: those that do not belong to its owner. */
const WRITABLE_BY_OTHERS = 0o022;

/** Opens the cache as configured. @returns undefined when no indexes are stored */
export function openConfiguredIndexCache(
  { storeIndexes, indexDirectory: directory }: Pick<SupergraphSection, 'storeIndexes' | 'indexDirectory'>,
  logger: Logger,
): IndexCache | undefined {
  const codeId = idOfBuild();
  return storeIndexes && directory !== undefined && codeId !== undefined ? openIndexCache({ directory, logger, codeId }) : undefined;
}

/**
 * Opens the cache of indexes in a directory. Its files decide who may read which field, so a file is used only if it belongs to the user of
 * the process or to root, if no other user can change it, and if its digest is correct. Its name contains the digest of the supergraph and of
 * everything else that the indexes depend on.
 */
export function openIndexCache({ directory, logger, codeId }: IndexCacheOptions): IndexCache {
  let isReported = false;

  function report(err: unknown, problem: string): void {
    if (isReported) return;
    isReported = true;
    logger.info(
      { err, directory },
      `${problem} Each start reads the whole supergraph. Set supergraph.indexDirectory to a directory that the gateway can write to, ` +
        'or supergraph.storeIndexes to false.',
    );
  }

  async function pathOf({ sdl, hasAuthentication }: IndexedSupergraph): Promise<string> {
    const dependencies = JSON.stringify([codeId, process.versions.v8, hasAuthentication]);
    const digest = await sha256(Buffer.from(`${dependencies}\n${sdl}`));
    return join(directory, `${digest.toString('hex')}${SUFFIX}`);
  }

  return {
    async read(supergraph) {
      let path = '';
      try {
        path = await pathOf(supergraph);
        const content = await readOwnFile(path);
        const indexes = content && (await decode(content));
        if (indexes === undefined)
          logger.warn({ path }, 'Stored indexes of the supergraph are not used: the file is damaged, or others can change it.');
        else await utimes(path, new Date(), new Date());
        return indexes;
      } catch (err) {
        if (codeOf(err) !== 'ENOENT') logger.debug({ err, path }, 'No stored indexes of the supergraph were read.');
        return undefined;
      }
    },
    async write(supergraph, indexes) {
      try {
        if (indexes.serving.length + indexes.planning.length > MAX_STORED_BYTES) return;
        const path = await pathOf(supergraph);
        await mkdir(directory, { recursive: true, mode: 0o700 });
        const unfinished = `${path}.${randomBytes(6).toString('hex')}`;
        await writeFile(unfinished, await encode(indexes), { mode: 0o600, flag: 'wx' });
        await chmod(unfinished, 0o600);
        await rename(unfinished, path);
        await removeOld(directory);
      } catch (err) {
        report(err, 'The indexes of the supergraph cannot be stored.');
      }
    },
  };
}

/** Returns undefined for a file that another user owns or can change. */
async function readOwnFile(path: string): Promise<Buffer | undefined> {
  await using file = await open(path, 'r');
  const { uid, mode, size } = await file.stat();
  const own = process.getuid?.();
  // Windows has neither owners nor permissions of this kind.
  const isOwn = own === undefined || ((uid === own || uid === 0) && (mode & WRITABLE_BY_OTHERS) === 0);
  return isOwn && size <= MAX_STORED_BYTES ? file.readFile() : undefined;
}

async function encode({ serving, planning }: EncodedIndexes): Promise<Buffer> {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(serving.length);
  const body = Buffer.concat([length, serving, planning]);
  return Buffer.concat([await sha256(body), body]);
}

/** Returns undefined for a damaged file. */
async function decode(content: Buffer): Promise<EncodedIndexes | undefined> {
  if (content.length < HEAD_BYTES) return undefined;
  const digest = await sha256(content.subarray(DIGEST_BYTES));
  if (!digest.equals(content.subarray(0, DIGEST_BYTES))) return undefined;
  const end = HEAD_BYTES + content.readUInt32LE(DIGEST_BYTES);
  // Copies, because a part that is sent to a thread would be sent with the whole file.
  return { serving: Uint8Array.from(content.subarray(HEAD_BYTES, end)), planning: Uint8Array.from(content.subarray(end)) };
}

/** Computes a digest in another thread, because that of a large supergraph takes milliseconds. */
async function sha256(bytes: Parameters<typeof webcrypto.subtle.digest>[1]): Promise<Buffer> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes));
}

interface StoredFile {
  readonly path: string;
  readonly isFinished: boolean;
  /** @unit bytes */
  readonly size: number;
  /** @unit milliseconds since the epoch */
  readonly usedAt: number;
}

/** Removes the indexes that have not been used for the longest time, and unfinished files. */
async function removeOld(directory: string): Promise<void> {
  const names = (await readdir(directory)).filter((name) => name.includes(SUFFIX));
  const files = (await Promise.all(names.map((name) => readStored(directory, name)))).filter((file) => file !== undefined);
  const isOld = ({ usedAt }: StoredFile): boolean => usedAt < Date.now() - MAX_UNFINISHED_MS;
  const removed = files.filter((file) => !file.isFinished && isOld(file));
  let count = 0;
  let bytes = 0;
  for (const file of files.filter(({ isFinished }) => isFinished).toSorted((one, other) => other.usedAt - one.usedAt)) {
    count += 1;
    bytes += file.size;
    if (count > MAX_STORED || bytes > MAX_STORED_BYTES) removed.push(file);
  }
  await Promise.all(removed.map(({ path }) => rm(path, { force: true })));
}

/** Returns undefined for a file that another process has removed. */
async function readStored(directory: string, name: string): Promise<StoredFile | undefined> {
  const path = join(directory, name);
  try {
    const { size, mtimeMs } = await stat(path);
    return { path, isFinished: name.endsWith(SUFFIX), size, usedAt: mtimeMs };
  } catch {
    return undefined;
  }
}

/**
 * Returns the identity of this build: its version, and the module that creates indexes, which changes while the package is developed.
 *
 * @returns undefined when the sources run
 */
function idOfBuild(): string | undefined {
  const indexer = builtModule('gateway/planning/worker/create-indexes.bundle.js');
  if (!existsSync(indexer)) return undefined;
  const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { readonly version: string };
  return `${version} ${createHash('sha256').update(readFileSync(indexer)).digest('hex')}`;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
