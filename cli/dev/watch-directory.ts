import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export interface DirectoryWatchOptions {
  readonly directories: readonly string[];
  /** Endings of the files that are watched, such as `.graphql`. */
  readonly endings: readonly string[];
  /** Called after files were added, changed or removed. */
  readonly onChange: () => void;
  /** @unit milliseconds @defaultValue 250 */
  readonly intervalMs?: number;
}

/**
 * Watches the files of directories and their subdirectories, which need not exist. The directories are polled, because network and overlay
 * file systems report no changes. A change is reported when two polls find the same state, because an editor may truncate a file before it
 * writes.
 */
export function watchDirectories({ directories, endings, onChange, intervalMs = 250 }: DirectoryWatchOptions): AsyncDisposable {
  const closing = new AbortController();

  async function watch(): Promise<void> {
    let known = await stateOf(directories, endings);
    let candidate = known;
    while (!closing.signal.aborted) {
      await delay(intervalMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
      const state = await stateOf(directories, endings);
      if (closing.signal.aborted) return;
      if (state !== known && state === candidate) {
        known = state;
        onChange();
      }
      candidate = state;
    }
  }

  const watching = watch();
  return {
    async [Symbol.asyncDispose]() {
      closing.abort();
      await watching;
    },
  };
}

/** Returns a text that changes whenever one of the files may have changed. */
async function stateOf(directories: readonly string[], endings: readonly string[]): Promise<string> {
  const states = await Promise.all(directories.map(async (directory) => stateOfDirectory(directory, endings)));
  return states.flat().join('\n');
}

async function stateOfDirectory(directory: string, endings: readonly string[]): Promise<readonly string[]> {
  const files = await readdir(directory, { recursive: true, encoding: 'utf8' }).catch(() => undefined);
  if (files === undefined) return [`${directory} unreadable`];
  const wanted = files.filter((file) => endings.some((ending) => file.endsWith(ending))).toSorted();
  return Promise.all(wanted.map(async (file) => stateOfFile(join(directory, file))));
}

async function stateOfFile(path: string): Promise<string> {
  const state = await stat(path, { bigint: true }).catch(() => undefined);
  return state === undefined ? `${path} unreadable` : [path, state.ino, state.size, state.mtimeNs].join(' ');
}
