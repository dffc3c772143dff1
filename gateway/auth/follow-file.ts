import { readFileSync } from 'node:fs';
import { ConfigurationInvalid } from '../config/configuration-invalid.ts';
import type { Logger } from '../platform/logger.ts';
import { systemErrorCode } from '../platform/system-error-code.ts';
import { watchFile } from '../platform/watch-file.ts';

/** What a file holds, kept up to date. */
export interface FollowedFile<Content> extends AsyncDisposable {
  /** Of the last reading that made sense. */
  readonly content: Content;
}

export interface FollowFileOptions<Content> {
  readonly path: string;
  /** The setting that names the file, for messages: `auth.providers.basic.file`. */
  readonly setting: string;
  /** @throws Error with what is wrong, in words that follow "it cannot be used: " */
  readonly parse: (text: string) => Content;
  /** The content is another one now. */
  readonly onChange?: (before: Content, after: Content) => void;
  readonly logger: Logger;
}

/** Below the five seconds within which what was revoked is refused. @unit milliseconds */
const INTERVAL_MS = 2_000;
/** @unit bytes */
const MAX_BYTES = 16_777_216;

/**
 * Reads a file of credentials now, and whenever it changes. A later one that makes no sense leaves the last in its place:
 * a slip in an editor must not lock everybody out.
 *
 * @throws ConfigurationInvalid when the file cannot be read, or makes no sense, at first
 */
export function followFile<Content>({ path, setting, parse, onChange, logger }: FollowFileOptions<Content>): FollowedFile<Content> {
  const first = readFirst(path, setting);
  let text = first;
  let content = parseFirst(first, { path, setting, parse });

  function adopt(next: string): void {
    if (next === text) return;
    try {
      const before = content;
      content = parse(next);
      text = next;
      onChange?.(before, content);
      logger.info({ path }, `${setting} was read again`);
    } catch (err) {
      logger.error({ err, path }, `${setting} cannot be used; what was read before stays`);
    }
  }

  const watching = watchFile({
    path,
    subject: 'The file',
    intervalMs: INTERVAL_MS,
    maxBytes: MAX_BYTES,
    onText: adopt,
    onFailure: (err) => logger.error({ err }, `${setting} cannot be read; what was read before stays`),
  });
  return {
    get content() {
      return content;
    },
    [Symbol.asyncDispose]: () => watching[Symbol.asyncDispose](),
  };
}

function readFirst(path: string, setting: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const reason = systemErrorCode(cause) === 'ENOENT' ? 'there is no such file' : `it cannot be read (${systemErrorCode(cause)})`;
    throw new ConfigurationInvalid([{ path: setting, message: `${path}: ${reason}` }]);
  }
}

function parseFirst<Content>(
  text: string,
  { path, setting, parse }: Pick<FollowFileOptions<Content>, 'path' | 'setting' | 'parse'>,
): Content {
  try {
    return parse(text);
  } catch (cause) {
    throw new ConfigurationInvalid([{ path: setting, message: `${path}: it cannot be used: ${(cause as Error).message}` }]);
  }
}
