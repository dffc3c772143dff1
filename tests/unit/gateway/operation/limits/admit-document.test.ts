import { describe, expect, it } from '@jest/globals';
import { getIntrospectionQuery } from 'graphql';
import { createAdmission, createExcessSearch } from '../../../../../gateway/operation/limits/admit-document.ts';
import { DEFAULT_LIMITS } from '../../../../support/gateway/default-limits.ts';
import { circleOfFragments, doublingFragments, nestedDoublingFragments, tangledFragments } from '../../../../fixtures/fragment-bombs.ts';
import { faultsOf, refusalOf } from '../../../../support/gateway/refusal-of.ts';

const ANY_LENGTH = 1_000_000;
const admit = (text: string, limits = DEFAULT_LIMITS) => createAdmission({ maxTokens: ANY_LENGTH, limits })(text);
const excessesOf = (text: string, limits = DEFAULT_LIMITS, maxTokens = ANY_LENGTH) => createExcessSearch({ maxTokens, limits })(text);
const codesOf = (text: string, limits = DEFAULT_LIMITS) => excessesOf(text, limits)?.map(({ code }) => code);
const times = (count: number, text: (index: number) => string) => Array.from({ length: count }, (_, index) => text(index)).join(' ');

/** `levels` fields inside each other, each written in the way of its level. */
function nest(levels: number, ways: readonly ((content: string, level: number) => string)[]): string {
  let [content, fragments] = ['', ''];
  for (let level = levels; level > 0; level -= 1) {
    const way = ways[level % ways.length];
    const written = way?.(`f${content}`, level) ?? '';
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
  describe('bombs', () => {
    it.each(Array.from({ length: 35 }, (_, index) => index + 6))(
      'given %d nested doubling fragments, when admitting, then they are refused',
      (count) => {
        expect(codesOf(`{me{...F0}}${nestedDoublingFragments(count)}`)).toContain('ALIAS_LIMIT_EXCEEDED');
      },
    );

    it.each(Array.from({ length: 31 }, (_, index) => index + 10))(
      'given %d doubling fragments without a field of their own, when admitting, then they are refused',
      (count) => {
        const text = `{me{...F0}}${doublingFragments(count)}`;
        expect(faultsOf(() => admit(text))).toEqual([
          'SELECTION_LIMIT_EXCEEDED',
          'The operation has more than 2000 selections, with its fragments expanded.',
        ]);
      },
    );

    it.each([10, 20, 40])('given %d doubling fragments in introspection, when admitting, then they are refused, too', (count) => {
      expect(faultsOf(() => admit(`{__schema{types{...F0}}}${doublingFragments(count, '__Type')}`))).toEqual([
        'SELECTION_LIMIT_EXCEEDED',
        'The operation has more than 2000 selections in introspection, with its fragments expanded.',
      ]);
    });

    it.each([6, 7, 8, 9])('given %d doubling fragments, which stay below the limit, when admitting, then they pass', (count) => {
      expect(codesOf(`{me{...F0}}${doublingFragments(count)}`)).toEqual([]);
      expect(codesOf(`{__schema{types{...F0}}}${doublingFragments(count, '__Type')}`)).toEqual([]);
    });

    it('given 5,000 doubling fragments under limits of millions, when admitting, then counting stops at the limit', () => {
      const limits = { ...DEFAULT_LIMITS, maxSelections: 10_000_000 };
      expect(refusalOf(() => admit(`{me{...F0}}${doublingFragments(5_000)}`, limits)).code).toBe('SELECTION_LIMIT_EXCEEDED');
    });

    it('given aliases that are as many as a kilobyte doubles to, when admitting, then their number neither overflows nor wraps', () => {
      const limits = { ...DEFAULT_LIMITS, maxSelections: 1, maxAliases: 4_294_967_295, maxDepth: 1_000 };
      expect(codesOf(`{me{...F0}}${nestedDoublingFragments(64)}`, limits)).toEqual(['ALIAS_LIMIT_EXCEEDED', 'SELECTION_LIMIT_EXCEEDED']);
    });

    it('given 3,000 levels, when admitting, then the depth is refused, and no stack overflows', () => {
      expect(faultsOf(() => admit(`${'{me'.repeat(3_000)}${'}'.repeat(3_000)}`))).toEqual([
        'DEPTH_LIMIT_EXCEEDED',
        'The operation has more than 12 levels, with its fragments expanded.',
      ]);
    });

    it('given 50,000 levels, inline fragments or spreads inside each other, when admitting, then they are refused', () => {
      expect(codesOf(`${'{me'.repeat(50_000)}${'}'.repeat(50_000)}`)).toEqual(['DEPTH_LIMIT_EXCEEDED', 'SELECTION_LIMIT_EXCEEDED']);
      const chain = `{...N0} ${times(5_000, (index) => `fragment N${index} on T{...N${index + 1}}`)} fragment N5000 on T{a}`;
      expect(codesOf(chain)).toEqual(['SELECTION_LIMIT_EXCEEDED']);
      expect(codesOf(`${'{...'.repeat(50_000)}{a}${'}'.repeat(50_000)}`)).toEqual(['SELECTION_LIMIT_EXCEEDED']);
    });

    it('given 100,000 aliases that a raised token limit lets through, when admitting, then every limit they break is told', () => {
      expect(codesOf(`{${times(100_000, (index) => `a${index}:b`)}}`)).toEqual([
        'ALIAS_LIMIT_EXCEEDED',
        'ROOT_FIELD_LIMIT_EXCEEDED',
        'SELECTION_LIMIT_EXCEEDED',
      ]);
    });

    it('given 5,000 conditions, when admitting, then they are refused', () => {
      expect(codesOf(`{a ${'@skip(if: false)'.repeat(5_000)}}`)).toEqual(['DIRECTIVE_LIMIT_EXCEEDED', 'DIRECTIVE_LIMIT_EXCEEDED']);
    });

    it('given 2,000 operations, when admitting, then they are refused for their number alone', () => {
      expect(codesOf(times(2_000, (index) => `query Q${index} {${'a'.repeat(5)}{b{c{d{e{f{g{h{i{j{k{l{m}}}}}}}}}}}}}`))).toEqual([
        'GRAPHQL_VALIDATION_FAILED',
      ]);
    });
  });

  describe('length', () => {
    const codesWithin = (text: string, maxTokens: number, limits = DEFAULT_LIMITS) =>
      excessesOf(text, limits, maxTokens)?.map(({ code, fault }) => [code, fault.message]);

    it('given one token, or one comment, too many, when admitting, then the document is refused with the limit', () => {
      expect(codesWithin('{ a b }', 4)).toEqual([]);
      expect(codesWithin('{ a b c }', 4)).toEqual([['TOKEN_LIMIT_EXCEEDED', 'The document has more than 4 tokens.']]);
      expect(codesWithin('{ a #1\n#2\n#3\n#4\n }', 4)).toEqual([]);
      expect(codesWithin('{ a #1\n#2\n#3\n#4\n#5\n }', 4)).toEqual([['TOKEN_LIMIT_EXCEEDED', 'The document has more than 4 comments.']]);
    });

    it('given a block string of one line too many, when admitting, then the document is refused with the limit', () => {
      expect(codesWithin(`{ a(b: """1\n2\r3""" c: """\n""") }`, 12)).toEqual([]);
      expect(codesWithin(`{ a(b: """${'\n'.repeat(6)}""" c: """${'\n'.repeat(7)}""") }`, 12)).toEqual([
        ['TOKEN_LIMIT_EXCEEDED', 'The document has more than 12 lines in block strings.'],
      ]);
    });

    it('given a document that is cut at the limit, when admitting, then what it has up to there is not held against it', () => {
      expect(codesWithin(`{ ${times(100, (index) => `a${index}:b`)} }`, 200)).toHaveLength(1);
    });

    it('given lengths that are measured, when admitting, then other limits are looked at, too', () => {
      const limits = { ...DEFAULT_LIMITS, modes: { tokens: 'measure' } } as const;
      expect(codesWithin(`{ ${times(31, (index) => `a${index}:b`)} }`, 4, limits)?.map(([code]) => code)).toEqual([
        'TOKEN_LIMIT_EXCEEDED',
        'ALIAS_LIMIT_EXCEEDED',
        'ROOT_FIELD_LIMIT_EXCEEDED',
      ]);
      expect(refusalOf(() => createAdmission({ maxTokens: 4, limits })(`{ ${times(31, (index) => `a${index}:b`)} }`)).code).toBe(
        'ALIAS_LIMIT_EXCEEDED',
      );
    });
  });

  describe('fields for a single use', () => {
    const limits = { ...DEFAULT_LIMITS, singleUse: ['Mutation.pay'] };

    it.each([
      'mutation { a: pay b: pay }',
      'mutation { pay ... { ... on Mutation { b: pay } } }',
      'mutation { ...A ...A } fragment A on Mutation { pay }',
    ])('given %j, when admitting, then it is refused', (text) => {
      expect(faultsOf(() => admit(text, limits))).toEqual([
        'ALIAS_LIMIT_EXCEEDED',
        'The operation has "pay" more than once, with its fragments expanded.',
      ]);
    });

    it.each(['mutation { pay a: other { pay pay } }', '{ a: pay b: pay }'])('given %j, when admitting, then it passes', (text) => {
      expect(codesOf(text, limits)).toEqual([]);
    });
  });

  describe('documents that validation refuses', () => {
    it.each([
      ['a fragment in itself', '{me{...F0}}fragment F0 on Account{...F0}'],
      ['a fragment in itself, below a field', '{me{...F0}}fragment F0 on Account{friend{...F0}}'],
      ['a circle of two', `{me{...F0}}${circleOfFragments(2)}`],
      ['a circle of a hundred', `{me{...F0}}${circleOfFragments(100)}`],
      ['a circle of a hundred that is not used', `{me{name}}${circleOfFragments(100)}`],
      ['a circle inside introspection', `{__schema{types{...F0}}}${circleOfFragments(100)}`],
      ['an unknown fragment', '{me{...Nobody}}'],
      ['an unknown fragment in a fragment', '{me{...F0}}fragment F0 on Account{...Nobody}'],
      ['fragments that nobody uses and that expand to billions', `{me{name}}${doublingFragments(40)}`],
      ['fragments that nobody uses and that spread each other', `{me{name}}${tangledFragments(60)}`],
      ['two fragments of one name', '{me{...F0}}fragment F0 on Account{name}fragment F0 on Account{id}'],
      ['names of object prototypes', '{...__proto__ ...constructor}fragment __proto__ on Query{...toString}'],
      ['fragments alone', doublingFragments(3)],
    ])('given %s, when admitting, then it is left to validation', (_what, text) => {
      expect(codesOf(text)).toEqual([]);
    });

    it.each([
      ['type definitions', 'type A @a @a @a @a @a @a {b: C}'],
      ['a type definition behind a bomb', `{me{...F0}}${doublingFragments(40)} type A {b: C}`],
      ['what does not parse', '{a'],
      ['nothing', ''],
      ['a bomb with a mistake behind it', `{me{...F0}}${doublingFragments(40)} }`],
    ])('given %s, when admitting, then nothing is said of it', (_what, text) => {
      expect(codesOf(text)).toBeUndefined();
    });

    it('given fragments that spread each other, when they are used, then they are refused', () => {
      expect(codesOf(`{me{...F0}}${tangledFragments(60)}`)).toEqual(['SELECTION_LIMIT_EXCEEDED']);
    });
  });

  describe('depth', () => {
    it.each([
      ['directly', [direct]],
      ['in inline fragments', [inline]],
      ['in inline fragments of a type', [conditioned]],
      ['in named fragments', [named]],
      ['in all of them by turns', [direct, inline, named, conditioned]],
    ])('given 11, 12 and 13 levels %s, when admitting, then the last is refused', (_how, ways) => {
      expect(codesOf(nest(11, ways))).toEqual([]);
      expect(codesOf(nest(12, ways))).toEqual([]);
      expect(codesOf(nest(13, ways))).toEqual(['DEPTH_LIMIT_EXCEEDED']);
    });

    it('given `__typename` below the deepest field that is allowed, when admitting, then it is a level like any other', () => {
      expect(codesOf(nest(12, [direct]).replace('{f}', '{__typename}'))).toEqual([]);
      expect(codesOf(nest(13, [direct]).replace('{f}', '{__typename}'))).toEqual(['DEPTH_LIMIT_EXCEEDED']);
    });

    it('given two fragments that nest each other in turn of levels, when admitting, then the way through both counts', () => {
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
        'by a fragment that is spread often',
        (count: number) => `{me{${'...A '.repeat(5)} ${aliases(count - 25)}}}fragment A on T{${aliases(5)}}`,
      ],
      [
        'in all of them',
        (count: number) => `{x:me{...{${aliases(9)}} ...A ...A ${aliases(count - 20)}}}fragment A on T{...{${aliases(5)}}}`,
      ],
    ])('given 29, 30 and 31 of them %s, when admitting, then the last is refused', (_how, write) => {
      expect(codesOf(write(29))).toEqual([]);
      expect(codesOf(write(30))).toEqual([]);
      expect(codesOf(write(31))).toEqual(['ALIAS_LIMIT_EXCEEDED']);
    });

    it('given five fragments of seven, when admitting, then they are refused', () => {
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
        'by a fragment that is spread often',
        (count: number) => `{...A ...A ...A ${fields(count - 15)}}fragment A on Query{...{${fields(5)}}}`,
      ],
      ['in a mutation', (count: number) => `mutation{${fields(count)}}`],
      ['in a subscription', (count: number) => `subscription{${fields(count)}}`],
    ])('given 19, 20 and 21 of them %s, when admitting, then the last is refused', (_how, write) => {
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
        'by a fragment that is spread often',
        (count: number) => `{a{${'...A '.repeat(9)} ${fields(count - 910)}}}fragment A on T{${fields(100)}}`,
      ],
    ])('given 1,999, 2,000 and 2,001 of them %s, when admitting, then the last is refused', (_how, write) => {
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
      ['on a fragment that nobody uses', (here: string) => `{a}fragment A on T{b{c${here}}}`],
      ['on an operation', (here: string) => `query${here}{a}`],
      ['on a variable', (here: string) => `query($a:Int${here}){a}`],
    ])('given 3, 4 and 5 of them %s, when admitting, then the last is refused', (_where, write) => {
      expect(codesOf(write('@a@a@a'))).toEqual([]);
      expect(codesOf(write('@a@a@a@a'))).toEqual([]);
      const faults = faultsOf(() => admit(write('@a@a@a@a@a')));
      expect(faults).toEqual(['DIRECTIVE_LIMIT_EXCEEDED', 'One location has 5 directives, but at most 4 are allowed.']);
    });

    it('given 49, 50 and 51 of them in a document, when admitting, then the last is refused with their number', () => {
      const write = (count: number) => `{me{${times(count - 2, () => 'a@x')} ...A ...A}}fragment A on T{b@x{c@x}}`;
      expect(codesOf(write(49))).toEqual([]);
      expect(codesOf(write(50))).toEqual([]);
      const faults = faultsOf(() => admit(write(51)));
      expect(faults).toEqual(['DIRECTIVE_LIMIT_EXCEEDED', 'The document has 51 directives, but at most 50 are allowed.']);
    });
  });

  describe('several operations', () => {
    it('given one of them that is too deep, when admitting, then the document is refused and the operation is named and placed', () => {
      const text = `query Flat{a}\n  mutation Deep${nest(13, [direct])}`;
      expect(refusalOf(() => admit(text))).toMatchObject({
        code: 'DEPTH_LIMIT_EXCEEDED',
        status: 400,
        faults: [
          {
            message: 'The operation "Deep" has more than 12 levels, with its fragments expanded.',
            locations: [{ line: 2, column: 3 }],
          },
        ],
      });
    });

    it('given a name as long as a request, when it is refused, then the message is short', () => {
      const [, message] = faultsOf(() => admit(`query ${'N'.repeat(100_000)}${nest(13, [direct])}`));
      expect(message?.length).toBeLessThan(200);
    });

    it('given 9, 10 and 11 of them, when admitting, then the last is refused with their number and the first one too many', () => {
      const write = (count: number) => times(count, (index) => `query Q${index}{a}`);
      expect(codesOf(write(9))).toEqual([]);
      expect(codesOf(write(10))).toEqual([]);
      const { code, faults } = refusalOf(() => admit(write(11)));
      expect(code).toBe('GRAPHQL_VALIDATION_FAILED');
      const locations = [{ line: 1, column: 10 * 'query Q0{a} '.length + 1 }];
      expect(faults).toEqual([{ message: 'The document has 11 operations, but at most 10 are allowed.', locations }]);
    });

    it('given operations that stay within the limits each, when admitting, then what they have together does not matter', () => {
      expect(codesOf(times(10, (index) => `query Q${index}{${times(20, (field) => `a${field}:b`)}}`))).toEqual([]);
    });
  });

  describe('introspection', () => {
    const below = (levels: number) => `{__type(name: "A")${nest(levels - 1, [direct])}}`;

    it('given 20 and 21 levels of it, when admitting, then the last is refused', () => {
      expect(codesOf(below(20))).toEqual([]);
      expect(faultsOf(() => admit(below(21)))).toEqual([
        'DEPTH_LIMIT_EXCEEDED',
        'The operation has more than 20 levels of introspection, with its fragments expanded.',
      ]);
    });

    it('given 21 levels of it in named fragments, when admitting, then they are refused', () => {
      expect(codesOf(`{...A}fragment A on Query{__type(name: "A"){...B}}fragment B on __Type${nest(20, [direct, inline])}`)).toEqual([
        'DEPTH_LIMIT_EXCEEDED',
      ]);
    });

    it('given more aliases in it than an operation may have, when admitting, then they are refused', () => {
      const types = (count: number) => `{${times(count, (index) => `t${index}:__type(name:"A"){name}`)}}`;
      expect(codesOf(types(30))).toEqual([]);
      expect(codesOf(types(31))).toEqual(['ALIAS_LIMIT_EXCEEDED']);
    });

    it('given it beside an operation that is at every limit, when admitting, then it costs the operation nothing', () => {
      const aliases = times(30, (index) => `a${index}:b`);
      const text = `{x{${aliases} ${times(1_939, () => 'f')}}${times(18, () => 'f')} ${nest(12, [direct]).slice(1, -1)} i:__schema{t:types{name}} j:__type(name:"A"){k:name}}`;
      expect(codesOf(text)).toEqual([]);
      expect(codesOf(`${text.slice(0, -1)} f}`)).toEqual(['ROOT_FIELD_LIMIT_EXCEEDED', 'SELECTION_LIMIT_EXCEEDED']);
    });

    it('given a fragment that is spread in it and outside, when admitting, then it counts for both', () => {
      const text = `{me{...A} __schema{...A}}fragment A on T${nest(12, [direct])}`;
      expect(codesOf(text)).toEqual(['DEPTH_LIMIT_EXCEEDED']);
      expect(codesOf(text.replace('me{...A}', ''))).toEqual([]);
    });

    it.each([
      ['as graphql-js writes it', getIntrospectionQuery()],
      ['with all it can ask for', getIntrospectionQuery(EVERYTHING)],
      ['as GraphiQL sends it', getIntrospectionQuery({ schemaDescription: false, inputValueDeprecation: false })],
      ['as GraphiQL sends it when told to ask for more', getIntrospectionQuery({ schemaDescription: true, inputValueDeprecation: true })],
    ])('given the introspection query %s, when admitting, then it passes', (_how, text) => {
      expect(codesOf(text)).toEqual([]);
    });
  });
});
