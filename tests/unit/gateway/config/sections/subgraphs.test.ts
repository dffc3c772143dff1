import { describe, expect, it } from '@jest/globals';
import { resolveGatewayConfig } from '../../../../../gateway/config/resolve-gateway-config.ts';
import { subgraphs } from '../../../../../gateway/config/sections/subgraphs.ts';

const OURS =
  'connection Keep-Alive te trailer transfer-encoding upgrade proxy-authorization host expect accept accept-encoding Content-Length content-type gatefold-identity Gatefold-Other x-correlation-id traceparent'.split(
    ' ',
  );

const OF_A_TRUSTED_PROXY = ['x-user-id', 'X-User', 'x-internal-token', 'x-forwarded-for', 'forwarded', 'x-real-ip'];

describe('header rules', () => {
  it.each([...OURS, ...OF_A_TRUSTED_PROXY])('reject %s as a header that is propagated from a client', (name) => {
    const rules = [{ propagate: [name] }, { rename: { [name]: 'x-a' } }, { rename: { 'x-a': name } }];
    for (const headers of rules) {
      expect(subgraphs.safeParse({ headers }).success).toBe(false);
      expect(subgraphs.safeParse({ override: { stock: { headers } } }).success).toBe(false);
    }
  });

  it.each(OURS)('reject %s as a header that is set', (name) => {
    expect(subgraphs.safeParse({ headers: { set: { [name]: 'a' } } }).success).toBe(false);
  });

  it('report the path and the reason for a forbidden header', () => {
    const read = () => resolveGatewayConfig({ subgraphs: { override: { stock: { headers: { propagate: ['x-ok', 'x-user-id'] } } } } });
    expect(read).toThrow('subgraphs.override.stock.headers.propagate.1: this header must not be forwarded from clients');
  });

  it.each(['', 'a b', 'a:b', 'é', 'a\n', 'a'.repeat(129)])('reject the header name %j', (name) => {
    expect(subgraphs.safeParse({ headers: { propagate: [name] } }).success).toBe(false);
    expect(subgraphs.safeParse({ headers: { remove: [name] } }).success).toBe(false);
  });

  it.each(['a\r\nb: c', 'a\0', 'é'])('reject the header value %j', (value) => {
    expect(subgraphs.safeParse({ headers: { set: { 'x-a': value } } }).success).toBe(false);
  });

  it('convert header names to lower case', () => {
    const { headers } = subgraphs.parse({
      headers: { propagate: ['Cookie'], rename: { 'X-A': 'X-B' }, set: { 'X-C': 'D' }, remove: ['X-E'] },
    });
    expect(headers).toEqual({ propagate: ['cookie'], rename: { 'x-a': 'x-b' }, set: { 'x-c': 'D' }, remove: ['x-e'] });
  });
});

describe('certificate verification', () => {
  it('can be disabled in the dev profile, but production names every such setting', () => {
    const off = { tls: { rejectUnauthorized: false } };
    const production = () => resolveGatewayConfig({ subgraphs: { ...off, override: { stock: off, prices: {} } } });
    expect(production).toThrow('subgraphs.tls.rejectUnauthorized');
    expect(production).toThrow('subgraphs.override.stock.tls.rejectUnauthorized');
    expect(resolveGatewayConfig({ profile: 'dev', subgraphs: off }).subgraphs.tls.rejectUnauthorized).toBe(false);
  });
});

describe('settings of single subgraphs', () => {
  it('contain only the keys that are given', () => {
    const { override } = subgraphs.parse({ override: { stock: { retry: { maxRetries: 0 } } } });
    expect(override).toEqual({ stock: { retry: { maxRetries: 0 } } });
  });
});
