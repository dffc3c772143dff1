import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describeFileFailure, systemErrorCode } from '../../gateway/platform/file-errors.ts';
import { CommandFailed } from '../command-failed.ts';
import type { ProjectFile } from './new-project.ts';

/** What happened to a file. */
export interface FileStatus {
  readonly path: string;
  /** `kept`: the file existed and was not changed. */
  readonly status: 'written' | 'kept';
}

/** Writes files below a directory. @param force whether existing files are overwritten @throws CommandFailed if a file cannot be written */
export async function writeFiles(directory: string, files: readonly ProjectFile[], force: boolean): Promise<readonly FileStatus[]> {
  const statuses: FileStatus[] = [];
  for (const file of files) statuses.push({ path: file.path, status: await writeOne(directory, file, force) });
  return statuses;
}

async function writeOne(directory: string, { path, text }: ProjectFile, force: boolean): Promise<FileStatus['status']> {
  const target = join(directory, path);
  try {
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text, { flag: force ? 'w' : 'wx' });
    return 'written';
  } catch (cause) {
    // A directory of this name on the way has the same code, and its message names it.
    if (systemErrorCode(cause) === 'EEXIST' && (cause as NodeJS.ErrnoException).syscall === 'open') return 'kept';
    const reason = describeFileFailure(cause) ?? String(cause);
    throw new CommandFailed(`${target} cannot be written: ${reason}.`, { cause });
  }
}
