import { describe, expect, it } from '@jest/globals';
import { identityNotice } from '../../../cli/identity-notice.ts';
import { resolveGatewayConfig } from '../../../gateway/config/resolve-gateway-config.ts';
import type { GatewayConfigInput } from '../../../gateway/config/sections.ts';

const notice = (input: GatewayConfigInput) => identityNotice(resolveGatewayConfig({ profile: 'production', ...input }));

describe('the notice about the identity of callers', () => {
  it('names both ways to send the caller to subgraphs', () => {
    const text = notice({}).join('\n');
    expect(text).toContain('no user, roles or scopes');
    expect(text).toContain('subgraphs.headers.propagate: [authorization]');
    expect(text).toContain('identity.secret or identity.privateKeyFile');
    expect(text).toContain('docs/guides/forward-credentials.md');
  });

  it('appears although another header is forwarded', () => {
    expect(notice({ subgraphs: { headers: { propagate: ['accept-language'] } } })).not.toEqual([]);
  });

  it.each<[string, GatewayConfigInput]>([
    ['the dev profile', { profile: 'dev' }],
    ['a secret', { identity: { secret: 's'.repeat(32) } }],
    ['a private key', { identity: { privateKeyFile: 'identity.pem' } }],
    ['a forwarded Authorization header', { subgraphs: { headers: { propagate: ['Authorization'] } } }],
    ['a renamed API key for one subgraph', { subgraphs: { override: { films: { headers: { rename: { 'X-API-Key': 'x-key' } } } } } }],
  ])('does not appear with %s', (_what, input) => {
    expect(notice(input)).toEqual([]);
  });
});
