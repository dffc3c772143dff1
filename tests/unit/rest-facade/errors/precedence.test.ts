import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ERROR_CODES, type ErrorCode, statusOf } from '../../../../gateway/platform/errors.ts';
import { worstOf } from '../../../../rest-facade/errors/precedence.ts';

const worst = (...codes: readonly ErrorCode[]): ErrorCode | undefined => worstOf(codes.map((code) => ({ code })))?.code;

describe('worstOf', () => {
  it('returns undefined for an empty list', () => {
    expect(worst()).toBeUndefined();
  });

  it.each<[ErrorCode, readonly ErrorCode[]]>([
    ['UNAUTHENTICATED', ['SUBGRAPH_UNAVAILABLE', 'FORBIDDEN', 'UNAUTHENTICATED']],
    ['FORBIDDEN', ['BAD_USER_INPUT', 'FORBIDDEN', 'NOT_FOUND']],
    ['BAD_USER_INPUT', ['NOT_FOUND', 'BAD_USER_INPUT']],
    ['NOT_FOUND', ['CONFLICT', 'NOT_FOUND']],
    ['CONFLICT', ['INTERNAL_SERVER_ERROR', 'CONFLICT', 'SUBGRAPH_TIMEOUT']],
    ['URI_TOO_LONG', ['METHOD_NOT_IMPLEMENTED', 'URI_TOO_LONG']],
    ['INTERNAL_SERVER_ERROR', ['SUBGRAPH_UNAVAILABLE', 'INTERNAL_SERVER_ERROR']],
  ])('returns %s as the worst of several errors', (expected, codes) => {
    expect(worst(...codes)).toBe(expected);
    expect(worst(...codes.toReversed())).toBe(expected);
  });

  it('returns 503 only when every error is 503, and 5xx only without a client error', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...ERROR_CODES), { minLength: 1 }), (codes) => {
        const reported = statusOf(worst(...codes) ?? 'INTERNAL_SERVER_ERROR');
        const statuses = codes.map(statusOf);
        if (reported === 503) expect(new Set(statuses)).toEqual(new Set([503]));
        if (reported >= 500) expect(statuses.filter((status) => status >= 400 && status < 500)).toEqual([]);
      }),
    );
  });
});
