/** What an error of the database means to whoever asked. */
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

/** The drivers give these no code of their own. */
const UNAVAILABLE_TEXT =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|PGlite is closed|Cannot use a pool after calling end)/;
const TOO_SLOW_TEXT = /^Query read timeout/;

/** SQLSTATE of an error of either driver, however deep it is wrapped; undefined where there is none. */
export function sqlStateOf(error: unknown): string | undefined {
  for (const link of causes(error)) {
    if (typeof link.code === 'string' && /^[0-9A-Z]{5}$/.test(link.code)) return link.code;
  }
  return undefined;
}

/** Undefined when the error does not come from the database. */
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
  // Connection, shutdown, out of connections or memory, authorisation of the service itself, missing database.
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

/** An error and what led to it. By shape, not by class: the embedded database brings classes of its own. */
export function* causes(error: unknown): Generator<Cause> {
  let link = error;
  for (let depth = 0; depth < 8 && typeof link === 'object' && link !== null; depth += 1) {
    const cause: Cause = link;
    yield cause;
    // Node tries every address of a host and reports all failures together.
    link = cause.cause ?? (Array.isArray(cause.errors) ? cause.errors[0] : undefined);
  }
}
