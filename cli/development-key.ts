import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeFileFailure, systemErrorCode } from '../gateway/platform/file-errors.ts';
import { CommandFailed } from './command-failed.ts';

/**
 * The key that development tokens are signed with: `.gatefold/development.key`, made at random where there is none and
 * readable by its owner alone. Tokens outlive a restart because the key does.
 *
 * @throws CommandFailed when the file can be neither read nor written, or holds no key
 */
export async function developmentKey(directory = '.gatefold'): Promise<string> {
  const file = join(directory, 'development.key');
  try {
    const key = (await readKey(file)) ?? (await makeKey(directory, file));
    if (key.length >= 32) return key;
  } catch (cause) {
    const reason = describeFileFailure(cause);
    throw new CommandFailed(`The development key ${file} can be neither read nor made${reason === undefined ? '' : `: ${reason}`}.`, {
      cause,
    });
  }
  throw new CommandFailed(`${file} holds no key of at least 32 characters. Remove it, and a new one is made.`);
}

async function readKey(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Of several processes that start at once one makes the key and all use it: a whole file appears, or none. */
async function makeKey(directory: string, file: string): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, file);
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  return (await readFile(file, 'utf8')).trim();
}
