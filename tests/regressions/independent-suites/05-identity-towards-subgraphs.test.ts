import { describe, expect, it } from '@jest/globals';
import { systemClock } from '../../../gateway/platform/clock.ts';
import { ANONYMOUS, type Principal } from '../../../gateway/platform/principal.ts';
import { createIdentitySigner } from '../../../gateway/subgraph-client/sign-identity.ts';

const SECRET = 'a secret of thirty-two characters';

describe('point 05: the identity towards subgraphs', () => {
  const { sign } = createIdentitySigner({ key: { secret: SECRET }, clock: systemClock });
  const claimsOf = (principal: Principal) => {
    const [, payload = ''] = sign('books', principal, '{}').split('.');
    return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
  };

  it('distinguishes one subject of two issuers, and kinds', () => {
    const of = (issuer: string, kind: 'user' | 'service' = 'user') => claimsOf({ ...ANONYMOUS, kind, issuer, id: '7' });
    expect(of('https://a.example')).toMatchObject({ sub: '7', kind: 'user', issuer: 'https://a.example' });
    expect(of('https://b.example')).toMatchObject({ sub: '7', kind: 'user', issuer: 'https://b.example' });
    expect(of('https://a.example', 'service')).toMatchObject({ sub: '7', kind: 'service' });
  });
});
