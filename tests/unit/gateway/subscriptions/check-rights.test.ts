import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../../../../gateway/platform/errors.ts';
import { ANONYMOUS, type Principal } from '../../../../gateway/platform/principal.ts';
import { createRightsCheck } from '../../../../gateway/subscriptions/permissions.ts';
import { rightsOf } from '../../../../gateway/subscriptions/permissions.ts';

const KEY: Principal = {
  ...ANONYMOUS,
  kind: 'service',
  id: 'till',
  roles: new Set(['SELLER', 'BUYER']),
  claims: { iat: 1, shop: 'a' },
  expiresAt: 1_000,
};

/** What becomes of a connection whose credentials are looked at again. */
async function lookAgain(found: Principal | GatewayError) {
  const rights = rightsOf(KEY, { 'x-api-key': 'till.secret' });
  const check = createRightsCheck(async ({ 'x-api-key': key }) => {
    expect(key).toBe('till.secret');
    if (found instanceof Error) throw found;
    return found;
  });
  return { lost: (await check(rights))?.code, expiresAt: rights.expiresAt };
}

describe('looking again at credentials', () => {
  it.each([
    ['they are not good any more', new GatewayError('UNAUTHENTICATED', 'No.')],
    ['a role is gone', { ...KEY, roles: new Set(['SELLER']) }],
    ['a role has come', { ...KEY, roles: new Set(['SELLER', 'BUYER', 'ADMIN']) }],
    ['a scope has come', { ...KEY, scopes: new Set(['all']) }],
    ['a claim has changed', { ...KEY, claims: { iat: 1, shop: 'b' } }],
    ['they are of somebody else', { ...KEY, id: 'shop' }],
    ['they count for nobody', ANONYMOUS],
  ])('given that %s, then the connection ends', async (_case, found) => {
    expect((await lookAgain(found)).lost).toBe('TOKEN_EXPIRED');
  });

  it.each([
    ['the same', KEY, 1_000],
    ['the same by another reading', { ...KEY, roles: new Set(['BUYER', 'SELLER']), claims: { shop: 'a', iat: 2, exp: 3 } }, 1_000],
    ['the same, with a later end', { ...KEY, expiresAt: 2_000 }, 2_000],
    ['the same, with an earlier end', { ...KEY, expiresAt: 500 }, 500],
    ['not to be told at the moment', new GatewayError('AUTH_UNAVAILABLE', 'Later.'), 1_000],
    ['too many at once', new GatewayError('OVERLOADED', 'Later.'), 1_000],
  ])('given that they are %s, then the connection goes on, to their end', async (_case, found, expiresAt) => {
    expect(await lookAgain(found)).toEqual({ lost: undefined, expiresAt });
  });
});
