import { type FileHandle, open } from 'node:fs/promises';

/** Exclusive use of a data directory. */
export interface DirectoryLock {
  release(): Promise<void>;
}

/**
 * Locks the file `<directory>.lock` for this process. The operating system holds the lock and releases it when the process ends,
 * however it ends (Linux: open file description lock, macOS: `flock`). The file itself is never removed: a contender that had opened
 * the removed file could lock it while another one locks its successor.
 *
 * @throws Error with a plain sentence when another process, or another part of this one, holds the lock
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  const tryLock = await loadTryLock(directory);
  const file = await open(`${directory}.lock`, 'a+', 0o600);
  try {
    if (!tryLock(file.fd)) throw new Error(inUse(directory, await readHolder(file)));
    // For the message of the next contender only; the lock does not depend on it.
    await file.truncate(0);
    await file.write(`${process.pid}\n`);
  } catch (error) {
    await file.close();
    throw error;
  }
  let closing: Promise<void> | undefined;
  return {
    release() {
      closing ??= file.close();
      return closing;
    },
  };
}

/** Loads the native module here, because it is not needed without a data directory and does not exist for every platform. */
async function loadTryLock(directory: string): Promise<(fd: number) => boolean> {
  try {
    const { tryLock } = await import('fs-native-extensions');
    return tryLock;
  } catch (cause) {
    throw new Error(
      `The data directory ${directory} cannot be locked on this platform (${process.platform} ${process.arch}). ` +
        'Set DATABASE_URL to use a PostgreSQL server, or GATEFOLD_DATA_DIR=memory to keep no data.',
      { cause },
    );
  }
}

async function readHolder(file: FileHandle): Promise<string | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(32), 0, 32, 0);
  return /^\d+(?=\n)/.exec(buffer.toString('latin1', 0, bytesRead))?.[0];
}

function inUse(directory: string, holder: string | undefined): string {
  const by = holder === undefined ? 'another process' : `process ${holder}`;
  return `The data in ${directory} is in use by ${by}. Stop it first, or choose another directory with GATEFOLD_DATA_DIR.`;
}
