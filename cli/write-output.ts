import { mkdir, writeFile } from 'node:fs/promises';
import { fileFailureSuffix, systemErrorCode } from '../gateway/platform/file-errors.ts';
import { CommandFailed } from './command-failed.ts';

/** Writes an output file of a command. With the flag `wx`, an existing file is an error. @throws CommandFailed with the path and the reason */
export async function writeOutput(path: string, text: string, flag: 'w' | 'wx' = 'w'): Promise<void> {
  await attempt(path, async () => {
    try {
      await writeFile(path, text, { flag });
    } catch (cause) {
      if (flag !== 'wx' || systemErrorCode(cause) !== 'EEXIST') throw cause;
      throw new CommandFailed(`${path} already exists and is not overwritten. Choose an empty directory with --out.`, { cause });
    }
  });
}

/** Creates an output directory and its parents, if they do not exist. @throws CommandFailed with the path and the reason */
export async function makeOutputDirectory(path: string): Promise<void> {
  await attempt(path, () => mkdir(path, { recursive: true }));
}

async function attempt(path: string, write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (cause) {
    if (cause instanceof CommandFailed) throw cause;
    throw new CommandFailed(`${path} cannot be written${fileFailureSuffix(cause)}. Choose another path with --out.`, { cause });
  }
}
