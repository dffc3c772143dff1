import { chmod, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemErrorCode } from '../../gateway/platform/file-errors.ts';

/** Permission bits of the group and of everybody else. */
const OF_OTHERS = 0o077;

/** Files and directories that this process creates from now on are for its user alone. A worker thread cannot change the mask: it inherits it. */
export function keepNewFilesPrivate(): void {
  try {
    process.umask(OF_OTHERS);
  } catch (error) {
    if (systemErrorCode(error) !== 'ERR_WORKER_UNSUPPORTED_OPERATION') throw error;
  }
}

/**
 * Takes the rights of the group and of everybody else from a directory and all that is below it. Symbolic links are left alone.
 *
 * @throws the error of the file system, for instance when a file belongs to another user
 */
export async function makePrivate(path: string): Promise<void> {
  const status = await lstat(path);
  if (status.isSymbolicLink()) return;
  if ((status.mode & OF_OTHERS) !== 0) await chmod(path, status.mode & 0o700);
  if (!status.isDirectory()) return;
  for (const name of await readdir(path)) await makePrivate(join(path, name));
}
