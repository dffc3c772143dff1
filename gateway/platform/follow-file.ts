import { type FSWatcher, readFileSync, watch } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { decodeUtf8 } from './decode-utf8.ts';
import { systemErrorCode } from './file-errors.ts';
import type { Logger } from './logger.ts';

/** Error for a file that cannot be read as text. The message names the file and the reason. */
class FileUnreadable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FileUnreadable';
  }
}

export interface FileWatchOptions {
  readonly path: string;
  /** Subject for messages, such as `The supergraph file`. */
  readonly subject: string;
  /** Hint for messages if the file does not exist. */
  readonly hint?: string;
  /** Polling interval for file systems that report no changes. @unit milliseconds */
  readonly intervalMs: number;
  /** Maximum file size. @unit bytes */
  readonly maxBytes: number;
  /** Called with the complete text, first and after each change. */
  readonly onText: (text: string) => void;
  readonly onFailure: (error: FileUnreadable) => void;
}

/**
 * Time for which a file must remain unchanged before it is read again. A writer may truncate the file before it writes, or remove it before
 * it replaces it.
 *
 * @unit milliseconds
 */
const SETTLE_MS = 100;

/**
 * Reads a file now and whenever it is replaced, modified or its symbolic link is changed. The directory is watched, because a watcher of a
 * file loses it when the file is replaced. The file is also polled, because network and overlay file systems report no changes.
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

  /** Watches the directory again with each poll, because it may have been replaced or created since. */
  function watchFolder(): void {
    watcher?.close();
    try {
      watcher = watch(dirname(path), { persistent: false }, lookSoon).on('error', () => undefined);
    } catch {
      watcher = undefined; // The file is still polled.
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

/** Returns a text that changes whenever the file may have changed. */
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
    if (size > maxBytes) throw refuse(`it is larger than ${maxBytes} bytes`);
    const text = decodeUtf8(await readFile(path));
    if (text === undefined) throw refuse('it is not valid UTF-8');
    return text;
  } catch (cause) {
    if (cause instanceof FileUnreadable) throw cause;
    const code = systemErrorCode(cause);
    throw refuse(
      code === 'ENOENT'
        ? ['the file does not exist', ...(hint === undefined ? [] : [hint])].join('; ')
        : `the system reports ${code ?? String(cause)}`,
      cause,
    );
  }
}

/** Content of a file that is reloaded when the file changes. */
export interface FollowedFile<Content> extends AsyncDisposable {
  /** Content of the last valid version. */
  readonly content: Content;
}

export interface FollowFileOptions<Content> {
  readonly path: string;
  /** Name of the file in the log: the setting that contains its path. */
  readonly name: string;
  /** Polling interval for file systems that report no changes. @unit milliseconds @defaultValue 2000 */
  readonly intervalMs?: number;
  /** Maximum file size. @unit bytes @defaultValue 16 MiB */
  readonly maxBytes?: number;
  /** Parses the text. @throws Error whose message describes what is wrong with the file */
  readonly parse: (text: string) => Content;
  /**
   * Called with new content before it is used. If it throws or rejects, the previous content remains in use. If it returns no promise, the
   * new content is used as soon as it returns.
   */
  readonly adopt?: (next: Content, before: Content) => void | Promise<void>;
  readonly logger: Logger;
}

/** Error for a file that is missing or invalid. The message names the file and the reason. */
export class FileUnusable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FileUnusable';
  }
}

/** Polling interval. It is shorter than the five seconds within which revoked credentials must be rejected. @unit milliseconds */
const INTERVAL_MS = 2_000;
/** Maximum file size. @unit bytes */
const MAX_BYTES = 16_777_216;

/**
 * Reads a file now, and reloads it whenever it changes. If a later version is invalid, the previous content remains in use, so that a
 * typing error does not interrupt the service.
 *
 * @throws FileUnusable when the file cannot be read or parsed at startup
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
      logger.info({ path }, `The file of ${name} was reloaded.`);
    } catch (err) {
      logger.error({ err, path }, `The file of ${name} is invalid. The previous content remains in use.`);
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
    onFailure: (err) => logger.error({ err }, `The file of ${name} cannot be read. The previous content remains in use.`),
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
    const reason = systemErrorCode(cause) === 'ENOENT' ? 'the file does not exist' : `the file cannot be read (${systemErrorCode(cause)})`;
    throw new FileUnusable(`${path}: ${reason}`, { cause });
  }
}

function parseFirst<Content>(path: string, text: string, parse: (text: string) => Content): Content {
  try {
    return parse(text);
  } catch (cause) {
    throw new FileUnusable(`${path}: the content is invalid: ${(cause as Error).message}`, { cause });
  }
}
