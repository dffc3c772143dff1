import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * A key that is made once and kept beside a data directory, so that what it sealed can be opened after a restart. Without a directory
 * it lasts as long as the process.
 *
 * @param directory of the data
 */
export async function keepDevelopmentKey(directory: string | undefined): Promise<string> {
  const made = randomBytes(32).toString('hex');
  if (directory === undefined) return made;
  // One key for a directory that is reached by a symbolic link as well.
  const path = `${await realpath(directory).catch(() => directory)}.webhooks-key`;
  const kept = await readFile(path, 'utf8').catch(() => '');
  if (kept !== '') return kept;
  // Not by the process: who writes to a draft of another caller writes to the key, once that is linked.
  const draft = `${path}.${randomUUID()}`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(draft, made, { mode: 0o600 });
  try {
    // It appears whole, and the first one stays: of two processes, both read the same.
    await link(draft, path).catch(() => {});
    return await readFile(path, 'utf8');
  } finally {
    await rm(draft, { force: true });
  }
}
