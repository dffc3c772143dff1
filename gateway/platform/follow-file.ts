import { isUtf8 } from 'node:buffer';
import { type FSWatcher, readFileSync, watch } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemErrorCode } from './file-errors.ts';
import type { Logger } from './logger.ts';

/** A file that cannot be read as a text; the message says which, and why. */
class FileUnreadable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FileUnreadable';
  }
}

export interface FileWatchOptions {
  readonly path: string;
  /** What the file holds, for messages: `The supergraph file`. */
  readonly subject: string;
  /** What to do where there is no such file, for messages. */
  readonly hint?: string;
  /** Between two looks where the file system tells of no change. @unit milliseconds */
  readonly intervalMs: number;
  /** Largest file that is read. @unit bytes */
  readonly maxBytes: number;
  /** The whole text, at first and after each change. */
  readonly onText: (text: string) => void;
  readonly onFailure: (error: FileUnreadable) => void;
}

/**
 * How long a file must stay as it is before it is read again: a writer in place empties it first, and one that replaces
 * it may have removed it first. @unit milliseconds
 */
const SETTLE_MS = 100;

/**
 * Reads a file now and whenever it changes, whether it is replaced, written in place, or a link to it is turned. The
 * folder is watched, because whoever watches a file loses sight of it when it is replaced; and the file is looked at
 * now and then, because network and overlay file systems tell of nothing.
 */
export function watchFile(options: FileWatchOptions): AsyncDisposable {
  const { path, intervalMs } = options;
  let read: string | undefined;
  let candidate: string | undefined;
  let watcher: FSWatcher | undefined;
  let settling: NodeJS.Timeout | undefined;
  let looking = Promise.resolve();
  let isClosed = false;

  async function look(): Promise<void> {
    if (isClosed) return;
    const state = await stateOf(path);
    if (state === read) {
      candidate = undefined;
    } else if (read !== undefined && state !== candidate) {
      candidate = state;
      lookSoon();
    } else {
      read = state;
      candidate = undefined;
      await deliver();
    }
  }

  async function deliver(): Promise<void> {
    try {
      const text = await readText(options);
      if (!isClosed) options.onText(text);
    } catch (error) {
      if (!(error instanceof FileUnreadable)) throw error;
      if (!isClosed) options.onFailure(error);
    }
  }

  function lookNow(): void {
    looking = looking.then(look);
  }

  function lookSoon(): void {
    settling ??= setTimeout(() => {
      settling = undefined;
      lookNow();
    }, SETTLE_MS).unref();
  }

  /** Again with each look: the folder may be another one by now, or may not have been there. */
  function watchFolder(): void {
    watcher?.close();
    try {
      watcher = watch(dirname(path), { persistent: false }, lookSoon).on('error', () => undefined);
    } catch {
      watcher = undefined; // looking now and then has to do
    }
  }

  watchFolder();
  lookNow();
  const timer = setInterval(() => {
    watchFolder();
    lookNow();
  }, intervalMs).unref();
  return {
    async [Symbol.asyncDispose]() {
      isClosed = true;
      clearInterval(timer);
      clearTimeout(settling);
      watcher?.close();
      await looking;
    },
  };
}

/** Differs whenever the file may have become another one. */
async function stateOf(path: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch (error) {
    return systemErrorCode(error) ?? 'unreadable';
  }
}

async function readText({ path, subject, hint, maxBytes }: FileWatchOptions): Promise<string> {
  const refuse = (reason: string, cause?: unknown): FileUnreadable =>
    new FileUnreadable(`${subject} ${path} cannot be read: ${reason}.`, { cause });
  try {
    const { size } = await stat(path);
    if (size > maxBytes) throw refuse(`it has more than ${maxBytes} bytes`);
    const bytes = await readFile(path);
    if (!isUtf8(bytes)) throw refuse('it is not UTF-8');
    return bytes.toString('utf8');
  } catch (cause) {
    if (cause instanceof FileUnreadable) throw cause;
    const code = systemErrorCode(cause);
    throw refuse(
      code === 'ENOENT'
        ? ['there is no such file', ...(hint === undefined ? [] : [hint])].join('; ')
        : `the system says ${code ?? String(cause)}`,
      cause,
    );
  }
}

/** What a file holds, kept up to date. */
export interface FollowedFile<Content> extends AsyncDisposable {
  /** Of the last reading that made sense. */
  readonly content: Content;
}

export interface FollowFileOptions<Content> {
  readonly path: string;
  /** What the log calls it: the setting that names the file. */
  readonly name: string;
  /** Between two looks where the file system tells of no change. @unit milliseconds @defaultValue 2000 */
  readonly intervalMs?: number;
  /** Largest file that is read. @unit bytes @defaultValue 16 MiB */
  readonly maxBytes?: number;
  /** @throws Error with what is wrong, in words that follow "it cannot be used: " */
  readonly parse: (text: string) => Content;
  /**
   * Hears of another content before it counts. Where it throws, or rejects, the last one stays; where it returns no promise,
   * the content is the next one as soon as it has returned.
   */
  readonly adopt?: (next: Content, before: Content) => void | Promise<void>;
  readonly logger: Logger;
}

/** A file that is not there, or makes no sense; the message says which, and why. */
export class FileUnusable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FileUnusable';
  }
}

/** Below the five seconds within which credentials that were revoked are refused. @unit milliseconds */
const INTERVAL_MS = 2_000;
/** @unit bytes */
const MAX_BYTES = 16_777_216;

/**
 * Reads a file now, and whenever it changes. A later one that makes no sense leaves the last in its place: a slip in an
 * editor must not take a service down.
 *
 * @throws FileUnusable when the file cannot be read, or makes no sense, at first
 */
export function followFile<Content>(options: FollowFileOptions<Content>): FollowedFile<Content> {
  const { path, name, intervalMs = INTERVAL_MS, maxBytes = MAX_BYTES, parse, adopt, logger } = options;
  let text = readFirst(path);
  let content = parseFirst(path, text, parse);
  let changes = Promise.resolve();

  async function take(later: string): Promise<void> {
    if (later === text) return;
    try {
      const parsed = parse(later);
      const adopting = adopt?.(parsed, content);
      if (adopting instanceof Promise) await adopting;
      content = parsed;
      text = later;
      logger.info({ path }, `${name} was read again`);
    } catch (err) {
      logger.error({ err, path }, `${name} cannot be used; what was read before stays`);
    }
  }

  const watching = watchFile({
    path,
    subject: 'The file',
    intervalMs,
    maxBytes,
    onText: (later) => {
      changes = changes.then(() => take(later));
    },
    onFailure: (err) => logger.error({ err }, `${name} cannot be read; what was read before stays`),
  });
  return {
    get content() {
      return content;
    },
    async [Symbol.asyncDispose]() {
      await watching[Symbol.asyncDispose]();
      await changes;
    },
  };
}

function readFirst(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const reason = systemErrorCode(cause) === 'ENOENT' ? 'there is no such file' : `it cannot be read (${systemErrorCode(cause)})`;
    throw new FileUnusable(`${path}: ${reason}`, { cause });
  }
}

function parseFirst<Content>(path: string, text: string, parse: (text: string) => Content): Content {
  try {
    return parse(text);
  } catch (cause) {
    throw new FileUnusable(`${path}: it cannot be used: ${(cause as Error).message}`, { cause });
  }
}
