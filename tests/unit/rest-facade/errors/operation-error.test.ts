import { describe, expect, it } from '@jest/globals';
import { type ErrorCode, GatewayError } from '../../../../gateway/platform/errors.ts';
import { toExecutionError, toRestError } from '../../../../rest-facade/errors/operation-error.ts';

const entry = (code: string, message: string) => ({ message, path: ['book'], extensions: { code, requestId: 'r' } });

describe('operations that are rejected before execution', () => {
  it.each<[ErrorCode, string, 'GET' | 'POST', string, RegExp]>([
    ['BAD_USER_INPUT', 'Variable "$input" got invalid value; expected type "CreateBookInput!".', 'POST', 'BAD_USER_INPUT', /invalid value/],
    ['BAD_USER_INPUT', 'Variable "$id" got invalid value.', 'GET', 'INVALID_PARAMETER', /invalid value/],
    ['GRAPHQL_VALIDATION_FAILED', 'Cannot query field "x" on type "Book".', 'GET', 'INTERNAL_SERVER_ERROR', /^An internal error occurred/],
    ['OPERATION_RESOLUTION_FAILURE', 'Unknown operation.', 'GET', 'INTERNAL_SERVER_ERROR', /^An internal error occurred/],
    ['METHOD_NOT_ALLOWED', 'Only queries are run by GET.', 'GET', 'INTERNAL_SERVER_ERROR', /^An internal error occurred/],
  ])('%s (%s) by %s becomes the REST error %s', (...[code, message, method, reported, words]) => {
    const error = toRestError(new GatewayError(code, message), method);
    expect(error.code).toBe(reported);
    expect(error.message).toMatch(words);
    expect(error.message).not.toMatch(/\$|Book|quer/);
  });

  it.each<ErrorCode>(['GATEWAY_TIMEOUT', 'NO_SUPERGRAPH', 'TOKEN_LIMIT_EXCEEDED'])('%s stays unchanged', (code) => {
    const error = new GatewayError(code, 'A message for clients.', { headers: { 'retry-after': '9' } });
    expect(toRestError(error, 'GET')).toBe(error);
  });
});

describe('operations that failed', () => {
  it('returns one of several errors, and all of them are in the log', () => {
    const failure = toExecutionError([entry('SUBGRAPH_TIMEOUT', 'slow at 10.0.0.7'), entry('FORBIDDEN', 'Not yours.')], 'GET');
    expect({ code: failure.code, message: failure.message }).toEqual({ code: 'FORBIDDEN', message: 'Not yours.' });
    expect(String(failure.cause)).toContain('SUBGRAPH_TIMEOUT at book: slow at 10.0.0.7\nFORBIDDEN at book');
  });

  it.each(['SUBGRAPH_UNAVAILABLE', 'INTERNAL_SERVER_ERROR', 'GRAPHQL_VALIDATION_FAILED'])('does not expose the message of %s', (code) => {
    expect(toExecutionError([entry(code, 'ECONNREFUSED 10.0.0.7')], 'POST').message).not.toContain('10.0.0.7');
  });

  it.each(['GET', 'POST'] as const)('an unknown subgraph code becomes 400 with the message of the subgraph, by %s', (method) => {
    const failure = toExecutionError([entry('OUT_OF_STOCK', 'Sold out until spring.')], method);
    expect(failure).toMatchObject({ code: 'BAD_REQUEST', status: 400, message: 'Sold out until spring.' });
  });

  it('prefers an error that a retry cannot fix over a gateway error', () => {
    const errors = [entry('SUBGRAPH_TIMEOUT', 'slow'), entry('OUT_OF_STOCK', 'Sold out until spring.')];
    expect(toExecutionError(errors, 'GET')).toMatchObject({ status: 400, message: 'Sold out until spring.' });
  });

  it('replaces the message of missed events by one that says what to do', () => {
    const failure = toExecutionError([entry('EVENTS_MAY_BE_MISSED', 'redis 10.0.0.7 was away')], 'GET');
    expect(failure).toMatchObject({
      code: 'EVENTS_MAY_BE_MISSED',
      message: 'Events may have been missed. Query the current data.',
    });
  });

  const parameters: ReadonlySet<string> = new Set(['after', 'size']);

  it('names the parameter when a subgraph error begins with it', () => {
    const message = '`after` is not a cursor of this list.';
    const failure = toExecutionError([entry('BAD_USER_INPUT', message)], 'GET', parameters);
    expect(failure).toMatchObject({ code: 'INVALID_PARAMETER', message, details: [{ field: 'after', message }] });
  });

  it.each([
    ['BAD_USER_INPUT', '`offset` must be from 0 to 10000.', 'GET'],
    ['BAD_USER_INPUT', 'Not with `after`.', 'GET'],
    ['BAD_USER_INPUT', '`after` is odd.', 'POST'],
    ['CONFLICT', '`after` is odd.', 'GET'],
  ] as const)('%s (%s) by %s names no parameter', (code, message, method) => {
    expect(toExecutionError([entry(code, message)], method, parameters).details).toEqual([]);
  });

  it('has a message when the subgraph error has none', () => {
    expect(toExecutionError([entry('FORBIDDEN', '')], 'GET').message).toMatch(/./);
  });
});
