import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Returns a key that is generated once and stored next to a data directory, so that secrets can be decrypted after a restart. Without a
 * directory, it exists only as long as the process.
 *
 * @param directory data directory
 */
export async function storeDevelopmentKey(directory: string | undefined): Promise<string> {
  const made = randomBytes(32).toString('hex');
  if (directory === undefined) return made;
  // The same key is used when the directory is reached by a symbolic link.
  const path = `${await realpath(directory).catch(() => directory)}.webhooks-key`;
  const stored = await readFile(path, 'utf8').catch(() => '');
  if (stored !== '') return stored;
  // The name is random and not the process id, because writing to a draft of another caller would change the key once it is linked.
  const draft = `${path}.${randomUUID()}`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(draft, made, { mode: 0o600 });
  try {
    // The link creates the complete file atomically and fails when it exists, so that two processes read the same key.
    await link(draft, path).catch(() => {});
    return await readFile(path, 'utf8');
  } finally {
    await rm(draft, { force: true });
  }
}
