import { describe, expect, it } from '@jest/globals';
import { NoPath } from '../../../../gateway/planning/planning-scope.ts';
import { planOver } from '../../../support/planning/plan-text.ts';

describe('the choice of a subgraph', () => {
  it('throws for a field that no subgraph can resolve', () => {
    const plan = planOver(
      {
        a: 'type Query { box: Box } type Box { width: Int @shareable }',
        b: 'type Query { x: Int } type Box { width: Int @shareable depth: Int }',
      },
      { isChecked: false },
    );
    expect(() => plan('{ box { depth } }')).toThrow(new NoPath('fetch Box.depth'));
  });

  it('fetches fields of many subgraphs in parallel, in the order of the subgraphs', () => {
    const owners = Array.from({ length: 40 }, (_, index) => `s${String(index).padStart(2, '0')}`);
    const item = (owner: string): string => `type Item @key(fields: "id") { id: ID! ${owner}: String }`;
    const plan = planOver({
      root: 'type Query { item: Item } type Item @key(fields: "id") { id: ID! }',
      ...Object.fromEntries(owners.map((owner) => [owner, item(owner)])),
    });
    expect(plan(`{ item { ${owners.toReversed().join(' ')} } }`)).toEqual([
      '0 root: { item { id } }',
      ...owners.map((owner, index) => `${index + 1} ${owner} @ item: Item(id) { ${owner} } after 0`),
    ]);
  });

  it('fetches a field of two subgraphs from one that is needed for another field, among many others', () => {
    const owners = Array.from({ length: 20 }, (_, index) => `s${String(index).padStart(2, '0')}`);
    const item = (owner: string): string =>
      `type Item @key(fields: "id") { id: ID! ${owner}: String ${owner > 's17' ? 'both: String @shareable' : ''} }`;
    const plan = planOver({
      root: 'type Query { item: Item } type Item @key(fields: "id") { id: ID! }',
      ...Object.fromEntries(owners.map((owner) => [owner, item(owner)])),
    });
    const fetches = plan(`{ item { ${owners.join(' ')} both } }`);
    expect(fetches).toHaveLength(21);
    expect(fetches.filter((fetch) => fetch.includes('both'))).toHaveLength(1);
  });

  it('fetches a shared field from a subgraph that is required anyway', () => {
    const plan = planOver({
      a: 'type Query { count: Int @shareable }',
      b: 'type Query { count: Int @shareable other: Item } type Item @key(fields: "id") { id: ID! }',
      c: 'type Item @key(fields: "id") { id: ID! size: Int }',
    });
    expect(plan('{ count other { size } }')).toEqual(['0 b: { count other { id } }', '1 c @ other: Item(id) { size } after 0']);
  });

  it('fetches a shared object from the subgraph that resolves its fields', () => {
    const plan = planOver({
      a: 'type Query { item: Item @shareable } type Item @key(fields: "id") { id: ID! }',
      b: 'type Query { item: Item @shareable } type Item @key(fields: "id") { id: ID! maker: Maker } type Maker @key(fields: "id") { id: ID! }',
      c: 'type Maker @key(fields: "id") { id: ID! name: String }',
    });
    expect(plan('{ item { maker { name } } }')).toEqual(['0 b: { item { maker { id } } }', '1 c @ item.maker: Maker(id) { name } after 0']);
  });

  it('fetches a single value from two subgraphs at once if each has some of its fields', () => {
    const plan = planOver({
      a: 'type Query { item: Item @shareable items: [Item!] @shareable } type Item @key(fields: "id") { id: ID! name: String }',
      b: 'type Query { item: Item @shareable items: [Item!] @shareable } type Item @key(fields: "id") { id: ID! size: Int }',
    });
    expect(plan('{ item { name size } }')).toEqual(['0 a: { item { name } }', '1 b: { item { size } }']);
  });

  it('fetches a list from two subgraphs at once if each has some of its fields', () => {
    const plan = planOver({
      a: 'type Query { items: [Item!] @shareable } type Item @key(fields: "id") { id: ID! name: String }',
      b: 'type Query { items: [Item!] @shareable } type Item @key(fields: "id") { id: ID! size: Int }',
    });
    expect(plan('{ items { name size } }')).toEqual(['0 a: { items { name } }', '1 b: { items { size } }']);
  });

  it('takes a key from the earliest of the subgraphs that are fetched anyway', () => {
    const plan = planOver({
      a: 'type Query { item: Item } type Item @key(fields: "id") { id: ID! code: ID! @shareable }',
      b: 'type Item @key(fields: "id") { id: ID! code: ID! @shareable size: Int }',
      c: 'type Item @key(fields: "code") { code: ID! name: String }',
    });
    expect(plan('{ item { size name } }')).toEqual([
      '0 a: { item { id code } }',
      '1 b @ item: Item(id) { size } after 0',
      '2 c @ item: Item(code) { name } after 0',
    ]);
  });
});
