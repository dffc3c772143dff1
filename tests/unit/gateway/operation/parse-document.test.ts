import { describe, expect, it } from '@jest/globals';
import { parseDocument } from '../../../../gateway/operation/parse-document.ts';
import { faultsOf, refusalOf } from '../../../support/gateway/refusal-of.ts';

const LIMITS = { maxTokens: 4_000 };

describe('parseDocument', () => {
  it.each([
    ['', 'Syntax Error: Unexpected <EOF>.'],
    ['# nothing', 'Syntax Error: Unexpected <EOF>.'],
    ['{', 'Syntax Error: Expected Name, found <EOF>.'],
    ['{ me { } }', 'Syntax Error: Expected Name, found "}".'],
    ['query { a(b: "unterminated) }', 'Syntax Error: Unterminated string.'],
    ['\u0000', 'Syntax Error: Unexpected character: U+0000.'],
  ])('given %j, when parsing, then the reason is told', (text, message) => {
    expect(faultsOf(() => parseDocument(text, LIMITS))).toEqual(['GRAPHQL_PARSE_FAILED', message]);
  });

  it('given a mistake in the second line, when parsing, then its place is told', () => {
    expect(refusalOf(() => parseDocument('{\n  me(', LIMITS)).faults).toEqual([
      { message: 'Syntax Error: Expected Name, found <EOF>.', locations: [{ line: 2, column: 6 }] },
    ]);
  });

  it('given one token too many, when parsing, then TOKEN_LIMIT_EXCEEDED names the limit', () => {
    expect(faultsOf(() => parseDocument('{ a b c }', { maxTokens: 4 }))).toEqual([
      'TOKEN_LIMIT_EXCEEDED',
      'The document has more than 4 tokens.',
    ]);
  });

  it('given more comments than tokens are allowed, when parsing, then TOKEN_LIMIT_EXCEEDED names the limit', () => {
    expect(parseDocument('{ a }#1\n#2\n#3', { maxTokens: 3 }).definitions).toHaveLength(1);
    expect(faultsOf(() => parseDocument('{ a }#1\n#2\n#3\n#4', { maxTokens: 3 }))).toEqual([
      'TOKEN_LIMIT_EXCEEDED',
      'The document has more than 3 comments.',
    ]);
  });

  it('given a million fields, when parsing, then it stops at the limit', () => {
    expect(refusalOf(() => parseDocument(`{ ${'a '.repeat(1_000_000)} }`, LIMITS)).code).toBe('TOKEN_LIMIT_EXCEEDED');
  });

  it('given nesting that no stack can hold, when a high limit lets it through, then it is refused and not a failure', () => {
    const text = `${'{a'.repeat(200_000)}${'}'.repeat(200_000)}`;
    expect(faultsOf(() => parseDocument(text, { maxTokens: 1_000_000 }))).toEqual([
      'GRAPHQL_PARSE_FAILED',
      'The document is nested too deeply.',
    ]);
  });

  it('given as many tokens as allowed, when parsing, then it is a document', () => {
    expect(parseDocument('{ a b }', { maxTokens: 4 }).definitions).toHaveLength(1);
  });
});
