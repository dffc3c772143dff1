import { describe, expect, it } from '@jest/globals';
import { INTERNAL_ERROR_MESSAGE } from '../../../gateway/platform/errors.ts';
import { readErrors } from '../../../gateway/subgraph-client/read-response.ts';
import { readEvent, readError } from '../../../gateway/subgraph-client/streams/read-event.ts';

const failing = (code: unknown) => [{ message: 'secret host db1', extensions: { code, exception: { stacktrace: ['at db1'] } } }];

describe('point 10: messages of errors that a subgraph did not write for clients', () => {
  const OF_THE_GATEWAY = [
    'PERSISTED_QUERY_NOT_FOUND',
    'CSRF_BLOCKED',
    'COST_LIMIT_EXCEEDED',
    'CIRCUIT_OPEN',
    'GATEWAY_TIMEOUT',
    'OVERLOADED',
    'MAINTENANCE',
    'NO_SUPERGRAPH',
    'TOKEN_EXPIRED',
    'AUTH_UNAVAILABLE',
    'SUBSCRIPTION_LIMIT',
    'SUBSCRIPTION_SCHEMA_RELOAD',
    'IDEMPOTENCY_IN_PROGRESS',
    'IDEMPOTENCY_UNAVAILABLE',
    'VERSION_CONFLICT',
    'INTERNAL_SERVER_ERROR',
  ];

  it.each(['X', 'SQLITE_BUSY', ...OF_THE_GATEWAY, 'constructor', 'x', 7, undefined])(
    'given the code %p, then message and code are constant',
    (code) => {
      const constant = [{ message: INTERNAL_ERROR_MESSAGE, code: 'INTERNAL_SERVER_ERROR' }];
      expect(readErrors(failing(code), 10)).toEqual({ errors: constant, masked: ['secret host db1'] });
      expect(readError(failing(code), 10)?.errors).toEqual(constant);
      expect(readEvent({ data: null, errors: failing(code) }, 10, false)?.event.response.errors).toEqual(constant);
    },
  );

  it.each(['NOT_FOUND', 'UNAUTHENTICATED', 'RATE_LIMITED', 'CONFLICT'])('given %s of the catalogue, then the message passes', (code) => {
    expect(readErrors(failing(code), 10)?.errors).toEqual([{ message: 'secret host db1', code }]);
  });

  it('given a configured code, then the message of that subgraph passes', () => {
    expect(readErrors(failing('OUT_OF_STOCK'), 10, { errorCodes: ['OUT_OF_STOCK'] })?.errors).toEqual([
      { message: 'secret host db1', code: 'OUT_OF_STOCK' },
    ]);
  });

  it('given all messages, then each passes with the name of its subgraph', () => {
    expect(readErrors(failing('X'), 10, { errorMessages: 'all', subgraph: 'stock' })?.errors).toEqual([
      { message: 'Subgraph "stock": secret host db1', code: 'X', subgraph: 'stock' },
    ]);
  });
});
