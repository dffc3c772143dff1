import { describe, expect, it } from '@jest/globals';
import { resolveGatewayConfig } from '../../../../gateway/config/resolve-gateway-config.ts';

describe('what the production profile does not start with', () => {
  const withKeysAt = (jwksUrl: string) => ({ auth: { providers: { jwt: { main: { issuer: 'a', audiences: ['b'], jwksUrl } } } } });

  it.each(['http://id.example/keys', 'http://127.0.0.1.example/keys', 'http://10.0.0.1/keys'])(
    'given keys of tokens at %s, when resolved, then it says that they could be replaced on the way',
    (url) => {
      expect(() => resolveGatewayConfig(withKeysAt(url))).toThrow(
        'auth.providers.jwt.main.jwksUrl: the production profile does not allow plain HTTP to an identity provider',
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
    expect(() => resolveGatewayConfig({ server: { host: '0.0.0.0' }, ...basic })).toThrow('does not accept passwords over plain HTTP');
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

  const proxied = { server: { host: '0.0.0.0', trustedProxies: ['10.0.0.0/8'] } };
  const handing = (url: string, headers: object) => ({ subgraphs: { headers, override: { users: { url } } } });

  it.each<[string, Parameters<typeof resolveGatewayConfig>[0], string]>([
    ['a development key', { auth: { developmentKey: 'k'.repeat(32) } }, 'auth.developmentKey: '],
    ['an open listener without TLS', { server: { host: '::' } }, 'server.host: '],
    [
      'proxies that are everybody',
      { server: { host: '0.0.0.0', trustedProxies: ['0.0.0.0/0'] } },
      'server.trustedProxies: 0.0.0.0/0 covers too many addresses',
    ],
    [
      'proxies that are everybody by IPv6',
      { server: { trustedProxies: ['::/0'] } },
      'server.trustedProxies: ::/0 covers too many addresses',
    ],
    ['plain HTTP taken behind a proxy', { server: { ...proxied.server, requireTls: false } }, 'server.requireTls: '],
    [
      'pages in plain HTTP',
      { server: { cors: { origins: ['http://shop.example'] } } },
      'server.cors.origins: the pages of http://shop.example',
    ],
    [
      'keys in plain HTTP on an open internal listener',
      { server: { internalHost: '0.0.0.0' }, cache: { invalidationKey: 'k'.repeat(32) } },
      'server.internalHost: ',
    ],
    [
      'credentials handed on in the open',
      handing('http://users.example.com/', { propagate: ['Authorization'] }),
      'subgraphs.override.users.url: ',
    ],
    [
      'credentials handed on under another name',
      handing('http://203.0.113.9/', { rename: { 'x-api-key': 'x-key' } }),
      'subgraphs.override.users.url: ',
    ],
    ['certificates that nobody verifies', { subgraphs: { tls: { rejectUnauthorized: false } } }, 'subgraphs.tls.rejectUnauthorized: '],
  ])('given %s, when resolved, then it is refused, and only in production', (_case, config, message) => {
    expect(() => resolveGatewayConfig(config)).toThrow(message);
    expect(() => resolveGatewayConfig({ profile: 'dev', ...config })).not.toThrow();
  });

  it.each<[string, Parameters<typeof resolveGatewayConfig>[0]]>([
    ['TLS on an open listener', { server: { host: '0.0.0.0', internalHost: '0.0.0.0', tls: { certificateFile: 'a', keyFile: 'b' } } }],
    ['a proxy in front', proxied],
    ['pages of this machine', { server: { cors: { origins: ['http://localhost:3000'] } } }],
    ['credentials handed on by TLS', handing('https://users.example.com/', { propagate: ['authorization'] })],
    ['credentials handed on in a private network', handing('http://users:4001/', { propagate: ['authorization'] })],
    ['credentials handed on to a private address', handing('http://[fd00::1]:4001/', { propagate: ['authorization'] })],
    [
      'credentials that are taken out again',
      handing('http://users.example.com/', { propagate: ['authorization'], remove: ['authorization'] }),
    ],
  ])('given %s, when resolved, then that is fine', (_case, config) => {
    expect(() => resolveGatewayConfig(config)).not.toThrow();
  });

  it('given two keys for identities, when resolved, then one is asked for, in every profile', () => {
    const identity = { secret: 's'.repeat(32), privateKeyFile: 'identity.pem' };
    expect(() => resolveGatewayConfig({ profile: 'dev', identity })).toThrow('set only one of secret and privateKeyFile');
  });
});
