import { chmod, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemErrorCode } from '../../../gateway/platform/file-errors.ts';

/** Permission bits of the group and of all other users. */
const OF_OTHERS = 0o077;

/** Makes new files and directories of this process accessible only to its user. A worker thread cannot change the mask, but inherits it. */
export function keepNewFilesPrivate(): void {
  try {
    process.umask(OF_OTHERS);
  } catch (error) {
    if (systemErrorCode(error) !== 'ERR_WORKER_UNSUPPORTED_OPERATION') throw error;
  }
}

/**
 * Removes the permissions of the group and of all other users from a directory and everything below it. Symbolic links are not changed.
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
