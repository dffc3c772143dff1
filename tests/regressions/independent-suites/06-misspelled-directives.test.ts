import { describe, expect, it } from '@jest/globals';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';
import { loadSupergraph } from '../../../gateway/supergraph/load-supergraph.ts';

const FEDERATION = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])';
const AUTH = 'https://gatefold.dev/auth/v1.0';

const errorsOf = (text: string) =>
  composeSubgraphs([{ name: 's', url: 'http://s.invalid', files: [{ path: 's.graphql', text }] }]).errors ?? [];

/** Writes a subgraph that uses a directive on line 4. */
const using = (link: string, name: string, args: string, use: string): string =>
  [`${FEDERATION} ${link}`, `directive @${name}${args} on FIELD_DEFINITION`, 'type Query {', `  a: [Int] @${name}${use}`, '}'].join('\n');

/** A link, the name that is used, and the text of the error. */
const NAMES: readonly (readonly [link: string, name: string, reported: string])[] = [
  [`@link(url: "${AUTH}", as: "gf")`, 'gf__auth', 'Write @gf.'],
  [`@link(url: "${AUTH}", as: "gf")`, 'gf__login', 'It has @gf.'],
  [`@link(url: "${AUTH}")`, 'auth__auth', 'Write @auth.'],
  [`@link(url: "${AUTH}", import: ["@auth"])`, 'auth__auth', 'Write @auth.'],
  [`@link(url: "${AUTH}", as: "gf", import: ["@auth"])`, 'gf', 'Write @auth.'],
  [`@link(url: "${AUTH}", import: [{ name: "@auth", as: "@guard" }])`, 'auth__auth', 'Write @guard.'],
  ['', 'auth__auth', 'Link the feature of @auth and write @auth.'],
  ['@link(url: "https://gatefold.dev/cache/v1.0", import: ["@cacheControl"])', 'cache__cacheControl', 'Write @cacheControl.'],
  ['@link(url: "https://gatefold.dev/cache/v1.0")', 'cache__cache', 'It has @cache__cacheControl.'],
  ['@link(url: "https://gatefold.dev/creator/v1.0", import: ["@creatorMayRead"])', 'creator__creatorMayRead', 'Write @creatorMayRead.'],
];

