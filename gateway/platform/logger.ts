import { type Logger as PinoLogger, destination, pino } from 'pino';

/** Structured logger. The first argument is an object with details, the second one is the message. */
export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error'>;

export interface LoggerOptions {
  /** Minimum level of entries that are written. @defaultValue 'info' */
  readonly level?: 'silent' | 'error' | 'warn' | 'info' | 'debug';
}

/** Creates a logger that writes JSON lines to standard error, so that standard output is reserved for the output of commands. */
export function createLogger({ level = 'info' }: LoggerOptions = {}): Logger {
  return pino({ level, base: null }, destination({ fd: 2, sync: true }));
}

/** Logger that discards all entries. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
