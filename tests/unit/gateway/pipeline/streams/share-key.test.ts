import { describe, expect, it } from '@jest/globals';
import { FOR_OWNERS, GRANTED } from '../../../../../gateway/authorization/requirement.ts';
import { ANONYMOUS, type Principal } from '../../../../../gateway/platform/principal.ts';
import { type SharedBy, type SharingRules, shareKeyOf } from '../../../../../gateway/pipeline/streams/share-key.ts';
import { requestFor } from '../../../../support/gateway/new-pipeline.ts';

const user = (id: string, roles: readonly string[] = []): Principal => ({
  kind: 'user',
  id,
  roles: new Set(roles),
  scopes: new Set(),
  claims: {},
});
const SHARED: SharedBy = { operation: 'x', variables: { v0: 1 }, labels: [], access: undefined };

function keyFor(principal: Principal, shared: Partial<SharedBy> = {}, rules: Partial<SharingRules> = {}, headers = {}): string {
  return shareKeyOf({ ...SHARED, ...shared }, requestFor('', { principal, headers }), {
    headers: ['tenant'],
    isIdentityForwarded: false,
    ...rules,
  });
}

describe('shareKeyOf', () => {
  it('separates callers with owner-only data, even if no identities are sent', () => {
    const access = `${GRANTED}${FOR_OWNERS}`;
    expect(keyFor(user('1'), { access })).not.toBe(keyFor(user('2'), { access }));
    expect(keyFor(user('1'), { access })).toBe(keyFor(user('1'), { access }));
  });

  it('separates callers with different authorization decisions', () => {
    expect(keyFor(user('1'), { access: '1' })).not.toBe(keyFor(user('1'), { access: '0' }));
  });

  it('separates callers and roles if identities are sent to subgraphs', () => {
    const reported = { isIdentityForwarded: true };
    expect(new Set([user('1'), user('2'), user('1', ['ADMIN']), ANONYMOUS].map((caller) => keyFor(caller, {}, reported))).size).toBe(4);
  });

  it('shares among callers with equal authorization if no identities are sent', () => {
    expect(new Set([user('1'), user('2', ['ADMIN']), ANONYMOUS].map((caller) => keyFor(caller))).size).toBe(1);
  });

  it('separates operations, variables, labels and forwarded headers, but no others', () => {
    const keys = [
      keyFor(ANONYMOUS),
      keyFor(ANONYMOUS, { operation: 'y' }),
      keyFor(ANONYMOUS, { variables: { v0: 2 } }),
      keyFor(ANONYMOUS, { labels: ['on'] }),
      keyFor(ANONYMOUS, {}, {}, { tenant: 'a' }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(keyFor(ANONYMOUS, {}, {}, { 'user-agent': 'b' })).toBe(keys[0]);
  });
});
