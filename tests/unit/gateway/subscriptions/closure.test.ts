import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../../../../gateway/platform/errors.ts';
import { toClosure, toReason } from '../../../../gateway/subscriptions/socket-closure.ts';

describe('the closure of a socket', () => {
  it.each([
    ['a', 'a'],
    ['x'.repeat(123), 'x'.repeat(123)],
    ['x'.repeat(124), 'x'.repeat(123)],
    [`${'x'.repeat(122)}é`, 'x'.repeat(122)],
    [`${'x'.repeat(120)}🙂`, 'x'.repeat(120)],
    ['é'.repeat(62), 'é'.repeat(61)],
  ])('truncates a reason that exceeds a close frame after a whole character', (text, expected) => {
    expect(toReason(text)).toBe(expected);
  });

  it.each([
    ['BAD_REQUEST', 4400],
    ['UNAUTHENTICATED', 4403],
    ['TOKEN_EXPIRED', 4403],
    ['RATE_LIMITED', 4429],
    ['SUBSCRIPTION_LIMIT', 4429],
    ['INTERNAL_SERVER_ERROR', 4500],
    ['AUTH_UNAVAILABLE', 1013],
    ['NO_SUPERGRAPH', 1013],
  ] as const)('closes the socket for %s with %i', (code, closeCode) => {
    expect(toClosure(new GatewayError(code, 'Because.'))).toMatchObject({ closeCode, message: `${code}: Because.` });
  });
});
