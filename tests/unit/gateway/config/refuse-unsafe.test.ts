import { describe, expect, it } from '@jest/globals';
import { resolveGatewayConfig } from '../../../../gateway/config/resolve-gateway-config.ts';

describe('the production profile', () => {
  const withKeysAt = (jwksUrl: string) => ({ auth: { providers: { jwt: { main: { issuer: 'a', audiences: ['b'], jwksUrl } } } } });

  it.each(['http://id.example/keys', 'http://127.0.0.1.example/keys', 'http://10.0.0.1/keys'])(
    'rejects token keys at %s, which could be replaced in transit',
    (url) => {
      expect(() => resolveGatewayConfig(withKeysAt(url))).toThrow(
        'auth.providers.jwt.main.jwksUrl: the production profile does not allow plain HTTP to an identity provider',
      );
      expect(() => resolveGatewayConfig({ profile: 'dev', ...withKeysAt(url) })).not.toThrow();
    },
  );

  it.each(['https://id.example/keys', 'http://127.0.0.1:9/keys', 'http://localhost/keys', 'http://[::1]:9/keys'])(
    'accepts token keys at %s',
    (url) => {
      expect(() => resolveGatewayConfig(withKeysAt(url))).not.toThrow();
    },
  );

  it('rejects token introspection over plain HTTP', () => {
    const introspection = { url: 'http://id.example/introspect', clientId: 'a', clientSecretFile: 'b' };
    expect(() => resolveGatewayConfig({ auth: { providers: { introspection } } })).toThrow('auth.providers.introspection.url: ');
  });

  it('rejects passwords without TLS unless a proxy in front is declared', () => {
    const basic = { auth: { providers: { basic: { file: 'users.json' } } } };
    expect(() => resolveGatewayConfig({ server: { host: '0.0.0.0' }, ...basic })).toThrow('does not accept passwords over plain HTTP');
    expect(() => resolveGatewayConfig({ server: { host: '0.0.0.0', trustedProxies: ['10.0.0.0/8'] }, ...basic })).not.toThrow();
    expect(() => resolveGatewayConfig(basic)).not.toThrow();
  });

  it.each([
    ['url', { url: 'http://orders.example/graphql' }],
    ['subscriptions.url', { subscriptions: { url: 'http://events.example/graphql' } }],
  ])('rejects client credentials that are sent over open networks to %s', (key, orders) => {
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
      'trusted proxies that match every address',
      { server: { host: '0.0.0.0', trustedProxies: ['0.0.0.0/0'] } },
      'server.trustedProxies: 0.0.0.0/0 covers too many addresses',
    ],
    [
      'trusted proxies that match every IPv6 address',
      { server: { trustedProxies: ['::/0'] } },
      'server.trustedProxies: ::/0 covers too many addresses',
    ],
    ['plain HTTP behind a proxy', { server: { ...proxied.server, requireTls: false } }, 'server.requireTls: '],
    [
      'CORS origins in plain HTTP',
      { server: { cors: { origins: ['http://shop.example'] } } },
      'server.cors.origins: the pages of http://shop.example',
    ],
    [
      'keys in plain HTTP on an open internal listener',
      { server: { internalHost: '0.0.0.0' }, cache: { invalidationKey: 'k'.repeat(32) } },
      'server.internalHost: ',
    ],
    [
      'credentials forwarded in plain HTTP',
      handing('http://users.example.com/', { propagate: ['Authorization'] }),
      'subgraphs.override.users.url: ',
    ],
    [
      'credentials forwarded under another name',
      handing('http://203.0.113.9/', { rename: { 'x-api-key': 'x-key' } }),
      'subgraphs.override.users.url: ',
    ],
    ['certificates without verification', { subgraphs: { tls: { rejectUnauthorized: false } } }, 'subgraphs.tls.rejectUnauthorized: '],
  ])('rejects %s, which the dev profile accepts', (_case, config, message) => {
    expect(() => resolveGatewayConfig(config)).toThrow(message);
    expect(() => resolveGatewayConfig({ profile: 'dev', ...config })).not.toThrow();
  });

  it.each<[string, Parameters<typeof resolveGatewayConfig>[0]]>([
    ['TLS on an open listener', { server: { host: '0.0.0.0', internalHost: '0.0.0.0', tls: { certificateFile: 'a', keyFile: 'b' } } }],
    ['a proxy in front', proxied],
    ['CORS origins of this machine', { server: { cors: { origins: ['http://localhost:3000'] } } }],
    ['credentials forwarded over TLS', handing('https://users.example.com/', { propagate: ['authorization'] })],
    ['credentials forwarded in a private network', handing('http://users:4001/', { propagate: ['authorization'] })],
    ['credentials forwarded to a private address', handing('http://[fd00::1]:4001/', { propagate: ['authorization'] })],
    [
      'forwarded credentials that are removed again',
      handing('http://users.example.com/', { propagate: ['authorization'], remove: ['authorization'] }),
    ],
  ])('accepts %s', (_case, config) => {
    expect(() => resolveGatewayConfig(config)).not.toThrow();
  });

  it('rejects two identity keys, as every profile does', () => {
    const identity = { secret: 's'.repeat(32), privateKeyFile: 'identity.pem' };
    expect(() => resolveGatewayConfig({ profile: 'dev', identity })).toThrow('set only one of secret and privateKeyFile');
  });
});
