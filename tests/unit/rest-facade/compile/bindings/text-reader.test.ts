import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  type GraphQLInputType,
  GraphQLNonNull,
  GraphQLScalarType,
  GraphQLString,
} from 'graphql';
import { compileTextReader } from '../../../../../rest-facade/compile/bindings/text-reader.ts';

const Colour = new GraphQLEnumType({ name: 'Colour', values: { RED: { value: 0 }, DARK_RED: {} } });
const Even = new GraphQLScalarType({
  name: 'Even',
  parseValue(value) {
    if (Number(value) % 2 !== 0) throw new Error('SELECT * FROM numbers');
    return value;
  },
});

describe('invalid text', () => {
  it.each<[GraphQLInputType, readonly string[]]>([
    [
      GraphQLInt,
      [
        '',
        ' ',
        '1 ',
        ' 1',
        '+1',
        '-0',
        '01',
        '1.0',
        '1e3',
        '0x1',
        '1_000',
        '1,000',
        'NaN',
        'Infinity',
        '2147483648',
        '-2147483649',
        '9'.repeat(400),
        '１',
        'null',
        'true',
      ],
    ],
    [GraphQLFloat, ['', ' ', '.5', '5.', '+1', '01', '0x1', 'NaN', 'Infinity', '-Infinity', '1e999', '1,5', '1e', 'null']],
    [GraphQLBoolean, ['', '1', '0', 'yes', 'TRUE', 'True', 't', ' true', 'null', 'on']],
    [GraphQLID, ['', '\0', '1\n', '\u0085']],
    [GraphQLString, ['\0', 'a\u0000b', '\r\n', '\u007f']],
    [Colour, ['', 'red', 'GREEN', '0', 'RED ', 'RED,DARK_RED', '__proto__', 'constructor', 'toString']],
    [Even, ['1', 'x']],
  ])('rejects each invalid text for the type %s without naming the type', (type, texts) => {
    const read = compileTextReader(type, false);
    for (const text of texts) {
      const { issue } = read(text);
      expect({ text, issue }).toEqual({ text, issue: expect.stringMatching(/^(must|is)/) });
      expect(issue).not.toMatch(/Int|Float|Boolean|String|Colour|Even|SELECT/);
    }
  });

  it.each(['', '0x1', '-1', '-0', '01', '1.0', '1e3', '9007199254740992', 'abc', '1n'])('rejects %j as an integer ID', (text) => {
    expect(compileTextReader(GraphQLID, true)(text).issue).toBe('must be an integer');
  });
});

describe('valid text', () => {
  it.each<[GraphQLInputType, string, unknown]>([
    [GraphQLInt, '0', 0],
    [GraphQLInt, '-2147483648', -2_147_483_648],
    [GraphQLInt, '2147483647', 2_147_483_647],
    [new GraphQLNonNull(GraphQLInt), '5', 5],
    [GraphQLFloat, '-1.50', -1.5],
    [GraphQLFloat, '1e3', 1_000],
    [GraphQLBoolean, 'false', false],
    [GraphQLID, '007', '007'],
    [GraphQLString, '', ''],
    [GraphQLString, 'a,b "c" 書', 'a,b "c" 書'],
    [Colour, 'DARK_RED', 'DARK_RED'],
    [Even, '2', '2'],
  ])('%s reads %j as %j', (type, text, value) => {
    expect(compileTextReader(type, false)(text)).toEqual({ value });
  });

  it('reads every 32-bit integer from its decimal text', () => {
    const read = compileTextReader(GraphQLInt, false);
    fc.assert(fc.property(fc.integer(), (value) => expect(read(String(value))).toEqual({ value })));
  });

  it('reads every finite number from its JSON text', () => {
    const read = compileTextReader(GraphQLFloat, false);
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) =>
        expect(read(JSON.stringify(value))).toEqual({ value: Number(JSON.stringify(value)) }),
      ),
    );
  });

  it('accepts text as an integer only when the number prints as the same text', () => {
    const read = compileTextReader(GraphQLInt, false);
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[-+]?[0-9]{1,12}$/)), (text) => {
        const isInteger = String(Math.trunc(Number(text))) === text && Math.abs(Number(text)) <= 2_147_483_648 && text !== '2147483648';
        expect(read(text).issue === undefined).toBe(isInteger);
      }),
    );
  });
});
