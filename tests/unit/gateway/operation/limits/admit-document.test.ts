import { describe, expect, it } from '@jest/globals';
import { getIntrospectionQuery } from 'graphql';
import { createAdmission, createExcessSearch } from '../../../../../gateway/operation/limits/admit-document.ts';
import { DEFAULT_LIMITS } from '../../../../support/gateway/default-limits.ts';
import { circleOfFragments, doublingFragments, nestedDoublingFragments, tangledFragments } from '../../../../fixtures/fragment-bombs.ts';
import { errorsOf, catchRejection } from '../../../../support/gateway/catch-rejection.ts';

const ANY_LENGTH = 1_000_000;
const admit = (text: string, limits = DEFAULT_LIMITS) => createAdmission({ maxTokens: ANY_LENGTH, limits })(text);
const excessesOf = (text: string, limits = DEFAULT_LIMITS, maxTokens = ANY_LENGTH) => createExcessSearch({ maxTokens, limits })(text);
const codesOf = (text: string, limits = DEFAULT_LIMITS) => excessesOf(text, limits)?.map(({ code }) => code);
const times = (count: number, text: (index: number) => string) => Array.from({ length: count }, (_, index) => text(index)).join(' ');

/** Nests `levels` fields in each other. The writer at index `level % ways.length` writes each level. */
function nest(levels: number, paths: readonly ((content: string, level: number) => string)[]): string {
  let [content, fragments] = ['', ''];
  for (let level = levels; level > 0; level -= 1) {
    const path = paths[level % paths.length];
    const written = path?.(`f${content}`, level) ?? '';
    const [selection = '', fragment = ''] = written.split('#');
    fragments += fragment;
    content = `{${selection}}`;
  }
  return `${content}${fragments}`;
}

const direct = (content: string) => content;
const inline = (content: string) => `...{${content}}`;
const conditioned = (content: string) => `... on T{${content}}`;
const named = (content: string, level: number) => `...N${level}#fragment N${level} on T{${content}}`;

const EVERYTHING = {
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  experimentalDirectiveDeprecation: true,
  oneOf: true,
} as const;

