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

/** Returns the headers that are sent to one subgraph in addition to the fixed ones. */
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
  expect(new Set(pairs.map(([name]) => name)).size).toBe(pairs.length); // No header is sent twice.
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
  it('forwards no client headers without rules', () => {
    expect(sent(CLIENT)).toEqual({ 'x-correlation-id': 'c' });
  });

  it.each([
    ['well formed', TRACE, { traceparent: TRACE }],
    ['with an all-zero trace id', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, {}],
    ['with an invalid version', `ff${TRACE.slice(2)}`, {}],
    ['with a suffix', `${TRACE}-x`, {}],
    ['in uppercase', TRACE.toUpperCase(), {}],
  ])('forwards only a valid trace: %s', (_what, traceparent, expected) => {
    expect(sent({ traceparent })).toEqual({ 'x-correlation-id': 'c', ...expected });
  });

  it.each(['a\r\nx-user-id: 1', 'a\nb', 'a\0', 'a\u010d\u010ab'])('omits the correlation id %j', (correlationId) => {
    const { of } = compileHeaders(resolvePolicies(settingsOf(), undefined).headers);
    expect(of({ principal: ANONYMOUS, correlationId, headers: {} })).not.toContain('x-correlation-id');
  });

  it('forwards headers under the names that the rules define', () => {
    const rules = { propagate: ['Accept-Language', 'cookie'], rename: { 'X-Tenant': 'tenant' }, set: { 'x-gateway': 'gatefold' } };
    expect(sent(CLIENT, rules)).toEqual({
      'x-correlation-id': 'c',
      'accept-language': 'nb',
      cookie: 'session=1',
      tenant: 'acme',
      'x-gateway': 'gatefold',
    });
  });

  it('combines the rules of a subgraph with the rules for all subgraphs', () => {
    const all = { propagate: ['accept-language', 'x-tenant'], set: { 'x-gateway': 'all', 'x-plan': 'a' } };
    const own = { propagate: ['authorization'], set: { 'x-gateway': 'own' }, remove: ['X-Tenant', 'x-plan', 'x-correlation-id'] };
    expect(sent(CLIENT, all, own)).toEqual({ 'accept-language': 'nb', authorization: 'Bearer x', 'x-gateway': 'own' });
  });

  it('ignores a client header that a rule sets', () => {
    expect(sent(CLIENT, { propagate: ['x-tenant'], rename: { cookie: 'x-tenant' }, set: { 'x-tenant': 'ours' } })['x-tenant']).toBe('ours');
  });

  it.each([
    ['a line break', 'a\r\nx-user-id: 1'],
    ['a NUL', 'a\0'],
    ['a character beyond bytes', 'ł'],
    ['8,193 characters', 'a'.repeat(8_193)],
  ])('does not forward a value with %s', (_what, value) => {
    expect(sent({ 'x-tenant': value }, { propagate: ['x-tenant'] })).toEqual({ 'x-correlation-id': 'c' });
  });

  it.each(['constructor', 'toString', 'hasOwnProperty'])('forwards nothing for an absent header called %s', (name) => {
    expect(sent({}, { propagate: [name] })).toEqual({ 'x-correlation-id': 'c' });
  });
});

describe('headers that hooks change', () => {
  it('replace those of all rules, are sent once, and null removes a header', () => {
    const rules = { set: { 'x-set': 'rule', 'x-other': 'rule' }, propagate: ['x-tenant', 'accept-language'] };
    const { withChanges } = compileHeaders(resolvePolicies(settingsOf({ headers: rules }), undefined).headers);
    const context = { principal: ANONYMOUS, correlationId: 'c', headers: CLIENT };
    const lines = withChanges({ context, headers: { 'x-set': 'hook', 'x-tenant': 'hook', 'accept-language': null, 'x-new': 'hook' } });
    const own = lines.split('\r\n').filter((line) => line.startsWith('x-') || line.startsWith('accept-language'));
    expect(own.toSorted()).toEqual(['x-correlation-id: c', 'x-new: hook', 'x-other: rule', 'x-set: hook', 'x-tenant: hook']);
    expect(withChanges({ context })).toContain('accept-language: nb');
  });
});
