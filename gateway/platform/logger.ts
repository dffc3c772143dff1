import { writeSync } from 'node:fs';
import { type Logger as PinoLogger, destination, pino } from 'pino';
import { createPrettyWriter } from './pretty-log.ts';

/** Structured logger. The first argument is an object with details, the second one is the message. */
export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error'>;

/** Format of log entries: JSON lines for programs, or lines for readers. */
export type LogFormat = 'json' | 'pretty';

export interface LoggerOptions {
  /** Minimum level of entries that are written. @defaultValue 'info' */
  readonly level?: 'silent' | 'error' | 'warn' | 'info' | 'debug';
  /** @defaultValue 'json' */
  readonly format?: LogFormat | undefined;
  /** Details of every entry, such as the number of a worker process. @defaultValue no details */
  readonly facts?: Readonly<Record<string, unknown>> | undefined;
}

const STANDARD_ERROR = 2;

/** Logger whose level can change while it is used. */
export interface LeveledLogger extends Logger {
  level: string;
}

/** Creates a logger that writes to standard error, so that standard output is reserved for the output of commands. */
export function createLogger({ level = 'info', format = 'json', facts }: LoggerOptions = {}): LeveledLogger {
  return pino({ level, base: facts ?? null }, format === 'json' ? destination({ fd: STANDARD_ERROR, sync: true }) : prettyDestination());
}

/** Returns a log entry of the level `info` as one line of JSON, for messages that are written at every level of the log. */
export function toLogEntry(facts: object, message: string): string {
  let entry = '';
  pino({ base: null }, { write: (line: string) => void (entry += line) }).info(facts, message);
  return entry.trimEnd();
}

/** Creates the destination for readers. Node decides about colors by the terminal, `NO_COLOR` and `FORCE_COLOR`. */
function prettyDestination() {
  const { stderr } = process;
  return createPrettyWriter({
    hasColors: stderr.isTTY && stderr.hasColors(),
    write: (text) => void writeSync(STANDARD_ERROR, text),
  });
}

/** Logger that discards all entries. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