describe('point 06: names of Gatefold directives with a prefix', () => {
  it.each(NAMES)('with %s, rejects @%s in a subgraph by line: %s', (link, name, reported) => {
    const found = errorsOf(using(link === '' ? '' : `extend schema ${link}`, name, '(a: Int)', ''));
    expect(found).toContainEqual(
      expect.objectContaining({
        message: expect.stringMatching(new RegExp(`^\\[s\\] Query\\.a has @${name}\\. .*${reported}$`)),
        locations: [{ file: 's.graphql', line: 4, column: 12 }],
      }),
    );
  });

  const base = composeSubgraphs([
    { name: 's', url: 'http://s.invalid', files: [{ path: 's.graphql', text: `${FEDERATION} type Query { a: [Int] }` }] },
  ]).supergraphSdl;
  const supergraph = (link: string, name: string, use: string): string =>
    `${link === '' ? '' : `extend schema ${link}`} directive @${name} on FIELD_DEFINITION ${String(base).replace('a: [Int]', `a: [Int]${use}`)}`;

  const COST = '@link(url: "https://specs.apollo.dev/cost/v0.1")';
  const INACCESSIBLE = '@link(url: "https://specs.apollo.dev/inaccessible/v0.2")';
  it.each([
    ...NAMES,
    ['@link(url: "https://specs.apollo.dev/authenticated/v0.1")', 'authenticated__authenticated', 'Write @authenticated.'],
    [COST, 'cost__cost', 'Write @cost.'],
    [INACCESSIBLE, 'inaccessible__inaccessible', 'Write @inaccessible.'],
  ] as const)('with %s, rejects use or definition of @%s in a supergraph: %s', (link, name, reported) => {
    const line = `(?: \\(line \\d+\\))\\. .*${reported}$`;
    expect(() => loadSupergraph(supergraph(link, name, ` @${name}`))).toThrow(new RegExp(`Query\\.a has @${name}${line}`));
    expect(() => loadSupergraph(supergraph(link, name, ''))).toThrow(new RegExp(`it defines @${name}${line}`));
  });

  it('accepts a supergraph that defines both names and uses the right one', () => {
    const link = '@link(url: "https://specs.apollo.dev/cost/v0.1", import: [{ name: "@listSize", as: "@size" }])';
    const definition = 'directive @size(assumedSize: Int) on FIELD_DEFINITION';
    const text = `${definition} ${supergraph(link, 'cost__listSize', ' @size(assumedSize: 3)')}`;
    expect(() => loadSupergraph(text)).not.toThrow();
  });

  it('reads the names that the link gives', () => {
    const link = '@link(url: "https://specs.apollo.dev/federation/v2.9", as: "f")';
    const text = `extend schema ${link} type Query { a: Int @f__authenticated b: [Int] @f__listSize(assumedSize: 3) }`;
    expect(errorsOf(text)).toEqual([]);
    expect(errorsOf(using('extend schema @link(url: "https://example.com/auth/v1.0")', 'auth__auth', '', ''))).toEqual([]);
  });

  it('checks a directive even if the federation link has its name as namespace', () => {
    const text = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", as: "authenticated")
      directive @authenticated on FIELD_DEFINITION type Query { a: Int @authenticated }`;
    expect(errorsOf(text)[0]?.message).toContain('Query.a has @authenticated.');
  });
});

describe('point 06: links to unknown features below gatefold.dev', () => {
  const URLS = [
    'http://gatefold.dev/auth/v1.0',
    'https://gatefold.dev/auth/v2.0',
    'https://gatefold.dev/auth',
    'https://gatefold.dev/Auth/v1.0',
    'https://gatefold.dev/login/v1.0',
    'https://GATEFOLD.dev/auth/v1.0',
    'https://www.gatefold.dev/auth/v1.0',
    'https://gatefold.dev:443/auth/v1.0',
    'gatefold.dev/auth/v1.0',
  ];

  it.each(URLS)('rejects %s in a subgraph by line, with the addresses that exist', (url) => {
    const link = `extend schema @link(url: "${url}", import: ["@auth"])`;
    const found = errorsOf(`\n${using(link, 'auth', '', '')}`).find(({ message }) => message.includes('has @link'));
    expect(found?.message).toContain(
      `[s] schema has @link. The gateway does not support the feature ${url} and would ignore its directives.`,
    );
    expect(found?.message).toContain(AUTH);
    expect(found?.locations).toMatchObject([{ file: 's.graphql', line: 2 }]);
  });

  it.each(URLS)('rejects %s in a supergraph', (url) => {
    const sdl = `extend schema @link(url: "${url}", import: ["@auth"]) schema
      @link(url: "https://specs.apollo.dev/link/v1.0") @link(url: "https://specs.apollo.dev/join/v0.3") { query: Query } type Query { a: Int }`;
    expect(() => loadSupergraph(sdl)).toThrow(url);
  });

  it('rejects an import that the feature does not have', () => {
    const link = `extend schema @link(url: "${AUTH}", import: [{ name: "@login", as: "@auth" }])`;
    const reported = errorsOf(using(link, 'auth', '', '')).map(({ message }) => message);
    expect(reported.join('\n')).toContain('has no directive @login. It has @auth.');
  });

  it.each(['https://example.com/auth/v1.0', 'https://notgatefold.dev/auth/v1.0', 'https://gatefold.dev.example.com/auth/v1.0'])(
    'accepts %s, which is a third-party link',
    (url) => expect(errorsOf(using(`extend schema @link(url: "${url}", import: ["@auth"])`, 'auth', '', ''))).toEqual([]),
  );
});
