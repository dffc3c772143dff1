import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import type { subgraphs } from '../../../../gateway/config/sections/subgraphs.ts';
import { ANONYMOUS } from '../../../../gateway/platform/principal.ts';
import type { RequestHeaders } from '../../../../gateway/platform/request-headers.ts';
import { compileHeaders } from '../../../../gateway/subgraph-client/compile-headers.ts';
import { resolvePolicies } from '../../../../gateway/subgraph-client/resolve-targets.ts';
import { settingsOf } from '../../../support/subgraphs/fake-subgraph.ts';

type Rules = NonNullable<z.input<typeof subgraphs>['headers']>;

const TRACE = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

/** What one subgraph is sent beside the fixed headers. */
function sent(headers: RequestHeaders, rules: Rules = {}, own: Rules = {}): Readonly<Record<string, string>> {
  const settings = settingsOf({ headers: rules, override: { stock: { headers: own } } });
  const lines = compileHeaders(resolvePolicies(settings, settings.override['stock']).headers).of({
    principal: ANONYMOUS,
    correlationId: 'c',
    headers,
  });
  expect(lines.endsWith('\r\n')).toBe(true);
  const pairs = lines
    .split('\r\n', -1)
    .slice(0, -1)
    .map((line) => line.split(/: (.*)/s) as [string, string]);
  expect(new Set(pairs.map(([name]) => name)).size).toBe(pairs.length); // none twice
  const { 'content-type': _type, accept: _accept, 'accept-encoding': coding, ...others } = Object.fromEntries(pairs);
  expect(coding).toBe('identity');
  return others;
}

const CLIENT: RequestHeaders = {
  'accept-language': 'nb',
  cookie: 'session=1',
  authorization: 'Bearer x',
  'x-user-id': '7',
  'gatefold-identity': 'forged',
  'x-tenant': 'acme',
};

describe('compileHeaders', () => {
  it('given no rules, when a client sends all sorts of headers, then none of them goes on', () => {
    expect(sent(CLIENT)).toEqual({ 'x-correlation-id': 'c' });
  });

  it.each([
    ['well formed', TRACE, { traceparent: TRACE }],
    ['of no trace', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, {}],
    ['of no version', `ff${TRACE.slice(2)}`, {}],
    ['with more behind it', `${TRACE}-x`, {}],
    ['in capitals', TRACE.toUpperCase(), {}],
  ])('given a trace that is %s, when sent, then it goes on or not', (_what, traceparent, expected) => {
    expect(sent({ traceparent })).toEqual({ 'x-correlation-id': 'c', ...expected });
  });

  it.each(['a\r\nx-user-id: 1', 'a\nb', 'a\0', 'a\u010d\u010ab'])(
    'given the correlation id %j, when sent, then it is left out',
    (correlationId) => {
      const { of } = compileHeaders(resolvePolicies(settingsOf(), undefined).headers);
      expect(of({ principal: ANONYMOUS, correlationId, headers: {} })).not.toContain('x-correlation-id');
    },
  );

  it('given rules, when sent, then what they name goes on, under the name they give', () => {
    const rules = { propagate: ['Accept-Language', 'cookie'], rename: { 'X-Tenant': 'tenant' }, set: { 'x-gateway': 'gatefold' } };
    expect(sent(CLIENT, rules)).toEqual({
      'x-correlation-id': 'c',
      'accept-language': 'nb',
      cookie: 'session=1',
      tenant: 'acme',
      'x-gateway': 'gatefold',
    });
  });

  it('given rules of one subgraph, when sent to it, then they add to those for all, and take away from them', () => {
    const all = { propagate: ['accept-language', 'x-tenant'], set: { 'x-gateway': 'all', 'x-plan': 'a' } };
    const own = { propagate: ['authorization'], set: { 'x-gateway': 'own' }, remove: ['X-Tenant', 'x-plan', 'x-correlation-id'] };
    expect(sent(CLIENT, all, own)).toEqual({ 'accept-language': 'nb', authorization: 'Bearer x', 'x-gateway': 'own' });
  });

  it('given a header that is set and that a client sends, when sent, then the client’s does not count', () => {
    expect(sent(CLIENT, { propagate: ['x-tenant'], rename: { cookie: 'x-tenant' }, set: { 'x-tenant': 'ours' } })['x-tenant']).toBe('ours');
  });

  it.each([
    ['a line break', 'a\r\nx-user-id: 1'],
    ['a NUL', 'a\0'],
    ['a character beyond bytes', 'ł'],
    ['8,193 characters', 'a'.repeat(8_193)],
  ])('given a value with %s, when it should go on, then it does not', (_what, value) => {
    expect(sent({ 'x-tenant': value }, { propagate: ['x-tenant'] })).toEqual({ 'x-correlation-id': 'c' });
  });

  it.each(['constructor', 'toString', 'hasOwnProperty'])(
    'given a rule for a header called %s, when nobody sends it, then nothing goes on',
    (name) => {
      expect(sent({}, { propagate: [name] })).toEqual({ 'x-correlation-id': 'c' });
    },
  );
});
