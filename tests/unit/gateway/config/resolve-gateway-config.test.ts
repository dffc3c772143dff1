import { describe, expect, it } from '@jest/globals';
import { ConfigurationInvalid } from '../../../../gateway/config/configuration-invalid.ts';
import { resolveGatewayConfig } from '../../../../gateway/config/resolve-gateway-config.ts';

describe('a configuration in code', () => {
  it('reports all errors with their paths and without a location', () => {
    const mistaken = () => resolveGatewayConfig({ server: { port: -1 }, graphql: { maxTokens: 0 } });
    expect(mistaken).toThrow(ConfigurationInvalid);
    expect(mistaken).toThrow(
      [
        'The configuration has 2 mistakes.',
        '  server.port: expected a whole number from 0 to 65535 (port; 0 selects a free port), got -1',
        '  graphql.maxTokens: expected a whole number from 1 to 1000000 (tokens), got 0',
      ].join('\n'),
    );
  });

  it.each([
    [Number.NaN, 'got NaN'],
    [() => 4_000, 'got [Function'],
    [4_000n, 'got 4000n'],
    [null, 'got null'],
    ['4000', 'got "4000"'],
  ])('reports the port %p as it was given', (port, reported) => {
    expect(() => resolveGatewayConfig({ server: { port: port as number } })).toThrow(reported);
  });

  it('has the stricter profile by default', () => {
    const config = resolveGatewayConfig({});
    expect(config).toMatchObject({ profile: 'production', graphql: { introspection: false, graphiql: false } });
    expect(() => resolveGatewayConfig({ auth: { developmentKey: 'k'.repeat(32) } })).toThrow('does not accept development tokens');
  });

  it.each([
    [0, 0],
    [4_000, 4_001],
    [65_535, 65_534],
  ])('with port %d has the internal port %d by default', (port, internalPort) => {
    expect(resolveGatewayConfig({ server: { port } }).server.internalPort).toBe(internalPort);
  });

  it.each(['127.0.0.1', '127.8.8.8', '::1', 'localhost'])('allows plain HTTP on the loopback address %s in production', (host) => {
    expect(resolveGatewayConfig({ server: { host } }).server.host).toBe(host);
  });

  it.each(['0.0.0.0', '::', '10.0.0.1', '127.evil.example', 'gateway.internal'])(
    'does not allow plain HTTP on %s in production',
    (host) => {
      expect(() => resolveGatewayConfig({ server: { host } })).toThrow(`does not allow plain HTTP on ${host}`);
      expect(resolveGatewayConfig({ profile: 'dev', server: { host } }).server.host).toBe(host);
    },
  );
});
