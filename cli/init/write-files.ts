import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describeFileFailure, systemErrorCode } from '../../gateway/platform/file-errors.ts';
import { CommandFailed } from '../command-failed.ts';
import type { ProjectFile } from './new-project.ts';

/** Result of writing a file. */
export interface FileStatus {
  readonly path: string;
  /** `unchanged`: the file existed and was not written. */
  readonly status: 'written' | 'unchanged';
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
    // Creating a directory fails with the same code if a file has its name.
    if (systemErrorCode(cause) === 'EEXIST' && (cause as NodeJS.ErrnoException).syscall === 'open') return 'unchanged';
    const reason = describeFileFailure(cause) ?? String(cause);
    throw new CommandFailed(`${target} cannot be written: ${reason}.`, { cause });
  }
}