describe('admitDocument', () => {
  describe('amplification attacks', () => {
    it.each(Array.from({ length: 35 }, (_, index) => index + 6))('rejects %d nested doubling fragments', (count) => {
      expect(codesOf(`{me{...F0}}${nestedDoublingFragments(count)}`)).toContain('ALIAS_LIMIT_EXCEEDED');
    });

    it.each(Array.from({ length: 31 }, (_, index) => index + 10))('rejects %d doubling fragments that only spread each other', (count) => {
      const text = `{me{...F0}}${doublingFragments(count)}`;
      expect(errorsOf(() => admit(text))).toEqual([
        'SELECTION_LIMIT_EXCEEDED',
        'The operation has more than 2000 selections, with its fragments expanded.',
      ]);
    });

    it.each([10, 20, 40])('rejects %d doubling fragments in introspection', (count) => {
      expect(errorsOf(() => admit(`{__schema{types{...F0}}}${doublingFragments(count, '__Type')}`))).toEqual([
        'SELECTION_LIMIT_EXCEEDED',
        'The operation has more than 2000 selections in introspection, with its fragments expanded.',
      ]);
    });

    it.each([6, 7, 8, 9])('accepts %d doubling fragments that expand to less than the limit', (count) => {
      expect(codesOf(`{me{...F0}}${doublingFragments(count)}`)).toEqual([]);
      expect(codesOf(`{__schema{types{...F0}}}${doublingFragments(count, '__Type')}`)).toEqual([]);
    });

    it('stops counting 5,000 doubling fragments at a limit of millions', () => {
      const limits = { ...DEFAULT_LIMITS, maxSelections: 10_000_000 };
      expect(catchRejection(() => admit(`{me{...F0}}${doublingFragments(5_000)}`, limits)).code).toBe('SELECTION_LIMIT_EXCEEDED');
    });

    it('counts exponentially many aliases without overflow', () => {
      const limits = { ...DEFAULT_LIMITS, maxSelections: 1, maxAliases: 4_294_967_295, maxDepth: 1_000 };
      expect(codesOf(`{me{...F0}}${nestedDoublingFragments(64)}`, limits)).toEqual(['ALIAS_LIMIT_EXCEEDED', 'SELECTION_LIMIT_EXCEEDED']);
    });

    it('rejects 3,000 levels without a stack overflow', () => {
      expect(errorsOf(() => admit(`${'{me'.repeat(3_000)}${'}'.repeat(3_000)}`))).toEqual([
        'DEPTH_LIMIT_EXCEEDED',
        'The operation has more than 12 levels, with its fragments expanded.',
      ]);
    });

    it('rejects 50,000 levels, nested inline fragments or nested spreads', () => {
      expect(codesOf(`${'{me'.repeat(50_000)}${'}'.repeat(50_000)}`)).toEqual(['DEPTH_LIMIT_EXCEEDED', 'SELECTION_LIMIT_EXCEEDED']);
      const chain = `{...N0} ${times(5_000, (index) => `fragment N${index} on T{...N${index + 1}}`)} fragment N5000 on T{a}`;
      expect(codesOf(chain)).toEqual(['SELECTION_LIMIT_EXCEEDED']);
      expect(codesOf(`${'{...'.repeat(50_000)}{a}${'}'.repeat(50_000)}`)).toEqual(['SELECTION_LIMIT_EXCEEDED']);
    });

    it('reports every limit that 100,000 aliases exceed', () => {
      expect(codesOf(`{${times(100_000, (index) => `a${index}:b`)}}`)).toEqual([
        'ALIAS_LIMIT_EXCEEDED',
        'ROOT_FIELD_LIMIT_EXCEEDED',
        'SELECTION_LIMIT_EXCEEDED',
      ]);
    });

    it('rejects 5,000 conditions', () => {
      expect(codesOf(`{a ${'@skip(if: false)'.repeat(5_000)}}`)).toEqual(['DIRECTIVE_LIMIT_EXCEEDED', 'DIRECTIVE_LIMIT_EXCEEDED']);
    });

    it('rejects 2,000 operations with a single error about their number', () => {
      expect(codesOf(times(2_000, (index) => `query Q${index} {${'a'.repeat(5)}{b{c{d{e{f{g{h{i{j{k{l{m}}}}}}}}}}}}}`))).toEqual([
        'GRAPHQL_VALIDATION_FAILED',
      ]);
    });
  });

  describe('length', () => {
    const codesWithin = (text: string, maxTokens: number, limits = DEFAULT_LIMITS) =>
      excessesOf(text, limits, maxTokens)?.map(({ code, requestError: failure }) => [code, failure.message]);

    it('rejects a document with one token or one comment too many', () => {
      expect(codesWithin('{ a b }', 4)).toEqual([]);
      expect(codesWithin('{ a b c }', 4)).toEqual([['TOKEN_LIMIT_EXCEEDED', 'The document has more than 4 tokens.']]);
      expect(codesWithin('{ a #1\n#2\n#3\n#4\n }', 4)).toEqual([]);
      expect(codesWithin('{ a #1\n#2\n#3\n#4\n#5\n }', 4)).toEqual([['TOKEN_LIMIT_EXCEEDED', 'The document has more than 4 comments.']]);
    });

    it('rejects block strings with one line too many', () => {
      expect(codesWithin(`{ a(b: """1\n2\r3""" c: """\n""") }`, 12)).toEqual([]);
      expect(codesWithin(`{ a(b: """${'\n'.repeat(6)}""" c: """${'\n'.repeat(7)}""") }`, 12)).toEqual([
        ['TOKEN_LIMIT_EXCEEDED', 'The document has more than 12 lines in block strings.'],
      ]);
    });

    it('reports only the token limit for a document that is cut at this limit', () => {
      expect(codesWithin(`{ ${times(100, (index) => `a${index}:b`)} }`, 200)).toHaveLength(1);
    });

    it('checks the other limits too when the token limit is only measured', () => {
      const limits = { ...DEFAULT_LIMITS, modes: { tokens: 'measure' } } as const;
      expect(codesWithin(`{ ${times(31, (index) => `a${index}:b`)} }`, 4, limits)?.map(([code]) => code)).toEqual([
        'TOKEN_LIMIT_EXCEEDED',
        'ALIAS_LIMIT_EXCEEDED',
        'ROOT_FIELD_LIMIT_EXCEEDED',
      ]);
      expect(catchRejection(() => createAdmission({ maxTokens: 4, limits })(`{ ${times(31, (index) => `a${index}:b`)} }`)).code).toBe(
        'ALIAS_LIMIT_EXCEEDED',
      );
    });
  });

  describe('single-use fields', () => {
    const limits = { ...DEFAULT_LIMITS, singleUse: ['Mutation.pay'] };

    it.each([
      'mutation { a: pay b: pay }',
      'mutation { pay ... { ... on Mutation { b: pay } } }',
      'mutation { ...A ...A } fragment A on Mutation { pay }',
    ])('rejects %j', (text) => {
      expect(errorsOf(() => admit(text, limits))).toEqual([
        'ALIAS_LIMIT_EXCEEDED',
        'The operation has "pay" more than once, with its fragments expanded.',
      ]);
    });

    it.each(['mutation { pay a: other { pay pay } }', '{ a: pay b: pay }'])('accepts %j', (text) => {
      expect(codesOf(text, limits)).toEqual([]);
    });
  });

  describe('documents that validation rejects', () => {
    it.each([
      ['a fragment that spreads itself', '{me{...F0}}fragment F0 on Account{...F0}'],
      ['a fragment that spreads itself below a field', '{me{...F0}}fragment F0 on Account{friend{...F0}}'],
      ['a cycle of two fragments', `{me{...F0}}${circleOfFragments(2)}`],
      ['a cycle of a hundred fragments', `{me{...F0}}${circleOfFragments(100)}`],
      ['an unused cycle of a hundred fragments', `{me{name}}${circleOfFragments(100)}`],
      ['a cycle inside introspection', `{__schema{types{...F0}}}${circleOfFragments(100)}`],
      ['an unknown fragment', '{me{...Nobody}}'],
      ['an unknown fragment in a fragment', '{me{...F0}}fragment F0 on Account{...Nobody}'],
      ['unused fragments that expand to billions of fields', `{me{name}}${doublingFragments(40)}`],
      ['unused fragments that spread each other', `{me{name}}${tangledFragments(60)}`],
      ['two fragments with the same name', '{me{...F0}}fragment F0 on Account{name}fragment F0 on Account{id}'],
      ['names of object prototypes', '{...__proto__ ...constructor}fragment __proto__ on Query{...toString}'],
      ['fragments without an operation', doublingFragments(3)],
    ])('leaves %s to validation', (_what, text) => {
      expect(codesOf(text)).toEqual([]);
    });

    it.each([
      ['type definitions', 'type A @a @a @a @a @a @a {b: C}'],
      ['a type definition after doubling fragments', `{me{...F0}}${doublingFragments(40)} type A {b: C}`],
      ['a syntax error', '{a'],
      ['an empty document', ''],
      ['doubling fragments followed by a syntax error', `{me{...F0}}${doublingFragments(40)} }`],
    ])('returns undefined for %s', (_what, text) => {
      expect(codesOf(text)).toBeUndefined();
    });

    it('rejects fragments that spread each other if an operation uses them', () => {
      expect(codesOf(`{me{...F0}}${tangledFragments(60)}`)).toEqual(['SELECTION_LIMIT_EXCEEDED']);
    });
  });

  describe('depth', () => {
    it.each([
      ['directly', [direct]],
      ['in inline fragments', [inline]],
      ['in inline fragments of a type', [conditioned]],
      ['in named fragments', [named]],
      ['in all of them in turn', [direct, inline, named, conditioned]],
    ])('accepts 11 and 12 levels %s and rejects 13', (_how, paths) => {
      expect(codesOf(nest(11, paths))).toEqual([]);
      expect(codesOf(nest(12, paths))).toEqual([]);
      expect(codesOf(nest(13, paths))).toEqual(['DEPTH_LIMIT_EXCEEDED']);
    });

    it('counts `__typename` as a level', () => {
      expect(codesOf(nest(12, [direct]).replace('{f}', '{__typename}'))).toEqual([]);
      expect(codesOf(nest(13, [direct]).replace('{f}', '{__typename}'))).toEqual(['DEPTH_LIMIT_EXCEEDED']);
    });

    it('adds the levels of two nested fragments', () => {
      const text = `{a{...X}}fragment X on T{b{c{d{e{f{...Y}}}}}}fragment Y on T{g{h{i{j{k{l{m}}}}}}}`;
      expect(codesOf(text)).toEqual(['DEPTH_LIMIT_EXCEEDED']);
      expect(codesOf(text.replace('{l{m}}', '{l}'))).toEqual([]);
    });
  });

  describe('aliases', () => {
    const aliases = (count: number) => times(count, (index) => `a${index}:b`);
    it.each([
      ['directly', (count: number) => `{me{${aliases(count)}}}`],
      ['in inline fragments', (count: number) => `{me{...{${aliases(count - 15)}} ... on T{${aliases(15)}}}}`],
      ['in a named fragment', (count: number) => `{me{...A}}fragment A on T{${aliases(count)}}`],
      [
        'in a fragment that is spread several times',
        (count: number) => `{me{${'...A '.repeat(5)} ${aliases(count - 25)}}}fragment A on T{${aliases(5)}}`,
      ],
      [
        'in all of these ways',
        (count: number) => `{x:me{...{${aliases(9)}} ...A ...A ${aliases(count - 20)}}}fragment A on T{...{${aliases(5)}}}`,
      ],
    ])('accepts 29 and 30 aliases %s and rejects 31', (_how, write) => {
      expect(codesOf(write(29))).toEqual([]);
      expect(codesOf(write(30))).toEqual([]);
      expect(codesOf(write(31))).toEqual(['ALIAS_LIMIT_EXCEEDED']);
    });

    it('rejects five fragments of seven aliases each', () => {
      const text = `{me{${times(5, (index) => `...A${index}`)}}} ${times(5, (index) => `fragment A${index} on T{${aliases(7)}}`)}`;
      expect(codesOf(text)).toEqual(['ALIAS_LIMIT_EXCEEDED']);
    });
  });

  describe('root fields', () => {
    const fields = (count: number) => times(count, (index) => `f${index}{a b}`);
    it.each([
      ['directly', (count: number) => `{${fields(count)}}`],
      ['in an inline fragment', (count: number) => `{...{${fields(count)}}}`],
      ['in a named fragment', (count: number) => `{...A}fragment A on Query{${fields(count)}}`],
      [
        'in a fragment that is spread several times',
        (count: number) => `{...A ...A ...A ${fields(count - 15)}}fragment A on Query{...{${fields(5)}}}`,
      ],
      ['in a mutation', (count: number) => `mutation{${fields(count)}}`],
      ['in a subscription', (count: number) => `subscription{${fields(count)}}`],
    ])('accepts 19 and 20 root fields %s and rejects 21', (_how, write) => {
      expect(codesOf(write(19))).toEqual([]);
      expect(codesOf(write(20))).toEqual([]);
      expect(codesOf(write(21))).toEqual(['ROOT_FIELD_LIMIT_EXCEEDED']);
    });
  });

  describe('selections', () => {
    const fields = (count: number) => times(count, () => 'f');
    it.each([
      ['directly', (count: number) => `{a{${fields(count - 1)}}}`],
      ['in an inline fragment', (count: number) => `{a{...{${fields(count - 2)}}}}`],
      ['in a named fragment', (count: number) => `{a{...A}}fragment A on T{${fields(count - 2)}}`],
      [
        'in a fragment that is spread several times',
        (count: number) => `{a{${'...A '.repeat(9)} ${fields(count - 910)}}}fragment A on T{${fields(100)}}`,
      ],
    ])('accepts 1,999 and 2,000 selections %s and rejects 2,001', (_how, write) => {
      expect(codesOf(write(1_999))).toEqual([]);
      expect(codesOf(write(2_000))).toEqual([]);
      expect(codesOf(write(2_001))).toEqual(['SELECTION_LIMIT_EXCEEDED']);
    });
  });

  describe('directives', () => {
    it.each([
      ['on a field', (here: string) => `{a${here}}`],
      ['on an inline fragment', (here: string) => `{...${here}{a}}`],
      ['on a spread', (here: string) => `{...A${here}}fragment A on T{a}`],
      ['on a fragment', (here: string) => `{...A}fragment A on T${here}{a}`],
      ['on an unused fragment', (here: string) => `{a}fragment A on T{b{c${here}}}`],
      ['on an operation', (here: string) => `query${here}{a}`],
      ['on a variable', (here: string) => `query($a:Int${here}){a}`],
    ])('accepts 3 and 4 directives %s and rejects 5', (_where, write) => {
      expect(codesOf(write('@a@a@a'))).toEqual([]);
      expect(codesOf(write('@a@a@a@a'))).toEqual([]);
      const failures = errorsOf(() => admit(write('@a@a@a@a@a')));
      expect(failures).toEqual(['DIRECTIVE_LIMIT_EXCEEDED', 'One location has 5 directives, but at most 4 are allowed.']);
    });

    it('accepts 49 and 50 directives in a document and rejects 51 with their number', () => {
      const write = (count: number) => `{me{${times(count - 2, () => 'a@x')} ...A ...A}}fragment A on T{b@x{c@x}}`;
      expect(codesOf(write(49))).toEqual([]);
      expect(codesOf(write(50))).toEqual([]);
      const failures = errorsOf(() => admit(write(51)));
      expect(failures).toEqual(['DIRECTIVE_LIMIT_EXCEEDED', 'The document has 51 directives, but at most 50 are allowed.']);
    });
  });

  describe('several operations', () => {
    it('reports the name and location of the operation that is too deep', () => {
      const text = `query Flat{a}\n  mutation Deep${nest(13, [direct])}`;
      expect(catchRejection(() => admit(text))).toMatchObject({
        code: 'DEPTH_LIMIT_EXCEEDED',
        status: 400,
        errors: [
          {
            message: 'The operation "Deep" has more than 12 levels, with its fragments expanded.',
            locations: [{ line: 2, column: 3 }],
          },
        ],
      });
    });

    it('shortens a very long operation name in the message', () => {
      const [, message] = errorsOf(() => admit(`query ${'N'.repeat(100_000)}${nest(13, [direct])}`));
      expect(message?.length).toBeLessThan(200);
    });

    it('accepts 9 and 10 operations and rejects 11 at the location of the 11th', () => {
      const write = (count: number) => times(count, (index) => `query Q${index}{a}`);
      expect(codesOf(write(9))).toEqual([]);
      expect(codesOf(write(10))).toEqual([]);
      const { code, errors: failures } = catchRejection(() => admit(write(11)));
      expect(code).toBe('GRAPHQL_VALIDATION_FAILED');
      const locations = [{ line: 1, column: 10 * 'query Q0{a} '.length + 1 }];
      expect(failures).toEqual([{ message: 'The document has 11 operations, but at most 10 are allowed.', locations }]);
    });

    it('applies the limits to each operation, not to their sum', () => {
      expect(codesOf(times(10, (index) => `query Q${index}{${times(20, (field) => `a${field}:b`)}}`))).toEqual([]);
    });
  });

  describe('introspection', () => {
    const below = (levels: number) => `{__type(name: "A")${nest(levels - 1, [direct])}}`;

    it('accepts 20 levels of introspection and rejects 21', () => {
      expect(codesOf(below(20))).toEqual([]);
      expect(errorsOf(() => admit(below(21)))).toEqual([
        'DEPTH_LIMIT_EXCEEDED',
        'The operation has more than 20 levels of introspection, with its fragments expanded.',
      ]);
    });

    it('rejects 21 levels of introspection in named fragments', () => {
      expect(codesOf(`{...A}fragment A on Query{__type(name: "A"){...B}}fragment B on __Type${nest(20, [direct, inline])}`)).toEqual([
        'DEPTH_LIMIT_EXCEEDED',
      ]);
    });

    it('rejects more aliases in introspection than an operation may have', () => {
      const types = (count: number) => `{${times(count, (index) => `t${index}:__type(name:"A"){name}`)}}`;
      expect(codesOf(types(30))).toEqual([]);
      expect(codesOf(types(31))).toEqual(['ALIAS_LIMIT_EXCEEDED']);
    });

    it('does not count introspection against the limits of the operation', () => {
      const aliases = times(30, (index) => `a${index}:b`);
      const text = `{x{${aliases} ${times(1_939, () => 'f')}}${times(18, () => 'f')} ${nest(12, [direct]).slice(1, -1)} i:__schema{t:types{name}} j:__type(name:"A"){k:name}}`;
      expect(codesOf(text)).toEqual([]);
      expect(codesOf(`${text.slice(0, -1)} f}`)).toEqual(['ROOT_FIELD_LIMIT_EXCEEDED', 'SELECTION_LIMIT_EXCEEDED']);
    });

    it('counts a fragment that is spread inside and outside introspection for both', () => {
      const text = `{me{...A} __schema{...A}}fragment A on T${nest(12, [direct])}`;
      expect(codesOf(text)).toEqual(['DEPTH_LIMIT_EXCEEDED']);
      expect(codesOf(text.replace('me{...A}', ''))).toEqual([]);
    });

    it.each([
      ['as graphql-js writes it', getIntrospectionQuery()],
      ['with all its options', getIntrospectionQuery(EVERYTHING)],
      ['as GraphiQL sends it', getIntrospectionQuery({ schemaDescription: false, inputValueDeprecation: false })],
      ['as GraphiQL sends it with more options', getIntrospectionQuery({ schemaDescription: true, inputValueDeprecation: true })],
    ])('accepts the introspection query %s', (_how, text) => {
      expect(codesOf(text)).toEqual([]);
    });
  });
});
