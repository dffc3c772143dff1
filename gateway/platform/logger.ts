import { type Logger as PinoLogger, destination, pino } from 'pino';

/** Structured log; the object comes first, the message says what happened in words. */
export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error'>;

export interface LoggerOptions {
  /** Lines below this level are dropped. @defaultValue 'info' */
  readonly level?: 'silent' | 'error' | 'warn' | 'info' | 'debug';
}

/** A logger of JSON lines on standard error, so that standard output stays free for what a command prints. */
export function createLogger({ level = 'info' }: LoggerOptions = {}): Logger {
  return pino({ level, base: null }, destination({ fd: 2, sync: true }));
}

/** A logger that drops everything. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
