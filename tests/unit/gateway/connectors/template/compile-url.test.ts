import { describe, expect, it } from '@jest/globals';
import { parseSelection } from '../../../../../gateway/connectors/selection/parse-selection.ts';
import { compileUrl, type UrlSections } from '../../../../../gateway/connectors/template/compile-url.ts';
import { parseUrlTemplate } from '../../../../../gateway/connectors/template/parse-url-template.ts';

const VERSION = '0.3';

interface Written {
  readonly url: string;
  readonly path?: string;
  readonly queryParams?: string;
  readonly base?: string;
  readonly basePath?: string;
  readonly baseQuery?: string;
}

function mappings(path: string | undefined, queryParams: string | undefined) {
  return {
    ...(path === undefined ? {} : { path: parseSelection(path, VERSION) }),
    ...(queryParams === undefined ? {} : { queryParams: parseSelection(queryParams, VERSION) }),
  };
}

function build({ url, path, queryParams, base, basePath, baseQuery }: Written, variables: Record<string, unknown> = {}): string {
  const sections: UrlSections = {
    ...(base === undefined ? {} : { source: { baseUrl: parseUrlTemplate(base, VERSION, 'base'), ...mappings(basePath, baseQuery) } }),
    http: { url: parseUrlTemplate(url, VERSION, 'connector'), ...mappings(path, queryParams) },
  };
  const { origin, target } = compileUrl(sections)(variables);
  return `${origin}${target}`;
}

const $args = (values: Record<string, unknown>) => ({ $args: values });

