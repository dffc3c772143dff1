import { describe, expect, it } from '@jest/globals';
import { type ErrorCode, GatewayError } from '../../../../gateway/platform/errors.ts';
import { toExecutionError, toRestError } from '../../../../rest-facade/errors/operation-error.ts';

const entry = (code: string, message: string) => ({ message, path: ['book'], extensions: { code, requestId: 'r' } });

describe('operations that are refused before they run', () => {
  it.each<[ErrorCode, string, 'GET' | 'POST', string, RegExp]>([
    ['BAD_USER_INPUT', 'Variable "$input" got invalid value; expected type "CreateBookInput!".', 'POST', 'BAD_USER_INPUT', /invalid value/],
    ['BAD_USER_INPUT', 'Variable "$id" got invalid value.', 'GET', 'INVALID_PARAMETER', /invalid value/],
    ['GRAPHQL_VALIDATION_FAILED', 'Cannot query field "x" on type "Book".', 'GET', 'INTERNAL_SERVER_ERROR', /^An internal error occurred/],
    ['OPERATION_RESOLUTION_FAILURE', 'Unknown operation.', 'GET', 'INTERNAL_SERVER_ERROR', /^An internal error occurred/],
    ['METHOD_NOT_ALLOWED', 'Only queries are run by GET.', 'GET', 'INTERNAL_SERVER_ERROR', /^An internal error occurred/],
  ])('given %s (%s) by %s, when told in the words of REST, then it is %s', (...[code, message, method, told, words]) => {
    const refusal = toRestError(new GatewayError(code, message), method);
    expect(refusal.code).toBe(told);
    expect(refusal.message).toMatch(words);
    expect(refusal.message).not.toMatch(/\$|Book|quer/);
  });

  it.each<ErrorCode>(['GATEWAY_TIMEOUT', 'NO_SUPERGRAPH', 'TOKEN_LIMIT_EXCEEDED'])(
    'given %s, when told, then it stays what it is',
    (code) => {
      const error = new GatewayError(code, 'In words for clients.', { headers: { 'retry-after': '9' } });
      expect(toRestError(error, 'GET')).toBe(error);
    },
  );
});

describe('operations that failed', () => {
  it('given several failures, when told, then one is chosen and the log has all of them', () => {
    const failure = toExecutionError([entry('SUBGRAPH_TIMEOUT', 'slow at 10.0.0.7'), entry('FORBIDDEN', 'Not yours.')], 'GET');
    expect({ code: failure.code, message: failure.message }).toEqual({ code: 'FORBIDDEN', message: 'Not yours.' });
    expect(String(failure.cause)).toContain('SUBGRAPH_TIMEOUT at book: slow at 10.0.0.7\nFORBIDDEN at book');
  });

  it.each(['SUBGRAPH_UNAVAILABLE', 'INTERNAL_SERVER_ERROR', 'GRAPHQL_VALIDATION_FAILED'])(
    'given %s, when told, then its words stay inside',
    (code) => {
      expect(toExecutionError([entry(code, 'ECONNREFUSED 10.0.0.7')], 'POST').message).not.toContain('10.0.0.7');
    },
  );

  it.each(['GET', 'POST'] as const)(
    'given a code of a subgraph that is not in the catalogue, when told by %s, then it is 400 in the words of the subgraph',
    (method) => {
      const failure = toExecutionError([entry('OUT_OF_STOCK', 'Sold out until spring.')], method);
      expect(failure).toMatchObject({ code: 'BAD_REQUEST', status: 400, message: 'Sold out until spring.' });
    },
  );

  it('given such a code beside a failure of ours, when told, then what retrying cannot mend comes first', () => {
    const errors = [entry('SUBGRAPH_TIMEOUT', 'slow'), entry('OUT_OF_STOCK', 'Sold out until spring.')];
    expect(toExecutionError(errors, 'GET')).toMatchObject({ status: 400, message: 'Sold out until spring.' });
  });

  it('given events that may have been missed, when told, then it is said what to do about it, and in our words', () => {
    const failure = toExecutionError([entry('EVENTS_MAY_BE_MISSED', 'redis 10.0.0.7 was away')], 'GET');
    expect(failure).toMatchObject({
      code: 'EVENTS_MAY_BE_MISSED',
      message: 'Events may have been missed. Query the current data.',
    });
  });

  const parameters: ReadonlySet<string> = new Set(['after', 'size']);

  it('given a refusal of a subgraph that begins with a parameter, when told, then that is at fault by name', () => {
    const message = '`after` is not a cursor of this list.';
    const failure = toExecutionError([entry('BAD_USER_INPUT', message)], 'GET', parameters);
    expect(failure).toMatchObject({ code: 'INVALID_PARAMETER', message, details: [{ field: 'after', message }] });
  });

  it.each([
    ['BAD_USER_INPUT', '`offset` must be from 0 to 10000.', 'GET'],
    ['BAD_USER_INPUT', 'Not with `after`.', 'GET'],
    ['BAD_USER_INPUT', '`after` is odd.', 'POST'],
    ['CONFLICT', '`after` is odd.', 'GET'],
  ] as const)('given %s (%s) by %s, when told, then no parameter is at fault by name', (code, message, method) => {
    expect(toExecutionError([entry(code, message)], method, parameters).details).toEqual([]);
  });

  it('given a refusal without words, when told, then there are some', () => {
    expect(toExecutionError([entry('FORBIDDEN', '')], 'GET').message).toMatch(/./);
  });
});
