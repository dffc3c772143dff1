import { describe, expect, it } from '@jest/globals';
import { buildSchema } from '@apollo/federation-internals';
import { commonPrefix, compileKeyRenames, indexErrorPaths, renameErrorPath } from '../../../../gateway/execution/error-paths.ts';
import { compileRewrites } from '../../../../gateway/execution/rewrites.ts';

const schema = buildSchema('type Query { p: P } interface P { f: Int } type A implements P { f: Int } type B implements P { f: Int }');
const rename = (path: string[], renameKeyTo: string) => ({ kind: 'KeyRenamer' as const, path, renameKeyTo });

describe('given keys that the planner made up', () => {
  it.each([[0], [false], [''], [null]])('when the value is %j, then it is renamed like any other', (value) => {
    const data = { f__alias_0: value };
    compileRewrites(schema, [rename(['f__alias_0'], 'f')])?.(data);
    expect(data).toEqual({ f: value, f__alias_0: undefined });
  });

  it('when nothing came under the key, then what stands under the other is kept', () => {
    const data = { f: 1 };
    compileRewrites(schema, [rename(['f__alias_0'], 'f')])?.(data);
    expect(data).toEqual({ f: 1 });
  });

  it('when one is inside another, then both are renamed', () => {
    const data = { o__alias_0: [{ f__alias_0: 1 }, null] };
    compileRewrites(schema, [rename(['o__alias_0'], 'o'), rename(['o__alias_0', 'f__alias_0'], 'f')])?.(data);
    expect(JSON.stringify(data)).toBe('{"o":[{"f":1},null]}');
  });

  it('when they are for one type, then objects of other types stay as they are', () => {
    const apply = compileRewrites(schema, [rename(['p', '... on A', 'f__alias_0'], 'f')]);
    const [one, other, unnamed] = ['A', 'B', undefined].map((typename) => ({ p: { __typename: typename, f__alias_0: 1 } }));
    for (const data of [one, other, unnamed]) apply?.(data);
    expect(one?.p).toMatchObject({ f: 1 });
    expect(other?.p).not.toHaveProperty('f');
    expect(unnamed?.p).toMatchObject({ f: 1 });
  });

  it('when a condition names an interface, then all its implementations are meant', () => {
    const data = { __typename: 'B', id: '1' };
    compileRewrites(schema, [{ kind: 'ValueSetter', path: ['... on P', '__typename'], setValueTo: 'P' }])?.(data);
    expect(data).toEqual({ __typename: 'P', id: '1' });
  });

  it('when the key is __proto__, then it is a key and no prototype', () => {
    const data = { f__alias_0: { polluted: true } };
    compileRewrites(schema, [rename(['f__alias_0'], '__proto__')])?.(data);
    expect(Object.hasOwn(data, '__proto__')).toBe(true);
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
  });
});

describe('given the path of an error', () => {
  const renames = compileKeyRenames([rename(['list__alias_0'], 'list'), rename(['list__alias_0', '... on A', 'f__alias_0'], 'f')]);

  it('when it goes through keys that the planner made up, then it has the client’s instead', () => {
    expect(renameErrorPath(['list__alias_0', 3, 'f__alias_0'], renames)).toEqual(['list', 3, 'f']);
    expect(renameErrorPath(['list', 3, 'f__alias_0'], renames)).toEqual(['list', 3, 'f__alias_0']);
  });

  it('when it is looked up, then it explains its own place and those above, and no other', () => {
    const isExplained = indexErrorPaths([['a', 0, 'b']]);
    expect([['a'], ['a', 0], ['a', 0, 'b']].map((path) => isExplained(path, path.length))).toEqual([true, true, true]);
    expect([['a', 1], ['a', 0, 'c'], ['a', 0, 'b', 'd'], ['b']].map((path) => isExplained(path, path.length))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it('when several have a beginning in common, then it is found', () => {
    expect(
      commonPrefix([
        ['a', 0, 'b'],
        ['a', 0, 'c'],
      ]),
    ).toEqual(['a', 0]);
    expect(commonPrefix([['a'], ['b']])).toEqual([]);
    expect(commonPrefix([])).toEqual([]);
  });
});
