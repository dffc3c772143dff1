import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';

/** Holds a data directory for this process alone. */
export interface DirectoryLock {
  release(): Promise<void>;
}

/**
 * Takes the lock file beside a data directory. A lock whose process is gone is taken over.
 *
 * @throws Error with a plain sentence when a living process holds it
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  const path = `${directory}.lock`;
  const own = await describeProcess(process.pid);
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, own, { mode: 0o600 });
  try {
    while (!(await wasLinked(draft, path))) await removeStaleLock(path, directory);
  } finally {
    await rm(draft, { force: true });
  }
  return {
    async release() {
      // Another process may have taken it over while this one was believed dead.
      if ((await readFile(path, 'utf8').catch(() => '')) === own) await rm(path, { force: true });
    },
  };
}

/** Appears whole or not at all, and never over another one. */
async function wasLinked(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function removeStaleLock(path: string, directory: string): Promise<void> {
  const holder = await readFile(path, 'utf8').catch(() => undefined);
  if (holder === undefined) return;
  const pid = Number(holder.split(' ', 1)[0]);
  if (Number.isSafeInteger(pid) && pid > 0 && (await describeProcess(pid)) === holder) {
    throw new Error(
      `The data in ${directory} is in use by process ${pid}. Stop it first, or choose another directory with GATEFOLD_DATA_DIR.`,
    );
  }
  // Moved aside before it is removed: of two processes that find it stale, one moves it and the other finds nothing.
  const aside = `${path}.stale.${process.pid}`;
  await rename(path, aside).catch(() => {});
  const moved = await readFile(aside, 'utf8').catch(() => holder);
  if (moved !== holder) await link(aside, path).catch(() => {});
  await rm(aside, { force: true });
}

/** Number of a living process and, where the system tells, when it started: numbers are given again. Empty when it is gone. */
async function describeProcess(pid: number): Promise<string> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives, as somebody else's.
    if (!hasCode(error, 'EPERM')) return '';
  }
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name, in brackets, may hold spaces and brackets; behind it come the state and, as the 20th field, the start time (proc(5)).
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
  // It has ended, and only its number waits for a parent that may never fetch it: in a container, often nobody does.
  if (fields[0] === 'Z' || fields[0] === 'X') return '';
  const startedAt = fields[19] ?? '';
  return `${pid} ${startedAt}`;
}

function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
