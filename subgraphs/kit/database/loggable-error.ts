import { GraphQLError } from 'graphql';
import { causes, sqlStateOf } from './database-failure.ts';

/**
 * Converts an error for the log. A failed statement is logged with its text, its SQLSTATE and the violated constraint. Parameters and
 * messages of the database are omitted, because they contain personal data (`Key (email)=(…) already exists.`). Every other error is
 * returned unchanged.
 */
export function toLoggableError(error: unknown): unknown {
  const origin = error instanceof GraphQLError ? (error.originalError ?? error) : error;
  const links = [...causes(origin)];
  const statement = links.map(({ query }) => query).find((query) => typeof query === 'string');
  const sqlState = sqlStateOf(origin);
  if (statement === undefined && sqlState === undefined) return error;
  const constraint = links.map((link) => link.constraint).find((name) => typeof name === 'string');
  // Without a SQLSTATE, the last cause is an error of the driver or the network, which contains no values.
  const reason = sqlState === undefined ? String(links.at(-1)?.message) : `SQLSTATE ${sqlState}`;
  const loggable = new Error(`The database rejected a statement: ${reason}`);
  loggable.stack = [loggable.message, ...framesOf(origin)].join('\n');
  return Object.assign(loggable, { sqlState, constraint, statement });
}

/** Returns the stack frames of an error, without its message. */
function framesOf(error: unknown): readonly string[] {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return stack.split('\n').filter((line) => /^\s+at /.test(line));
}
