import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type DocumentNode, getIntrospectionQuery, Kind, parse } from 'graphql';
import { outlineDocument } from '../../../../../gateway/operation/limits/outline-document.ts';
import { outlineOfTree } from '../outline-of-tree.ts';
import { anyDocument } from '../random-document.ts';
import { randomOperation } from '../random-operation.ts';

const WATCHED = ['a', 'me', 'node'];
const MAX_TOKENS = 1_000_000;
const outline = (text: string, maxTokens = MAX_TOKENS) => outlineDocument(text, { maxTokens, watched: WATCHED });

/** Parses a text. Returns undefined when the parser rejects it. The parser counts the tokens. */
function parseIfAny(text: string): (DocumentNode & { readonly tokenCount: number }) | undefined {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0; // The stack traces of thousands of parse errors are not used.
  try {
    return parse(text) as DocumentNode & { readonly tokenCount: number };
  } catch {
    return undefined;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Expects that the outline of any text that parses is the same as the outline of its tree. */
function expectAsParsed(text: string): void {
  const document = parseIfAny(text);
  if (document === undefined) return;
  const isExecutable = document.definitions.every(({ kind }) => kind === Kind.OPERATION_DEFINITION || kind === Kind.FRAGMENT_DEFINITION);
  if (!isExecutable) {
    expect(outline(text)).toBeUndefined();
    return;
  }
  const found = outline(text);
  expect(found).toMatchObject(outlineOfTree(document, WATCHED));
  expect([...(found?.fragments ?? [])]).toEqual([...outlineOfTree(document, WATCHED).fragments]);
  expect(found?.tokens).toBe(document.tokenCount);
}

/** Fragments of documents, including texts that are easy to confuse with each other. */
const PIECES = [
  '{',
  '}',
  '{',
  '}',
  '(',
  ')',
  '[',
  ']',
  ':',
  '$',
  '@',
  '!',
  '=',
  '...',
  '|',
  '&',
  '.',
  '"',
  '\\',
  'on',
  'a',
  'b',
  'me',
  '__schema',
  '__type',
  '__typename',
  'query',
  'fragment',
  'mutation',
  'subscription',
  'F',
  'true',
  'null',
  '1',
  '-2',
  '1.5e+3',
  '1-2',
  '0',
  '1.',
  '1e',
  '"s\\"t"',
  '""',
  '"\\u0041"',
  '"""b\\""" \\"""',
  '""" " "" """',
  '"""\\\\""" """',
  '#c\n',
  '#c',
  '# "\r\n',
  '\n',
  ',',
  '\ufeff',
  ' ',
  '\t',
  '\u00a0',
  'é',
  '😀',
  'x:1',
  '(x:1)',
  '@d',
  '@d(x:[{y:")}"})',
  '@d(x:[{y:"})"}])',
  '($v: Int = 1 @d)',
  '("""of v""" $v: [Int!]! = [1] @d @d(x: 1), $w: A)',
  '{a}',
  '{a{b}}',
  '...F',
  '...on T{a}',
  '...@d{a}',
  'fragment F on T{a}',
  '"of F" fragment F on T{a}',
  'type A{b:C}',
  'extend type A{b:C}',
];

describe('outlineDocument', () => {
  it.each([
    '{a(x: "}") b}',
    '{a(x: """{ \\""" }""") {b}}',
    '{a # }\n b}',
    'query Q($a: [Int!]! = [1, 2] @d, $b: A = {x: "$c"} @d @e(x: 1)) @d {a}',
    '"""what it does""" query Q("of a" $a: Int) {a(x: $a)} "of F" fragment F on T {a}',
    '{a: on on: a ...on on{on} query fragment mutation}',
    'query query {query} query mutation {a} fragment query on fragment {fragment}',
    '{a(x: [1-2 -3.5e-7 0.0E+1])}',
    '\ufeff{a,b,,,c}\r\n',
    '{__schema{types{name ...F}} t:__type(name:"A"){__typename} __typename ...{__type{a{__schema{b}}}}} fragment F on T{a{__type{x:b}}}',
    '{...F @d @e} fragment F on T @d {...F}',
    'fragment F on T{a} fragment F on U{b{c}}',
    getIntrospectionQuery(),
  ])('outlines %j as its tree does', (text) => {
    expect(parseIfAny(text)).toBeDefined();
    expectAsParsed(text);
  });

  it.each([
    '',
    '# nothing',
    '{',
    '{}',
    '{a{}}',
    '{a',
    '{a}}',
    'query',
    'query Q',
    '{a:}',
    '{...}',
    '{...on}',
    '{...on{a}}',
    '{a(x: "}',
    '{a(x: """}',
    '{a @}',
    'fragment on on T{a}',
    'fragment F T{a}',
    '"of it" {a}',
    'type A {b: C}',
    'extend type A {b: C}',
    'schema {query: A}',
    '\u0000',
    '{a.b}',
  ])('returns undefined for %j, which does not parse or has other definitions', (text) => {
    expect(outline(text)).toBeUndefined();
  });

  it('outlines random documents as their trees do', () => {
    fc.assert(fc.property(anyDocument, expectAsParsed), { numRuns: 1_000 });
    fc.assert(
      fc.property(randomOperation, ({ text }) => expectAsParsed(text)),
      { numRuns: 1_000 },
    );
  });

  it('outlines random documents with insertions and deletions as their trees do', () => {
    const junk = fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 5 }));
    fc.assert(
      fc.property(randomOperation, fc.nat(100_000), junk, ({ text }, at, piece) => {
        const index = at % text.length;
        expectAsParsed(`${text.slice(0, index)}${piece}${text.slice(index)}`);
        expectAsParsed(`${text.slice(0, index)}${text.slice(index + 1)}`);
      }),
      { numRuns: 2_000 },
    );
  });

  it('outlines random sequences of document fragments as their trees do', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 20 }), fc.constantFrom('', ' '), (pieces, gap) => {
        const text = pieces.join(gap);
        expectAsParsed(text);
        expectAsParsed(`{a ${text}}`);
        expectAsParsed(`query Q${text}{a}`);
        expectAsParsed(`{a(x:[${text}])}`);
      }),
      { numRuns: 5_000 },
    );
  });

  it('cuts the document at the maximum number of tokens and ignores the rest', () => {
    expect(outline('{a b c}', 5)).toMatchObject({ isCut: false, tokens: 5 });
    expect(outline('{a b c} }}} type', 5)).toMatchObject({ isCut: true });
    expect(outline('{a(x: [1 2 3 4 5])}', 5)).toMatchObject({ isCut: true });
    expect(outline('query ($a: A = 1, $b: B = 2) {a}', 5)).toMatchObject({ isCut: true });
    expect(outline('{a @a @b @c @d}', 5)).toMatchObject({ isCut: true });
  });
});
