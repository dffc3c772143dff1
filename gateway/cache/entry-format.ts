import { createHash } from 'node:crypto';
import type { CachePolicy } from '../platform/cache-policy.ts';
import type { LogPosition } from './invalidation-log.ts';

/** Cache entry that several gateways share. */
export interface SharedEntry {
  readonly text: string;
  readonly policy: CachePolicy;
  /** Labels by which the entry is invalidated. */
  readonly labels: readonly string[];
  /** Position in the invalidation log when its creation began. */
  readonly made: LogPosition;
  /** Time from its creation until it can no longer be used. @unit milliseconds */
  readonly lifetimeMs: number;
}

/** Version of this format. Entries that other versions of the gateway have written are ignored. */
const VERSION = 1;

const FIRST_LINE = /^(\d{1,4}) ([\w-]{43}) (\d{1,10})\n/;

/** Serializes an entry: version, checksum and length, then the metadata, then the text. */
export function writeEntry(key: string, { text, ...about }: SharedEntry): string {
  const content = `${JSON.stringify(about)}\n${text}`;
  return `${VERSION} ${checkOf(key, content)} ${content.length}\n${content}`;
}

/**
 * Reads a stored entry. The checksum covers the key, which identifies the callers that the entry may be sent to. An entry that was modified
 * or stored under another key is ignored.
 *
 * @returns undefined for any text that `writeEntry` did not write for this key
 */
export function readEntry(key: string, written: string): SharedEntry | undefined {
  const [line = '', version, check, length] = FIRST_LINE.exec(written.slice(0, 64)) ?? [];
  const content = written.slice(line.length);
  if (Number(version) !== VERSION || content.length !== Number(length) || checkOf(key, content) !== check) return undefined;
  const end = content.indexOf('\n');
  const about = parse(content.slice(0, end));
  return end > 0 && isAbout(about) ? { ...about, text: content.slice(end + 1) } : undefined;
}

function checkOf(key: string, content: string): string {
  return createHash('sha256').update(`${key}\n`).update(content).digest('base64url');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isAbout(value: unknown): value is Omit<SharedEntry, 'text'> {
  if (!isObject(value)) return false;
  const { policy, labels, made, lifetimeMs } = value;
  return (
    isObject(policy) &&
    isPositive(policy['maxAgeSeconds']) &&
    (policy['scope'] === 'PUBLIC' || policy['scope'] === 'PRIVATE') &&
    Array.isArray(labels) &&
    labels.every((label) => typeof label === 'string') &&
    isObject(made) &&
    typeof made['log'] === 'string' &&
    Number.isSafeInteger(made['epoch']) &&
    isPositive(lifetimeMs)
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isPositive(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}
