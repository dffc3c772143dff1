import { describe, expect, it } from '@jest/globals';
import { parseDocument } from '../../../../gateway/operation/parse-document.ts';
import { errorsOf, catchRejection } from '../../../support/gateway/catch-rejection.ts';

const LIMITS = { maxTokens: 4_000 };

describe('parseDocument', () => {
  it.each([
    ['', 'Syntax Error: Unexpected <EOF>.'],
    ['# nothing', 'Syntax Error: Unexpected <EOF>.'],
    ['{', 'Syntax Error: Expected Name, found <EOF>.'],
    ['{ me { } }', 'Syntax Error: Expected Name, found "}".'],
    ['query { a(b: "unterminated) }', 'Syntax Error: Unterminated string.'],
    ['\u0000', 'Syntax Error: Unexpected character: U+0000.'],
  ])('reports the reason for %j', (text, message) => {
    expect(errorsOf(() => parseDocument(text, LIMITS))).toEqual(['GRAPHQL_PARSE_FAILED', message]);
  });

  it('reports the location of a syntax error in the second line', () => {
    expect(catchRejection(() => parseDocument('{\n  me(', LIMITS)).errors).toEqual([
      { message: 'Syntax Error: Expected Name, found <EOF>.', locations: [{ line: 2, column: 6 }] },
    ]);
  });

  it('throws TOKEN_LIMIT_EXCEEDED with the limit for one token too many', () => {
    expect(errorsOf(() => parseDocument('{ a b c }', { maxTokens: 4 }))).toEqual([
      'TOKEN_LIMIT_EXCEEDED',
      'The document has more than 4 tokens.',
    ]);
  });

  it('throws TOKEN_LIMIT_EXCEEDED for more comments than the allowed number of tokens', () => {
    expect(parseDocument('{ a }#1\n#2\n#3', { maxTokens: 3 }).definitions).toHaveLength(1);
    expect(errorsOf(() => parseDocument('{ a }#1\n#2\n#3\n#4', { maxTokens: 3 }))).toEqual([
      'TOKEN_LIMIT_EXCEEDED',
      'The document has more than 3 comments.',
    ]);
  });

  it('stops at the limit in a document of a million fields', () => {
    expect(catchRejection(() => parseDocument(`{ ${'a '.repeat(1_000_000)} }`, LIMITS)).code).toBe('TOKEN_LIMIT_EXCEEDED');
  });

  it('rejects nesting that overflows the stack when a high token limit admits it', () => {
    const text = `${'{a'.repeat(200_000)}${'}'.repeat(200_000)}`;
    expect(errorsOf(() => parseDocument(text, { maxTokens: 1_000_000 }))).toEqual([
      'GRAPHQL_PARSE_FAILED',
      'The document is nested too deeply.',
    ]);
  });

  it('accepts as many tokens as are allowed', () => {
    expect(parseDocument('{ a b }', { maxTokens: 4 }).definitions).toHaveLength(1);
  });
});
