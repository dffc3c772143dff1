import type { Logger } from '../platform/logger.ts';
import type { TextLogger } from './apollo-gateway-options.ts';

type Level = keyof TextLogger;

/** Our log lines, facts first, for a logger that takes texts: the message, then the facts as JSON. */
export function toLogger(target: TextLogger): Logger {
  const at = (level: Level) => (facts: unknown, message?: string) => {
    if (typeof facts === 'string') target[level](facts);
    else target[level](`${message ?? ''} ${JSON.stringify(facts, withErrors)}`.trimStart());
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** An error has no enumerable properties: as it is, JSON would show none of it. */
function withErrors(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  return value.cause === undefined
    ? { message: value.message, stack: value.stack }
    : { message: value.message, stack: value.stack, cause: value.cause };
}
