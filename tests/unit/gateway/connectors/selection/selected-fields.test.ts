import { describe, expect, it } from '@jest/globals';
import type { ConnectVersion } from '../../../../../gateway/connectors/connect-version.ts';
import { parseSelection } from '../../../../../gateway/connectors/selection/parse-selection.ts';
import type { SelectedField } from '../../../../../gateway/connectors/selection/selected-field.ts';
import { selectedFieldsOf } from '../../../../../gateway/connectors/selection/selected-fields.ts';

/** Prints fields: `!` follows a scalar, `?` a value of an unknown type. */
function print(fields: readonly SelectedField[]): string {
  return fields
    .map(({ name, children, isLeaf }) =>
      children === undefined ? `${name}${isLeaf === true ? '!' : '?'}` : `${name} { ${print(children)} }`,
    )
    .join(' ');
}

function fieldsIn(text: string, version: ConnectVersion = '0.3'): string {
  return print(selectedFieldsOf(parseSelection(text, version)));
}

describe('selectedFieldsOf', () => {
  it.each([
    ['', ''],
    ['$.a', ''],
    ['$->size', ''],
    ['id n: name', 'id? n?'],
    ['a { b { c } }', 'a { b { c? } }'],
    ['$.a { b }', 'b?'],
    ['a.b { c } d', 'c? d?'],
    ['a: { b c: d.e }', 'a { b? c? }'],
    ['a: $("x") b: $({ c: 1, d: [{ e: 2 }] })', 'a! b { c! d { e! } }'],
    ['a: b->map({ c: @.d })', 'a { c? }'],
    ['a: b->map({ c: 1 })->filter(@.c->eq(1))->first', 'a { c! }'],
    ['a: $({ b: { c: 1 } }).b', 'a { c! }'],
    ['a: b->echo({ c: @ }) { d: c }', 'a { d? }'],
    ["a: b->match(['x', { c: 1 }], ['y', { d: 2 }], [@, null])", 'a { c! d! }'],
    ['a: $(b { c } ?? { d: 1 })', 'a { c? d! }'],
    ['a: b->entries', 'a { key! value? }'],
    ['a: b->size c: b->joinNotNull(",") d: b->get(0)', 'a! c! d?'],
    ['a { b } x: y a: $({ c: 1 })', 'a { b? c! } x?'],
  ])('lists the fields of %j', (text, fields) => {
    expect(fieldsIn(text)).toBe(fields);
  });

  it('merges spread objects', () => {
    expect(fieldsIn("id ...k->match(['a', { __typename: 'A', x: $.x }], [@, { __typename: 'B' }])", '0.4')).toBe('id? __typename! x?');
  });

  it('limits the fields of a case to its type', () => {
    const cases = "a: k->match(['x', { __typename: 'A', x: 1 }], ['y', { __typename: 'B', x: 1, y: 2 }])";
    const [field] = selectedFieldsOf(parseSelection(cases, '0.4'));
    const fields = field?.children?.map(({ name, typename }) => [name, typename]);
    expect(fields).toEqual([
      ['__typename', undefined],
      ['x', 'A'],
      ['x', 'B'],
      ['y', 'B'],
    ]);
  });

  it('gives the positions of names', () => {
    expect(selectedFieldsOf(parseSelection('a: b { c }', '0.3'))).toEqual([
      { name: 'a', offset: 0, isLeaf: false, children: [{ name: 'c', offset: 7, isLeaf: undefined }] },
    ]);
  });
});
