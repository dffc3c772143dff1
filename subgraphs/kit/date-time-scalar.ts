import { GraphQLScalarType, Kind } from 'graphql';
import { clientError } from './client-error.ts';

const WRITTEN = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;

function parseInstant(text: unknown): Date {
  const instant = typeof text === 'string' && WRITTEN.test(text) ? new Date(text) : undefined;
  if (instant === undefined || Number.isNaN(instant.getTime())) {
    throw clientError('BAD_USER_INPUT', 'The value is not a valid instant; expected the form 2026-01-31T09:30:00.000Z.');
  }
  return instant;
}

/** Scalar `DateTime`: an instant as RFC 3339 text, in UTC with milliseconds. */
export const dateTimeScalar = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  serialize(value) {
    const instant = value instanceof Date ? value : parseInstant(value);
    return instant.toISOString();
  },
  parseValue: parseInstant,
  parseLiteral: (node) => parseInstant(node.kind === Kind.STRING ? node.value : undefined),
});
