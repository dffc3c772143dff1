import { describe, expect, it } from '@jest/globals';
import { resolveGatewayConfig } from '../../../../../gateway/config/resolve-gateway-config.ts';
import { subgraphs } from '../../../../../gateway/config/sections/subgraphs.ts';

const OURS =
  'connection Keep-Alive te trailer transfer-encoding upgrade proxy-authorization host expect accept accept-encoding Content-Length content-type gatefold-identity Gatefold-Other x-correlation-id traceparent'.split(
    ' ',
  );

const OF_A_TRUSTED_PROXY = ['x-user-id', 'X-User', 'x-internal-token', 'x-forwarded-for', 'forwarded', 'x-real-ip'];

describe('rules for headers', () => {
  it.each([...OURS, ...OF_A_TRUSTED_PROXY])('given %s, when it should be taken over from a client, then it is refused', (name) => {
    const rules = [{ propagate: [name] }, { rename: { [name]: 'x-a' } }, { rename: { 'x-a': name } }];
    for (const headers of rules) {
      expect(subgraphs.safeParse({ headers }).success).toBe(false);
      expect(subgraphs.safeParse({ override: { stock: { headers } } }).success).toBe(false);
    }
  });

  it.each(OURS)('given %s, when it should be set, then it is refused', (name) => {
    expect(subgraphs.safeParse({ headers: { set: { [name]: 'a' } } }).success).toBe(false);
  });

  it('given a header that no rule makes, when the configuration is read, then the place and the reason are told', () => {
    const read = () => resolveGatewayConfig({ subgraphs: { override: { stock: { headers: { propagate: ['x-ok', 'x-user-id'] } } } } });
    expect(read).toThrow('subgraphs.override.stock.headers.propagate.1: this header must not be forwarded from clients');
  });

  it.each(['', 'a b', 'a:b', 'é', 'a\n', 'a'.repeat(129)])('given the name %j, when a rule has it, then it is refused', (name) => {
    expect(subgraphs.safeParse({ headers: { propagate: [name] } }).success).toBe(false);
    expect(subgraphs.safeParse({ headers: { remove: [name] } }).success).toBe(false);
  });

  it.each(['a\r\nb: c', 'a\0', 'é'])('given the value %j, when it should be set, then it is refused', (value) => {
    expect(subgraphs.safeParse({ headers: { set: { 'x-a': value } } }).success).toBe(false);
  });

  it('given names in capitals, when read, then they are small', () => {
    const { headers } = subgraphs.parse({
      headers: { propagate: ['Cookie'], rename: { 'X-A': 'X-B' }, set: { 'X-C': 'D' }, remove: ['X-E'] },
    });
    expect(headers).toEqual({ propagate: ['cookie'], rename: { 'x-a': 'x-b' }, set: { 'x-c': 'D' }, remove: ['x-e'] });
  });
});

describe('verification of certificates', () => {
  it('given that it is switched off, when in production, then every place is named; in the dev profile it is allowed', () => {
    const off = { tls: { rejectUnauthorized: false } };
    const production = () => resolveGatewayConfig({ subgraphs: { ...off, override: { stock: off, prices: {} } } });
    expect(production).toThrow('subgraphs.tls.rejectUnauthorized');
    expect(production).toThrow('subgraphs.override.stock.tls.rejectUnauthorized');
    expect(resolveGatewayConfig({ profile: 'dev', subgraphs: off }).subgraphs.tls.rejectUnauthorized).toBe(false);
  });
});

describe('settings of single subgraphs', () => {
  it('given one key of one subgraph, when read, then nothing else is said of it', () => {
    const { override } = subgraphs.parse({ override: { stock: { retry: { maxRetries: 0 } } } });
    expect(override).toEqual({ stock: { retry: { maxRetries: 0 } } });
  });
});
