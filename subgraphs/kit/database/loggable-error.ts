import { GraphQLError } from 'graphql';
import { causes, sqlStateOf } from './database-failure.ts';

/**
 * An error as the log may hold it. A failed statement is told by its text, its SQLSTATE and the constraint it broke: its
 * parameters stay out, and so do the database's own words, which quote values (`Key (email)=(…) already exists.`): they
 * are people's data. Every other error is given back as it is.
 */
export function toLoggableError(error: unknown): unknown {
  const origin = error instanceof GraphQLError ? (error.originalError ?? error) : error;
  const links = [...causes(origin)];
  const statement = links.map(({ query }) => query).find((query) => typeof query === 'string');
  const sqlState = sqlStateOf(origin);
  if (statement === undefined && sqlState === undefined) return error;
  const constraint = links.map((link) => link.constraint).find((name) => typeof name === 'string');
  // Without a SQLSTATE the last link is a driver's or the network's, which knows of no values.
  const reason = sqlState === undefined ? String(links.at(-1)?.message) : `SQLSTATE ${sqlState}`;
  const loggable = new Error(`The database refused a statement: ${reason}`);
  loggable.stack = [loggable.message, ...framesOf(origin)].join('\n');
  return Object.assign(loggable, { sqlState, constraint, statement });
}

/** Where an error came about, without its message. */
function framesOf(error: unknown): readonly string[] {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return stack.split('\n').filter((line) => /^\s+at /.test(line));
}
