import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../../../../gateway/platform/errors.ts';
import { ANONYMOUS, type Principal } from '../../../../gateway/platform/principal.ts';
import { createPermissionCheck } from '../../../../gateway/subscriptions/permissions.ts';
import { permissionsOf } from '../../../../gateway/subscriptions/permissions.ts';

const KEY: Principal = {
  ...ANONYMOUS,
  kind: 'service',
  id: 'till',
  roles: new Set(['SELLER', 'BUYER']),
  claims: { iat: 1, shop: 'a' },
  expiresAt: 1_000,
};

/** Returns the result of checking the credentials of a connection again. */
async function lookAgain(found: Principal | GatewayError) {
  const permissions = permissionsOf(KEY, { 'x-api-key': 'till.secret' });
  const check = createPermissionCheck(async ({ 'x-api-key': key }) => {
    expect(key).toBe('till.secret');
    if (found instanceof Error) throw found;
    return found;
  });
  return { lost: (await check(permissions))?.code, expiresAt: permissions.expiresAt };
}

describe('checking credentials again', () => {
  it.each([
    ['they are no longer valid', new GatewayError('UNAUTHENTICATED', 'No.')],
    ['a role was removed', { ...KEY, roles: new Set(['SELLER']) }],
    ['a role was added', { ...KEY, roles: new Set(['SELLER', 'BUYER', 'ADMIN']) }],
    ['a scope was added', { ...KEY, scopes: new Set(['all']) }],
    ['a claim has changed', { ...KEY, claims: { iat: 1, shop: 'b' } }],
    ['they belong to another caller', { ...KEY, id: 'shop' }],
    ['they identify no caller', ANONYMOUS],
  ])('ends the connection if %s', async (_case, found) => {
    expect((await lookAgain(found)).lost).toBe('TOKEN_EXPIRED');
  });

  it.each([
    ['they are the same', KEY, 1_000],
    [
      'only their order and issue time differ',
      { ...KEY, roles: new Set(['BUYER', 'SELLER']), claims: { shop: 'a', iat: 2, exp: 3 } },
      1_000,
    ],
    ['they expire later', { ...KEY, expiresAt: 2_000 }, 2_000],
    ['they expire earlier', { ...KEY, expiresAt: 500 }, 500],
    ['they cannot be checked at the moment', new GatewayError('AUTH_UNAVAILABLE', 'Later.'), 1_000],
    ['too many are checked at once', new GatewayError('OVERLOADED', 'Later.'), 1_000],
  ])('continues the connection until the credentials expire if %s', async (_case, found, expiresAt) => {
    expect(await lookAgain(found)).toEqual({ lost: undefined, expiresAt });
  });
});
