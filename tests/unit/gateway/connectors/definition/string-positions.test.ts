import { describe, expect, it } from '@jest/globals';
import { Kind, parse, visit, type StringValueNode } from 'graphql';
import { positionsOf } from '../../../../../gateway/connectors/definition/string-positions.ts';

function literalIn(text: string): StringValueNode {
  const found: StringValueNode[] = [];
  visit(parse(text), { [Kind.STRING]: (node) => void found.push(node) });
  const [first] = found;
  if (first === undefined) throw new Error('The text has no string.');
  return first;
}

describe('positionsOf', () => {
  it.each([
    ['a quoted string', 'type A @b(c: "x\\ty")'],
    ['escapes', 'type A @b(c: "\\u00e9 \\n \\u{1F600} x")'],
    ['a string on one line', 'type A @b(c: """x y""")'],
    ['a block string', 'type A @b(\n  c: """\n\n    one\n      two\n\n    three\n  """\n)'],
    ['a block string with tabs and other line breaks', 'type A @b(c: """\r\n\tone\r\n\t\ttwo\r\tthree\n""")'],
    ['escaped quotes', 'type A @b(c: """\n  a \\""" b\n  c\n""")'],
    ['text after the opening quotes', 'type A @b(c: """one\n    two\n  three""")'],
  ])('finds each character of %s in the file', (_, text) => {
    const literal = literalIn(text);
    const position = positionsOf(literal);
    for (const [offset, character] of literal.value.split('').entries()) {
      if (/[a-z" ]/.test(character)) expect(text[position?.(offset) ?? -1]).toBe(character);
    }
    expect(literal.value).not.toBe('');
  });

  it('returns the nearest position for an offset outside the text', () => {
    const text = 'type A @b(c: "xy")';
    const position = positionsOf(literalIn(text));
    const end = text.lastIndexOf('"');
    expect([position?.(-1), position?.(2), position?.(99)]).toEqual([text.indexOf('x'), end, end]);
  });

  it('returns undefined for a document without locations', () => {
    const literals: StringValueNode[] = [];
    visit(parse('type A @b(c: "x")', { noLocation: true }), { [Kind.STRING]: (node) => void literals.push(node) });
    expect(literals.map((literal) => positionsOf(literal))).toEqual([undefined]);
  });
});
