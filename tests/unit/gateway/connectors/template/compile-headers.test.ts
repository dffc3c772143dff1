import { describe, expect, it } from '@jest/globals';
import { compileConnectorHeaders } from '../../../../../gateway/connectors/template/compile-headers.ts';
import { encodeForm } from '../../../../../gateway/connectors/template/encode-form.ts';
import { issueOfHeaderName } from '../../../../../gateway/connectors/template/header-names.ts';
import type { HeaderRule } from '../../../../../gateway/connectors/template/header-rule.ts';
import { parseTemplate } from '../../../../../gateway/connectors/template/parse-template.ts';

const value = (name: string, text: string): HeaderRule => ({ name, value: parseTemplate(text, '0.3') });

function headers(rules: readonly HeaderRule[], variables = {}, client = {}, source: readonly HeaderRule[] = []) {
  return { ...compileConnectorHeaders(source, rules)(variables, client) };
}

describe('compileConnectorHeaders', () => {
  it.each(['\r\nx-admin: 1', 'a\nb', 'a\rb', 'a\0b', 'a\u007fb', 'a\u0001'])('refuses control characters in a value', (id) => {
    const message = 'The value of the header "x-id" contains control characters.';
    expect(() => headers([value('x-id', '{$args.id}')], { $args: { id } })).toThrow(message);
    expect(() => headers([value('x-id', 'id {$args.id}')], { $args: { id } })).toThrow(message);
    expect(() => headers([{ name: 'x-id', from: 'x-id' }], {}, { 'x-id': ['a', id] })).toThrow(message);
  });

  it('refuses objects and lists', () => {
    expect(() => headers([value('x-id', '{$args.id}')], { $args: { id: {} } })).toThrow('resulted in an object');
    expect(() => headers([value('x-id', '{$args.id}')], { $args: { id: [] } })).toThrow('resulted in a list');
  });

  it('copies nothing that no rule names', () => {
    expect(headers([], {}, { authorization: 'Bearer secret', cookie: 'a=b' })).toEqual({});
    expect(headers([{ name: 'x-a', from: 'constructor' }], {}, {})).toEqual({});
  });

  it('omits a header without a value', () => {
    const rules = [value('x-a', '{$args.a}'), { name: 'x-b', from: 'x-b' }, value('x-c', 'c {$args.a}')];
    expect(headers(rules, { $args: { a: null } })).toEqual({ 'x-c': 'c' });
  });

  it('copies all values of a header of the client under another name', () => {
    const rules: HeaderRule[] = [{ name: 'x-new', from: 'x-old' }];
    expect(headers(rules, {}, { 'x-old': ['1', '2'] })).toEqual({ 'x-new': ['1', '2'] });
  });

  it('replaces a header of the source, even if the new one has no value', () => {
    const source = [value('authorization', 'Bearer {$config.token}'), value('x-version', '1')];
    const variables = { $config: { token: 't' } };
    expect(headers([value('x-version', '{$args.v}')], { ...variables, $args: { v: 2 } }, {}, source)).toEqual({
      authorization: 'Bearer t',
      'x-version': '2',
    });
    expect(headers([{ name: 'authorization', from: 'authorization' }], variables, {}, source)).toEqual({ 'x-version': '1' });
  });

  it('writes other than ASCII characters as UTF-8', () => {
    expect(headers([value('x-a', '  é {$args.a} ')], { $args: { a: '😊' } })).toEqual({
      'x-a': Buffer.from('é 😊').toString('latin1'),
    });
  });
});

describe('issueOfHeaderName', () => {
  it.each(['Host', 'content-length', 'Transfer-Encoding', 'connection', 'te', 'upgrade', 'expect'])('refuses %s', (name) => {
    expect(issueOfHeaderName(name, false)).toContain('is reserved');
  });

  it.each(['', 'a b', 'a:b', 'a\r\nb', 'é'])('refuses the invalid name %j', (name) => {
    expect(issueOfHeaderName(name, false)).toContain('is not a valid name');
  });

  it('allows accept and content-type with a value only', () => {
    expect(issueOfHeaderName('Accept', true)).toContain('use "value"');
    expect(issueOfHeaderName('Accept', false)).toBeUndefined();
  });
});

describe('encodeForm', () => {
  it.each([['text'], [[1]], [null], [undefined]])('refuses %j', (body) => {
    expect(() => encodeForm(body)).toThrow('The body of a form must be an object.');
  });

  it('encodes lists with indexes and objects with names', () => {
    const body = { name: 'A & B=C', tags: ['x y', 'z'], homes: [{ street: '1 Main St' }], 'a[b]': 1, none: null, gone: undefined };
    expect(encodeForm(body)).toBe('name=A+%26+B%3DC&tags%5B0%5D=x+y&tags%5B1%5D=z&homes%5B0%5D%5Bstreet%5D=1+Main+St&a%5Bb%5D=1&none=');
  });
});
