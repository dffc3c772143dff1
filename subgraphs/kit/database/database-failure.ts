/** Kind of a database error, which determines the error that the caller receives. */
export type DatabaseFailure = 'unavailable' | 'too-slow' | 'bad-value' | 'unique-violation' | 'other';

const UNAVAILABLE_NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** Matches driver errors that have no code. */
const UNAVAILABLE_TEXT =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|PGlite is closed|Cannot use a pool after calling end)/;
const TOO_SLOW_TEXT = /^Query read timeout/;

/** Returns the SQLSTATE of an error of either driver, at any depth of its causes; undefined when it has none. */
export function sqlStateOf(error: unknown): string | undefined {
  for (const link of causes(error)) {
    if (typeof link.code === 'string' && /^[0-9A-Z]{5}$/.test(link.code)) return link.code;
  }
  return undefined;
}

/** Classifies an error. Undefined when it does not come from the database. */
export function classifyDatabaseFailure(error: unknown): DatabaseFailure | undefined {
  for (const link of causes(error)) {
    const { code, message } = link;
    if (typeof code === 'string' && UNAVAILABLE_NETWORK.has(code)) return 'unavailable';
    if (typeof message !== 'string') continue;
    if (UNAVAILABLE_TEXT.test(message)) return 'unavailable';
    if (TOO_SLOW_TEXT.test(message)) return 'too-slow';
  }
  const state = sqlStateOf(error);
  if (state === undefined) return undefined;
  if (state === '57014' || state === '55P03') return 'too-slow';
  if (state === '23505') return 'unique-violation';
  // Connection, shutdown, out of connections or memory, authorization of the service itself, missing database.
  if (/^(08|53|57P|58|28|3D)/.test(state)) return 'unavailable';
  return state.startsWith('22') ? 'bad-value' : 'other';
}

interface Cause {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
  /** Text of the statement that failed. */
  readonly query?: unknown;
  readonly constraint?: unknown;
}

/**
 * Iterates over an error and its causes. Errors are recognized by their properties and not by class, because the embedded database has
 * separate classes.
 */
export function* causes(error: unknown): Generator<Cause> {
  let link = error;
  for (let depth = 0; depth < 8 && typeof link === 'object' && link !== null; depth += 1) {
    const cause: Cause = link;
    yield cause;
    // Node.js tries every address of a host and reports all failures together.
    link = cause.cause ?? (Array.isArray(cause.errors) ? cause.errors[0] : undefined);
  }
}
