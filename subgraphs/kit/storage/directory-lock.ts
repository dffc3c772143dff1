import { existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSettings } from './database-settings.ts';
import { StorageFailure } from './storage-failure.ts';

/** Name of the lock file inside a data directory. The embedded database ignores it. */
export const LOCK_FILE = 'gatefold.lock';

/** Exclusive use of a data directory. */
export interface DirectoryLock {
  /** Path of the directory without symbolic links. */
  readonly directory: string;
  release(): Promise<void>;
}

/**
 * Locks the file `gatefold.lock` inside a directory for this process, and creates the directory when it does not exist. The file has the
 * same identity under every path to the directory: by symbolic links and by several mounts. The operating system holds the lock and
 * releases it when the process ends in any way (Linux: open file description lock, macOS: `flock`). The file itself is never removed: a
 * contender that had opened the removed file could lock it while another one locks its successor.
 *
 * Earlier versions locked `<directory>.lock`, next to the directory. That file is locked too when it exists, so that a process of an
 * earlier version and one of this version do not use the directory at the same time.
 *
 * @throws Error when another process, or another component of this one, holds the lock
 */
export async function lockDirectory(path: string, settings: DatabaseSettings): Promise<DirectoryLock> {
  const tryLock = await loadTryLock(path, settings);
  await mkdir(path, { recursive: true, mode: 0o700 });
  const directory = await realpath(path);
  const files: FileHandle[] = [];
  const close = async (): Promise<void> => void (await Promise.all(files.map(async (file) => file.close())));
  try {
    for (const name of lockFilesOf(directory)) {
      const file = await open(name, 'a+', 0o600);
      files.push(file);
      if (!tryLock(file.fd)) throw new StorageFailure(inUse(path, await readHolder(file), settings));
      // The process id is only for the error message of the next contender; the lock does not depend on it.
      await file.truncate(0);
      await file.write(`${process.pid}\n`);
    }
  } catch (error) {
    await close();
    throw error;
  }
  let closing: Promise<void> | undefined;
  return {
    directory,
    release() {
      closing ??= close();
      return closing;
    },
  };
}

function lockFilesOf(directory: string): readonly string[] {
  const ofEarlierVersion = `${directory}.lock`;
  return [join(directory, LOCK_FILE), ...(existsSync(ofEarlierVersion) ? [ofEarlierVersion] : [])];
}

/** Loads the native module here, because it is not needed without a data directory and does not exist for every platform. */
async function loadTryLock(directory: string, settings: DatabaseSettings): Promise<(fd: number) => boolean> {
  try {
    const { tryLock } = await import('fs-native-extensions');
    return tryLock;
  } catch (cause) {
    throw new StorageFailure(
      `The data directory ${directory} cannot be locked on this platform (${process.platform} ${process.arch}). ` +
        `Set ${settings.url} to use a PostgreSQL server${settings.inMemory === undefined ? '' : `, or ${settings.inMemory} to store no data`}.`,
      { cause },
    );
  }
}

async function readHolder(file: FileHandle): Promise<string | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(32), 0, 32, 0);
  return /^\d+(?=\n)/.exec(buffer.toString('latin1', 0, bytesRead))?.[0];
}

function inUse(directory: string, holder: string | undefined, settings: DatabaseSettings): string {
  const by = holder === undefined ? 'another process' : `process ${holder}`;
  return `The data in ${directory} is in use by ${by}. Stop it first, or choose another directory with ${settings.directory}.`;
}
