import { describe, expect, it } from '@jest/globals';
import { resolveGatewayConfig } from '../../../../gateway/config/resolve-gateway-config.ts';

describe('what the production profile does not start with', () => {
  const withKeysAt = (jwksUrl: string) => ({ auth: { providers: { jwt: { main: { issuer: 'a', audiences: ['b'], jwksUrl } } } } });

  it.each(['http://id.example/keys', 'http://127.0.0.1.example/keys', 'http://10.0.0.1/keys'])(
    'given keys of tokens at %s, when resolved, then it says that they could be replaced on the way',
    (url) => {
      expect(() => resolveGatewayConfig(withKeysAt(url))).toThrow(
        'auth.providers.jwt.main.jwksUrl: the production profile does not ask an identity provider in plain HTTP',
      );
      expect(() => resolveGatewayConfig({ profile: 'dev', ...withKeysAt(url) })).not.toThrow();
    },
  );

  it.each(['https://id.example/keys', 'http://127.0.0.1:9/keys', 'http://localhost/keys', 'http://[::1]:9/keys'])(
    'given keys of tokens at %s, when resolved, then that is fine',
    (url) => {
      expect(() => resolveGatewayConfig(withKeysAt(url))).not.toThrow();
    },
  );

  it('given an introspection that goes over the network in plain HTTP, when resolved, then it is refused', () => {
    const introspection = { url: 'http://id.example/introspect', clientId: 'a', clientSecretFile: 'b' };
    expect(() => resolveGatewayConfig({ auth: { providers: { introspection } } })).toThrow('auth.providers.introspection.url: ');
  });

  it('given passwords without TLS, when resolved, then they are refused, and a proxy that speaks TLS is named', () => {
    const basic = { auth: { providers: { basic: { file: 'users.json' } } } };
    expect(() => resolveGatewayConfig({ server: { host: '0.0.0.0' }, ...basic })).toThrow('takes no passwords over plain HTTP');
    expect(() => resolveGatewayConfig({ server: { host: '0.0.0.0', trustedProxies: ['10.0.0.0/8'] }, ...basic })).not.toThrow();
    expect(() => resolveGatewayConfig(basic)).not.toThrow();
  });

  it.each([
    ['url', { url: 'http://orders.example/graphql' }],
    ['subscriptions.url', { subscriptions: { url: 'http://events.example/graphql' } }],
  ])('given credentials of clients that go on over open networks to %s, when resolved, then that is refused', (key, orders) => {
    const config = { subgraphs: { headers: { propagate: ['authorization'] }, override: { orders } } };
    expect(() => resolveGatewayConfig(config)).toThrow(`subgraphs.override.orders.${key}: `);
    expect(() => resolveGatewayConfig({ profile: 'dev', ...config })).not.toThrow();
  });
});
