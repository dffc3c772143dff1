import { isAbsolute, relative } from 'node:path';
import { watchFile } from '../../platform/follow-file.ts';
import type { SdlFile } from '../compose-subgraphs.ts';

export interface SdlFilesWatchOptions {
  /** Name of the subgraph, for messages. */
  readonly subgraph: string;
  readonly files: readonly string[];
  /** Polling interval for file systems that report no changes. @unit milliseconds */
  readonly intervalMs: number;
  /** Maximum size of one file. @unit bytes */
  readonly maxBytes: number;
  /** Called with all files, once all of them were read and after each change of one of them. */
  readonly onFiles: (files: readonly SdlFile[]) => void;
  /** Called when a file cannot be read. The message names the file. */
  readonly onFailure: (error: Error) => void;
}

/** Reads the SDL files of a subgraph now and whenever one of them changes. */
export function watchSdlFiles({ subgraph, files, intervalMs, maxBytes, onFiles, onFailure }: SdlFilesWatchOptions): AsyncDisposable {
  const texts = new Map<string, string>();

  function take(file: string, text: string): void {
    texts.set(file, text);
    if (texts.size === new Set(files).size) onFiles(files.map((path) => ({ path: shownPath(path), text: texts.get(path) ?? '' })));
  }

  const watchers = [...new Set(files)].map((path) =>
    watchFile({
      path,
      subject: `The SDL file of the subgraph "${subgraph}"`,
      intervalMs,
      maxBytes,
      onText: (text) => take(path, text),
      onFailure,
    }),
  );
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all(watchers.map((watcher) => watcher[Symbol.asyncDispose]()));
    },
  };
}

/** Returns the path relative to the working directory if it is inside, as terminals and editors link it. */
function shownPath(path: string): string {
  const shown = relative('', path);
  return shown.startsWith('..') || isAbsolute(shown) ? path : shown;
}
