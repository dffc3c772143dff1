/** Writes log entries as lines for readers. */
export interface PrettyWriter {
  /** Writes one entry, which is a JSON object in one line. */
  write(entry: string): void;
}

export interface PrettyWriterOptions {
  /** Writes complete lines. */
  readonly write: (text: string) => void;
  /** Whether the output shows colors. */
  readonly hasColors: boolean;
}

interface LogEntry {
  readonly level: number;
  readonly time: number;
  readonly msg?: string;
  readonly err?: LoggedError;
}

interface LoggedError {
  readonly type?: string;
  readonly message?: string;
  readonly stack?: string;
}

/** Names and colors (ECMA-48, select graphic rendition) of the levels, from the lowest. */
const LEVELS = [
  { from: 0, name: 'DEBUG', color: 90 },
  { from: 30, name: 'INFO', color: 32 },
  { from: 40, name: 'WARN', color: 33 },
  { from: 50, name: 'ERROR', color: 31 },
] as const;

/** Level from which the stack of an unexpected error is written. */
const ERROR_LEVEL = 50;

/** Types of errors that no module throws for operators, so that only the stack explains them. */
const UNEXPECTED = new Set(['Error', 'TypeError', 'RangeError', 'ReferenceError', 'SyntaxError', 'AssertionError']);
const MAX_FRAMES = 4;
const MAX_FIELD_LENGTH = 200;
const DIM = 2;

/**
 * Creates a writer that prints time, level, message and fields of an entry in one line. The message of an error follows, indented. Frames of
 * its stack are printed only for unexpected errors.
 */
export function createPrettyWriter({ write, hasColors }: PrettyWriterOptions): PrettyWriter {
  const paint = (text: string, color: number): string => (hasColors && text !== '' ? `\u001B[${color}m${text}\u001B[0m` : text);

  return {
    write(line) {
      const { level, time, msg = '', err, ...fields } = JSON.parse(line) as LogEntry;
      const { name, color } = LEVELS.findLast(({ from }) => level >= from) ?? LEVELS[0];
      const head = [paint(timeOfDay(time), DIM), paint(name.padEnd(5), color), visible(msg), paint(visible(describeFields(fields)), DIM)];
      const lines = [head.filter((part) => part !== '').join(' '), ...describeError(err, level).map((text) => `  ${visible(text)}`)];
      write(`${lines.join('\n')}\n`);
    },
  };
}

/**
 * Characters that a terminal obeys or does not show: controls except tab and line feed, line separators, and controls of the direction of
 * text. Clients choose some values, such as the name of an operation, and must not be able to change or hide other lines.
 */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

function visible(text: string): string {
  return text.replace(INVISIBLE, (character) =>
    character === '\n' || character === '\t' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function timeOfDay(time: number): string {
  const date = new Date(time);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}

function describeFields(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${describeValue(value)}`)
    .join(' ');
}

function describeValue(value: unknown): string {
  const text = typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
  return text.length > MAX_FIELD_LENGTH ? `${text.slice(0, MAX_FIELD_LENGTH - 1)}…` : text;
}

function describeError(error: LoggedError | undefined, level: number): readonly string[] {
  if (error === undefined) return [];
  // The messages of an error and its causes are joined by a colon.
  const message = (error.message ?? '').replaceAll('.: ', ': ').split('\n');
  if (level < ERROR_LEVEL || !UNEXPECTED.has(error.type ?? '')) return message;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return [...message, ...frames.slice(0, MAX_FRAMES).map((frame) => `  ${frame.trim()}`)];
}
