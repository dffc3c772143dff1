import { describe, expect, it } from '@jest/globals';
import { ConfigurationInvalid } from '../../../../gateway/config/configuration-invalid.ts';
import { resolveGatewayConfig } from '../../../../gateway/config/resolve-gateway-config.ts';
import type { GatewayConfigInput } from '../../../../gateway/config/sections.ts';

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

describe('the modes of limits and budgets in a configuration', () => {
  it.each([
    ['nothing', {}, 'auto'],
    ['maxCost', { maxCost: 5_000 }, 'enforce'],
    ['mode', { mode: 'measure', maxCost: 5_000 }, 'measure'],
    ['modes.cost', { mode: 'enforce', maxCost: 100, modes: { cost: 'auto' } }, 'auto'],
  ] as const)('with %s of the section limits select the mode of the cost limit', (_what, limits, cost) => {
    const { limits: resolved } = resolveGatewayConfig({ limits });
    expect([resolved.modes.cost, resolved.mode, resolved.maxCost]).toEqual([
      cost,
      'mode' in limits ? limits.mode : 'enforce',
      'maxCost' in limits ? limits.maxCost : 5_000,
    ]);
  });

  it.each([
    ['nothing', {}, 'rejections'],
    ['nothing in the dev profile', { profile: 'dev' }, 'rejections'],
    ['budgets of authenticated callers', { budget: { signedIn: { capacity: 5 } } }, 'rejections'],
    ['budget.mode off', { budget: { mode: 'off' } }, 'rejections'],
    ['budget.mode', { budget: { mode: 'measure' } }, 'measure'],
    ['budget.anonymous.capacity', { budget: { anonymous: { capacity: 5 } } }, 'enforce'],
    ['budget.anonymous.refillPerSecond', { budget: { anonymous: { refillPerSecond: 5 } } }, 'enforce'],
    ['budget.key', { budget: { key: 'address' } }, 'enforce'],
    ['trusted proxies', { server: { trustedProxies: ['10.0.0.1'] } }, 'enforce'],
    ['budget.anonymous.mode', { server: { trustedProxies: ['10.0.0.1'] }, budget: { anonymous: { mode: 'rejections' } } }, 'rejections'],
  ] as const)('with %s select how anonymous callers are charged', (_what, input, mode) => {
    expect(resolveGatewayConfig(input as GatewayConfigInput).budget.anonymous.mode).toBe(mode);
  });

  it.each([
    ['production', {}, false],
    ['dev', {}, true],
    ['dev', { origins: ['https://shop.example.com'] }, false],
    ['dev', { localPages: false }, false],
  ] as const)('allow local pages in the profile %s with the CORS settings %j: %s', (profile, cors, localPages) => {
    expect(
      resolveGatewayConfig({ profile, server: { cors: { ...cors, origins: [...('origins' in cors ? cors.origins : [])] } } }),
    ).toMatchObject({
      server: { cors: { localPages } },
    });
  });

  it('do not allow local pages in production', () => {
    expect(() => resolveGatewayConfig({ server: { cors: { localPages: true } } })).toThrow('server.cors.localPages');
  });

  it.each([
    {},
    { profile: 'dev' },
    { limits: { maxCost: 7 } },
    { budget: { mode: 'off' } },
    { budget: { anonymous: { capacity: 5 } } },
  ] as const)('are the same when the resolved configuration %j is resolved again', (input) => {
    const resolved = resolveGatewayConfig(input);
    expect(resolveGatewayConfig(resolved)).toEqual(resolved);
  });
});
