import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { resolveGatewayConfig } from '../../../gateway/config/resolve-gateway-config.ts';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import { TargetForbidden, checkTarget } from '../../../subgraphs/webhooks/delivery/target-policy.ts';
import { startLibraryGateway } from '../../fixtures/library-graph.ts';

describe('point 11: trusted proxies', () => {
  const resolve = (...trustedProxies: string[]) => resolveGatewayConfig({ profile: 'production', server: { trustedProxies } });
  const cut = (count: number, prefix: number): string[] => Array.from({ length: count }, (_, index) => `${index + 1}.0.0.0/${prefix}`);

  it.each<[string, string[]]>([
    ['two halves of IPv4', ['0.0.0.0/1', '128.0.0.0/1']],
    ['one half', ['128.0.0.0/1']],
    ['a quarter', ['64.0.0.0/2']],
    ['a /7', ['2.0.0.0/7']],
    ['many networks, each allowed on its own', cut(60, 8)],
    ['halves of IPv6', ['::/1', '8000::/1']],
    ['all addresses of the Internet in IPv6', ['2000::/3']],
    ['every IPv4 address written as IPv6', ['::ffff:0.0.0.0/96']],
    ['halves of IPv4 written as IPv6', ['::ffff:0.0.0.0/97', '::ffff:128.0.0.0/97']],
    ['a network around all mapped addresses', ['::/64']],
    ['a private network with its neighbors', ['10.0.0.0/7']],
  ])('%s are rejected', (_title, networks) => {
    expect(() => resolve(...networks)).toThrow(/server\.trustedProxies: .* covers too many addresses/);
  });

  it.each<[string, string[]]>([
    ['private networks', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '127.0.0.0/8', 'fc00::/7', 'fe80::/10', '::1']],
    ['networks of a large provider', ['104.16.0.0/13', '172.64.0.0/13', '2400:cb00::/32', '2606:4700::/32']],
    ['the same network several times', Array.from({ length: 100 }, () => '9.0.0.0/8')],
  ])('%s are accepted', (_title, networks) => {
    expect(() => resolve(...networks)).not.toThrow();
  });
});

describe('point 11: operator keys', () => {
  it('are rejected on the internal listener before they are compared', async () => {
    const key = 'k'.repeat(32);
    await using library = await startLibraryGateway({ config: { maintenance: { key }, server: { trustedProxies: ['127.0.0.1'] } } });
    const request = async (headers: Record<string, string>): Promise<number> =>
      (await fetch(`${library.internalUrl}/maintenance`, { headers: { authorization: `Bearer ${key}`, ...headers } })).status;
    expect(await request({ 'x-forwarded-for': '192.0.2.7' })).toBe(403);
    expect(await request({ 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'https' })).toBe(200);
    expect(await request({})).toBe(200);
  });

  it('and service tokens are rejected on the internal listener before they are read', async () => {
    const identity = { secret: 'i'.repeat(32), serviceSecret: 's'.repeat(32) };
    await using library = await startLibraryGateway({ config: { identity, server: { trustedProxies: ['127.0.0.1'] } } });
    const request = async (headers: Record<string, string>): Promise<string> => {
      const body = JSON.stringify({ query: '{ __typename }' });
      const sent = { 'content-type': 'application/json', authorization: 'Bearer none', ...headers };
      return (await fetch(`${library.internalUrl}/graphql`, { method: 'POST', headers: sent, body })).text();
    };
    expect(await request({ 'x-forwarded-for': '192.0.2.7' })).toContain('TLS_REQUIRED');
    expect(await request({ 'x-forwarded-for': 'unknown' })).toContain('TLS_REQUIRED');
    expect(await request({ 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'https' })).toContain('UNAUTHENTICATED');
  });
});

describe('point 11: webhook targets', () => {
  const catchRejection = (resolve: () => Promise<{ address: string; family: number }[]>) =>
    checkTarget('https://name.example/', { resolve }).catch((error: unknown) => error);

  it('return the same error for an internal name and for a name that does not resolve', async () => {
    const inside = await catchRejection(async () => [{ address: '10.0.0.7', family: 4 }]);
    const both = await catchRejection(async () => [
      { address: '10.0.0.7', family: 4 },
      { address: '203.0.114.9', family: 4 },
    ]);
    const unknown = await catchRejection(() => Promise.reject(Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' })));
    const nothing = await catchRejection(async () => []);
    const messages = [inside, both, unknown, nothing].map((error) => (error instanceof TargetForbidden ? error.message : error));
    expect(new Set(messages).size).toBe(1);
    expect(messages[0]).toContain('public');
  });
});

describe('point 11: packages with install-time analytics', () => {
  interface LockedPackage {
    readonly dev?: boolean;
    readonly optional?: boolean;
    readonly hasInstallScript?: boolean;
  }
  const lock = JSON.parse(readFileSync(join(packageRoot, 'package-lock.json'), 'utf8')) as { packages: Record<string, LockedPackage> };
  const production = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && dev !== true);

  it('are not in the production tree', () => {
    expect(production.filter(([path]) => /(?:^|\/)(?:@scarf\/scarf|swagger-ui-dist)$/.test(path))).toEqual([]);
    expect(production.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path)).toEqual([]);
  });

  it('are replaced for the REST description page by files of this package, with their license', () => {
    for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE', 'NOTICE']) {
      expect(existsSync(join(packageRoot, 'dist/swagger-ui', file))).toBe(true);
    }
  });
});