describe('compileUrl', () => {
  it.each([
    ['a slash', 'a/b', 'http://api.test/users/a%2Fb'],
    ['a backslash', 'a\\b', 'http://api.test/users/a%5Cb'],
    ['a query', 'a?admin=1', 'http://api.test/users/a%3Fadmin%3D1'],
    ['a fragment', 'a#b', 'http://api.test/users/a%23b'],
    ['an encoded slash', 'a%2Fb', 'http://api.test/users/a%252Fb'],
    ['encoded dots', '%2e%2e', 'http://api.test/users/%252e%252e'],
    ['a line break', 'a\r\nb', 'http://api.test/users/a%0D%0Ab'],
    ['user info', 'evil@host', 'http://api.test/users/evil%40host'],
    ['letters outside ASCII', 'é', 'http://api.test/users/%C3%A9'],
    ['half of a surrogate pair', '\ud800', 'http://api.test/users/%EF%BF%BD'],
    ['no value', null, 'http://api.test/users/'],
    ['a number', 7.5, 'http://api.test/users/7.5'],
    ['a boolean', true, 'http://api.test/users/true'],
  ])('sends %s within its segment of the path', (_, id, expected) => {
    expect(build({ url: 'http://api.test/users/{$args.id}' }, $args({ id }))).toBe(expected);
  });

  it.each(['.', '..'])('refuses the segment %s', (id) => {
    const url = 'http://api.test/users/{$args.id}/orders';
    expect(() => build({ url }, $args({ id }))).toThrow('An expression in the path of the URL resulted in the segment');
    expect(() => build({ url: 'http://api.test/', path: '$args.path' }, $args({ path: ['a', id] }))).toThrow('the segment');
  });

  it('refuses a segment that two expressions make relative', () => {
    expect(() => build({ url: 'http://api.test/a/{$args.id}{$args.id}/b' }, $args({ id: '.' }))).toThrow('the segment ".."');
    expect(() => build({ url: 'http://api.test/a/%2e{$args.id}/b' }, $args({ id: '.' }))).toThrow('is not sent');
  });

  it('encodes names and values of the query', () => {
    const url = 'http://api.test/?{$args.name}={$args.value}&fixed=1';
    expect(build({ url }, $args({ name: 'a&b=c', value: 'd&e=f#g+h' }))).toBe('http://api.test/?a%26b%3Dc=d%26e%3Df%23g%2Bh&fixed=1');
  });

  it('sends a parameter without a value as empty', () => {
    expect(build({ url: 'http://api.test/a?b={$args.b}' }, $args({}))).toBe('http://api.test/a?b=');
  });

  it.each([
    ['an object', { a: 1 }, 'an object'],
    ['a list', [1], 'a list'],
  ])('refuses %s in an expression', (_, id, kind) => {
    expect(() => build({ url: 'http://api.test/{$args.id}' }, $args({ id }))).toThrow(`resulted in ${kind}`);
    expect(() => build({ url: 'http://api.test/?a={$args.id}' }, $args({ id }))).toThrow(`resulted in ${kind}`);
  });

  it('omits null in queryParams, and repeats a parameter for each value of a list', () => {
    const url = { url: 'http://api.test/a?x=1', queryParams: '$args' };
    expect(build(url, $args({ none: null, ids: [1, null, 2], '&y': '=z' }))).toBe('http://api.test/a?x=1&ids=1&ids=2&%26y=%3Dz');
    expect(build(url, $args({ none: null }))).toBe('http://api.test/a?x=1');
    expect(() => build(url, $args({ filter: { a: 1 } }))).toThrow('an object');
    expect(() => build({ ...url, queryParams: '$args.a' }, $args({ a: 'b' }))).toThrow('not an object');
  });

  it('adds the segments of path, and refuses a null segment', () => {
    const url = { url: 'http://api.test/a', path: '$args.path' };
    expect(build(url, $args({ path: ['b/c', 2, true] }))).toBe('http://api.test/a/b%2Fc/2/true');
    expect(build(url, $args({ path: null }))).toBe('http://api.test/a');
    expect(() => build(url, $args({ path: ['b', null] }))).toThrow('null segment');
    expect(() => build(url, $args({ path: 'b' }))).toThrow('not a list');
  });

  it('adds sections of the source before those of the connector, without double slashes', () => {
    const written = {
      base: 'https://api.test:8443/v1/?a=1',
      basePath: '$config.path',
      baseQuery: 'b: $config.b',
      url: '/books/{$args.id}?c=3&',
      path: '$args.path',
      queryParams: 'a: $args.id',
    };
    const variables = { ...$args({ id: 7, path: ['x'] }), $config: { path: ['eu'], b: 2 } };
    expect(build(written, variables)).toBe('https://api.test:8443/v1/eu/books/7/x?a=1&b=2&c=3&a=7');
  });

  it.each([
    ['https://api.test/v1', '/', 'https://api.test/v1'],
    ['https://api.test/v1/', '', 'https://api.test/v1/'],
    ['https://api.test', '/books/', 'https://api.test/books/'],
    ['https://api.test/', '/books/?a=1', 'https://api.test/books/?a=1'],
    ['https://api.test/v1', '?a=1', 'https://api.test/v1?a=1'],
    ['https://api.test', '//evil.test/x', 'https://api.test/evil.test/x'],
    ['https://api.test', '/a b/ü?q=x y&r=1#fragment', 'https://api.test/a%20b/%C3%BC?q=x%20y&r=1'],
  ])('joins %s and %s', (base, url, expected) => {
    expect(build({ base, url })).toBe(expected);
  });

  it('joins the lines of a URL', () => {
    const url = '\n  http://api.test\n    /weather/{$args.lat},{$args.lon}\n    ?units=si\n';
    expect(build({ url }, $args({ lat: -1.5, lon: 2 }))).toBe('http://api.test/weather/-1.5,2?units=si');
  });

  it('reads the origin from the configuration', () => {
    const base = 'https://{$env.HOST}:{$config.port}/v1';
    expect(build({ base, url: '/a' }, { $env: { HOST: 'api.test' }, $config: { port: 81 } })).toBe('https://api.test:81/v1/a');
    expect(build({ base: '{$env.URL}', url: '/a' }, { $env: { URL: 'http://api.test/base/?k=1' } })).toBe('http://api.test/base/a?k=1');
  });

  it.each([
    ['nothing', '', 'not a valid absolute URL'],
    ['another scheme', 'file:///etc/passwd', 'has the scheme "file"'],
    ['credentials', 'http://a:b@api.test', 'contains credentials'],
  ])('refuses an origin from the configuration with %s', (_, URL, message) => {
    expect(() => build({ base: '{$env.URL}', url: '/a' }, { $env: { URL } })).toThrow(message);
  });
});

describe('parseUrlTemplate', () => {
  it.each(['/a/../b', '/a/./b', '/a/%2E%2e/b'])('refuses the relative segment in %s', (url) => {
    expect(() => parseUrlTemplate(url, VERSION, 'connector')).toThrow('is relative to the path');
  });

  it.each([
    ['/a/{$args.id', 'no closing brace', 3],
    ['/a/{ }', 'the braces {} are empty', 4],
    ["/a/{$('}'", 'no closing brace', 3],
  ])('refuses %s with the position', (url, message, offset) => {
    expect(() => parseUrlTemplate(url, VERSION, 'connector')).toThrow(
      expect.objectContaining({ message: expect.stringContaining(message), offset }),
    );
  });
});
