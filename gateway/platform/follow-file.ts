import { readFileSync } from 'node:fs';
import type { Logger } from './logger.ts';
import { systemErrorCode } from './system-error-code.ts';
import { watchFile } from './watch-file.ts';

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
