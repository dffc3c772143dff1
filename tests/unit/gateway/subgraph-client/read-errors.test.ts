import { describe, expect, it } from '@jest/globals';
import { INTERNAL_ERROR_MESSAGE } from '../../../../gateway/platform/errors.ts';
import { readErrors } from '../../../../gateway/subgraph-client/read-response.ts';

const MASKED = { message: INTERNAL_ERROR_MESSAGE, code: 'INTERNAL_SERVER_ERROR' };

function read(error: Readonly<Record<string, unknown>>) {
  return readErrors([error], 100)?.errors[0];
}

describe('readErrors', () => {
  it.each([
    ['no extensions', {}],
    ['extensions that are null', { extensions: null }],
    ['extensions that are a list', { extensions: ['FORBIDDEN'] }],
    ['no code', { extensions: { http: { status: 403 } } }],
    ['a code that is a number', { extensions: { code: 403 } }],
    ['a code in lowercase', { extensions: { code: 'forbidden' } }],
    ['a code with a line break', { extensions: { code: 'FORBIDDEN\n' } }],
    ['a code of 65 letters', { extensions: { code: 'A'.repeat(65) } }],
    ['the code of a failure', { extensions: { code: 'INTERNAL_SERVER_ERROR' } }],
    ['the code of an operation that does not parse', { extensions: { code: 'GRAPHQL_PARSE_FAILED' } }],
    ['the code of an operation that is not valid', { extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
  ])('masks the message of an error with %s and returns it for the log', (_what, error) => {
    const result = readErrors([{ message: 'duplicate key value violates unique constraint', ...error }], 100);
    expect(result).toEqual({ errors: [MASKED], masked: ['duplicate key value violates unique constraint'] });
  });

  it('passes on nothing but the code of extensions', () => {
    const extensions = { code: 'FORBIDDEN', http: { status: 99999 }, stacktrace: ['at db-7'], serviceName: 'accounts' };
    expect(read({ message: 'No.', extensions, locations: [{ line: 1, column: 1 }], extra: 1 })).toEqual({
      message: 'No.',
      code: 'FORBIDDEN',
    });
  });

  it('truncates a message to 1,024 characters', () => {
    expect(read({ message: 'x'.repeat(5_000), extensions: { code: 'CONFLICT' } })?.message).toBe('x'.repeat(1_024));
  });

  it('truncates a masked message to 1,024 characters for the log', () => {
    expect(readErrors([{ message: 'x'.repeat(5_000) }], 100)?.masked).toEqual(['x'.repeat(1_024)]);
  });

  it('reads only the first errors up to the limit', () => {
    const errors = [{ message: 'a', extensions: { code: 'GONE' } }, { message: 'b', extensions: { code: 'CONFLICT' } }, null];
    expect(readErrors(errors, 2)?.errors.map(({ code }) => code)).toEqual(['GONE', 'CONFLICT']);
    expect(readErrors(errors, 3)).toBeUndefined();
  });

  it.each([
    ['a text', 'me'],
    ['an object inside', ['me', {}]],
    ['a fraction inside', ['me', 0.5]],
    ['null', null],
  ])('omits a path with %s', (_what, path) => {
    expect(read({ message: 'No.', path, extensions: { code: 'FORBIDDEN' } })).toEqual({ message: 'No.', code: 'FORBIDDEN' });
  });

  it('returns the path, also of an error with a masked message', () => {
    expect(read({ message: 'x', path: ['users', 0, 'email'] })).toEqual({ ...MASKED, path: ['users', 0, 'email'] });
  });
});
