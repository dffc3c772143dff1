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
    if ('code' in link && typeof link.code === 'string' && /^[0-9A-Z]{5}$/.test(link.code)) return link.code;
  }
  return undefined;
}

/** Name of the constraint that an error speaks of. */
export function constraintOf(error: unknown): string | undefined {
  for (const link of causes(error)) {
    if ('constraint' in link && typeof link.constraint === 'string') return link.constraint;
  }
  return undefined;
}

/** Undefined when the error does not come from the database. */
export function classifyDatabaseFailure(error: unknown): DatabaseFailure | undefined {
  for (const link of causes(error)) {
    const code = 'code' in link && typeof link.code === 'string' ? link.code : undefined;
    if (code !== undefined && UNAVAILABLE_NETWORK.has(code)) return 'unavailable';
    if (UNAVAILABLE_TEXT.test(link.message)) return 'unavailable';
    if (TOO_SLOW_TEXT.test(link.message)) return 'too-slow';
  }
  const state = sqlStateOf(error);
  if (state === undefined) return undefined;
  if (state === '57014' || state === '55P03') return 'too-slow';
  if (state === '23505') return 'unique-violation';
  // Connection, shutdown, out of connections or memory, authorisation of the service itself, missing database.
  if (/^(08|53|57P|58|28|3D)/.test(state)) return 'unavailable';
  return state.startsWith('22') ? 'bad-value' : 'other';
}

function* causes(error: unknown): Generator<Error> {
  let link: unknown = error;
  for (let depth = 0; depth < 8 && link instanceof Error; depth += 1) {
    yield link;
    // Node tries every address of a host and reports all failures together.
    link = link.cause ?? (link instanceof AggregateError ? link.errors[0] : undefined);
  }
}
