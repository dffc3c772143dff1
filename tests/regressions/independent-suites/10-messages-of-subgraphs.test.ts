import { describe, expect, it } from '@jest/globals';
import { INTERNAL_ERROR_MESSAGE } from '../../../gateway/platform/errors.ts';
import { readErrors } from '../../../gateway/subgraph-client/read-response.ts';
import { readEvent, readError } from '../../../gateway/subgraph-client/streams/read-event.ts';

const failing = (code: unknown) => [{ message: 'secret host db1', extensions: { code, exception: { stacktrace: ['at db1'] } } }];

describe('point 10: subgraph error messages that were not written for clients', () => {
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
    'are replaced with a constant message and code for the code %p',
    (code) => {
      const constant = [{ message: INTERNAL_ERROR_MESSAGE, code: 'INTERNAL_SERVER_ERROR' }];
      expect(readErrors(failing(code), 10)).toEqual({ errors: constant, masked: ['secret host db1'] });
      expect(readError(failing(code), 10)?.errors).toEqual(constant);
      expect(readEvent({ data: null, errors: failing(code) }, 10, false)?.event.response.errors).toEqual(constant);
    },
  );

  it.each(['NOT_FOUND', 'UNAUTHENTICATED', 'RATE_LIMITED', 'CONFLICT'])('are forwarded for %s of the catalog', (code) => {
    expect(readErrors(failing(code), 10)?.errors).toEqual([{ message: 'secret host db1', code }]);
  });

  it('are forwarded for a configured code of that subgraph', () => {
    expect(readErrors(failing('OUT_OF_STOCK'), 10, { errorCodes: ['OUT_OF_STOCK'] })?.errors).toEqual([
      { message: 'secret host db1', code: 'OUT_OF_STOCK' },
    ]);
  });

  it('are all forwarded with the name of the subgraph if so configured', () => {
    expect(readErrors(failing('X'), 10, { errorMessages: 'all', subgraph: 'stock' })?.errors).toEqual([
      { message: 'Subgraph "stock": secret host db1', code: 'X', subgraph: 'stock' },
    ]);
  });
});
