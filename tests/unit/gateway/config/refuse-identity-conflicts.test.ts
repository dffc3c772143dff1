import { describe, expect, it } from '@jest/globals';
import { resolveGatewayConfig } from '../../../../gateway/config/resolve-gateway-config.ts';
import type { GatewayConfigInput } from '../../../../gateway/config/sections.ts';

const SIGNED = { secret: 's'.repeat(32), header: 'Authorization' };

describe('given a signed identity in the header authorization', () => {
  it.each<[string, Omit<GatewayConfigInput, 'identity'>]>([
    ['subgraphs.headers.propagate', { subgraphs: { headers: { propagate: ['Authorization'] } } }],
    ['subgraphs.headers.rename.x-token', { subgraphs: { headers: { rename: { 'x-token': 'authorization' } } } }],
    ['subgraphs.headers.set.authorization', { subgraphs: { headers: { set: { Authorization: 'Bearer static' } } } }],
    ['subgraphs.override.films.headers.propagate', { subgraphs: { override: { films: { headers: { propagate: ['authorization'] } } } } }],
    [
      'supergraph.subgraphs.films.headers',
      { supergraph: { subgraphs: { films: { url: 'http://films.example', headers: { Authorization: 'Bearer static' } } } } },
    ],
  ])('the start is refused with %s, and the message names both settings', (path, config) => {
    expect(() => resolveGatewayConfig({ ...config, identity: SIGNED })).toThrow(
      `${path}: the header authorization contains the signed identity (identity.header), so no rule may send it`,
    );
    expect(() => resolveGatewayConfig({ ...config, identity: { ...SIGNED, header: 'gatefold-identity' } })).not.toThrow();
  });

  it('other headers and a renamed Authorization header are accepted', () => {
    const headers = { propagate: ['accept-language'], rename: { authorization: 'x-client-token' } };
    expect(resolveGatewayConfig({ identity: SIGNED, subgraphs: { headers } }).identity.header).toBe('authorization');
  });
});

describe('given no key of the identity', () => {
  it('any header can be forwarded', () => {
    const config = resolveGatewayConfig({
      identity: { header: 'authorization' },
      subgraphs: { headers: { propagate: ['authorization'] } },
    });
    expect(config.subgraphs.headers.propagate).toEqual(['authorization']);
  });
});

describe('the section identity', () => {
  it.each(['content-type', 'Host', 'connection', 'traceparent', 'x-correlation-id', 'sec-websocket-key', 'a b', ''])(
    'rejects the header %j',
    (header) => {
      expect(() => resolveGatewayConfig({ identity: { header } })).toThrow('identity.header: ');
    },
  );

  it('rejects a further public key for a shared secret', () => {
    const identity = { secret: 's'.repeat(32), additionalKeyFile: 'old.pem' };
    expect(() => resolveGatewayConfig({ identity })).toThrow('additionalKeyFile needs privateKeyFile');
  });
});
