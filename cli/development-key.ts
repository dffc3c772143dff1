import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileFailureSuffix, systemErrorCode } from '../gateway/platform/file-errors.ts';
import { CommandFailed } from './command-failed.ts';

/**
 * Returns the key that signs development tokens: `.gatefold/development.key`. The key is generated if it does not exist, and only its owner
 * can read it. Tokens remain valid after a restart, because the key is stored.
 *
 * @throws CommandFailed if the file cannot be read or written, or contains no key
 */
export async function developmentKey(directory = '.gatefold'): Promise<string> {
  const file = join(directory, 'development.key');
  try {
    const key = (await readKey(file)) ?? (await makeKey(directory, file));
    if (key.length >= 32) return key;
  } catch (cause) {
    throw new CommandFailed(
      `The development key ${file} cannot be read or created${fileFailureSuffix(cause)}. ` +
        'Run the command in a directory that this user can write to, or set auth.developmentKey.',
      { cause },
    );
  }
  throw new CommandFailed(`${file} does not contain a key of at least 32 characters. Remove the file to generate a new key.`);
}

async function readKey(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Creates the key atomically. If several processes start at the same time, one creates the key and all use it. */
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
