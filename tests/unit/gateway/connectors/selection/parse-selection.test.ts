import { describe, expect, it } from '@jest/globals';
import type { ConnectVersion } from '../../../../../gateway/connectors/connect-version.ts';
import { MappingSyntaxError } from '../../../../../gateway/connectors/selection/mapping-syntax-error.ts';
import { parseExpression, parseSelection } from '../../../../../gateway/connectors/selection/parse-selection.ts';

function mistakeOf(parse: () => unknown): { readonly message: string; readonly offset: number } {
  try {
    parse();
  } catch (error) {
    if (error instanceof MappingSyntaxError) return { message: error.message, offset: error.offset };
    throw error;
  }
  throw new Error('The text was accepted');
}

describe('parseSelection', () => {
  it.each([
    ['.data', 'A path cannot start with a dot: write $.name', 0],
    ['id $.object', 'A path among other fields must have a name or a selection', 3],
    ['id name.first', 'A path among other fields must have a name or a selection', 3],
    ['a: ', 'Unexpected the end of the text: expected a field, a path or a variable', 3],
    ['a { b', 'Unexpected the end of the text: expected a field, a path or a variable', 5],
    ['a }', 'Unexpected }: expected a field, a path or a variable', 2],
    ['a.$b', 'Unexpected $b: expected the name of a property after the dot', 2],
    ['a.', 'Unexpected the end of the text: expected the name of a property after the dot', 2],
    ['a->', 'Unexpected the end of the text: expected the name of a method after ->', 3],
    ['a->query(1)', 'There is no method ->query', 3],
    ['a->constructor', 'There is no method ->constructor', 3],
    ['a->slcie(1)', 'There is no method ->slcie. Did you mean ->slice?', 3],
    ['a->jsonstringify', 'There is no method ->jsonstringify. Did you mean ->jsonStringify?', 3],
    ['a->echo(1', 'Unexpected the end of the text: expected , or )', 9],
    ['a->echo(', 'Unexpected the end of the text: expected a field, a path or a variable', 8],
    ['a??', 'Unexpected ??: expected a field, a path or a variable', 1],
    ['a? ?', '? cannot be repeated: write it once', 3],
    ["a: 'b", "The string that starts here has no end: expected another '", 3],
    ['a: b%', 'Unexpected character "%": write names with other characters in quotes', 4],
    ['a: 😀', 'Unexpected character "😀": write names with other characters in quotes', 3],
    ['$({ a 1 })', 'Unexpected 1: expected : after the name of a property', 6],
    ['$({ 1: 1 })', 'Unexpected 1: expected the name of a property', 4],
    ['$([1 2])', 'Unexpected 2: expected , or ]', 5],
    ['$(1', 'Unexpected the end of the text: expected ) after the expression', 3],
    ['$(a ?? b ?! c)', '?? and ?! cannot be mixed: put one of the chains in $(…)', 9],
    ['$(- x)', 'Unexpected x: expected a number after -', 4],
    ['a ] b', 'Unexpected ]: expected a field, a path or a variable', 2],
  ])('rejects %s', (text, message, offset) => {
    const mistake = mistakeOf(() => parseSelection(text, '0.3'));
    expect(mistake.message).toContain(message);
    expect(mistake.offset).toBe(offset);
  });

  it.each<[string, ConnectVersion, string]>([
    ['a: $([b])->joinNotNull(",")', '0.1', 'The method ->joinNotNull requires connect/v0.2, but the schema links connect/v0.1'],
    ['a: b->eq(1)', '0.2', 'The method ->eq requires connect/v0.3, but the schema links connect/v0.2'],
    ['a: b?.c', '0.2', 'The operator ? requires connect/v0.3'],
    ['a: $(b ?? 1)', '0.2', 'The operator ?? requires connect/v0.3'],
    ['a: $(b ?! 1)', '0.1', 'The operator ?! requires connect/v0.3'],
    ['...a', '0.3', 'The spread operator ... requires connect/v0.4'],
    ['a: b->trim', '0.3', 'The method ->trim requires connect/v0.4'],
    ['a { b.c }', '0.2', 'A path among other fields must have a name or a selection'],
    ['a: $({ b })', '0.3', 'Unexpected }: expected : after the name of a property'],
    ['a: [1]', '0.3', 'Unexpected [: expected a field, a path or a variable'],
  ])('rejects %s in version %s', (text, version, message) => {
    expect(mistakeOf(() => parseSelection(text, version)).message).toContain(message);
  });

  it.each(['', ' # nothing\n', '$', '@', '$ . a', "'quoted key'", 'a { }', 'a->first()', 'a->slice(1, 2,)', '$({ a: 1, })'])(
    'accepts %j',
    (text) => {
      expect(() => parseSelection(text, '0.3')).not.toThrow();
    },
  );

  it.each([
    ['opening braces', 'a{'.repeat(40_000)],
    ['opening brackets', `$(${'['.repeat(90_000)}`],
    ['expressions in expressions', '$('.repeat(45_000)],
    ['arguments in arguments', 'a->echo('.repeat(12_000)],
    ['selections after steps', 'a.b { c: '.repeat(10_000)],
    ['steps', `$${'.a'.repeat(45_000)}`],
    ['methods', `$${'->first'.repeat(14_000)}`],
    ['fields', 'a '.repeat(49_000)],
    ['operands', `$(a${' ?? a'.repeat(19_000)})`],
    ['items', `$([${'1,'.repeat(45_000)}])`],
    ['text that is too long', ' '.repeat(1_000_000)],
    ['quotes', "'".repeat(99_999)],
    ['escapes', `a: "${'\\'.repeat(99_000)}`],
    ['question marks', '?'.repeat(99_999)],
    ['dots', '.'.repeat(99_999)],
  ])('refuses endless %s', (_name, text) => {
    for (const version of ['0.1', '0.3', '0.4'] as const) {
      expect(() => parseSelection(text, version)).toThrow(MappingSyntaxError);
      expect(() => parseExpression(text, version)).toThrow(MappingSyntaxError);
    }
  });

  it('counts positions in UTF-16 code units', () => {
    expect(mistakeOf(() => parseSelection("'😀': a ]", '0.3')).offset).toBe(8);
  });
});

describe('parseExpression', () => {
  it.each(['', '1 2', 'a b', '{ a: 1 } }', ')'])('rejects %j', (text) => {
    expect(() => parseExpression(text, '0.3')).toThrow(MappingSyntaxError);
  });

  it.each(['$args.id', "'text'", '-1.5', '.5->add(1)', 'null', '[1, [2]]', "{ a: 'b' }.a", 'a?.b ?? c', '$this { id }'])(
    'accepts %s',
    (text) => {
      expect(() => parseExpression(text, '0.3')).not.toThrow();
    },
  );
});
