import { describe, expect, it } from '@jest/globals';
import { createQueryPlanner } from '../../../gateway/planning/create-query-planner.ts';
import type { OperationPlan } from '../../../gateway/planning/operation-plan.ts';
import { compose } from '../../support/planning/plan-text.ts';

/** Requests and depth of the plan of an operation. */
function planSize(subgraphs: Readonly<Record<string, string>>, document: string): readonly [number, number] {
  const { fetches }: OperationPlan = createQueryPlanner(compose(subgraphs)).plan({ document, conditions: {}, labels: [] });
  const depths: number[] = [];
  for (const { dependsOn } of fetches) depths.push(1 + Math.max(0, ...dependsOn.map((index) => depths[index] ?? 0)));
  return [fetches.length, Math.max(0, ...depths)];
}

describe('point 29: plans with as few requests and levels as the peers have', () => {
  it('given a field of the root type that two subgraphs have, then each is asked for it in its first request', () => {
    const root = 'home: Query! @shareable';
    const subgraphs = { a: `type Query { ${root} left: Int }`, b: `type Query { ${root} right: Int }` };
    expect(planSize(subgraphs, '{ left right home { left right home { left right home { left } } } }')).toEqual([2, 1]);
  });

  it('given a root type in a list, then the list is not asked of a second subgraph', () => {
    const subgraphs = { a: 'type Query { homes: [Query!]! left: Int }', b: 'type Query { right: Int }' };
    expect(planSize(subgraphs, '{ homes { left right } }')).toEqual([2, 2]);
  });

  const carts = {
    shop: `type Query { cart: Cart } type Cart @key(fields: "lines { id }") { lines: [Line!]! @shareable }
      type Line @key(fields: "id") { id: ID! kind: Kind @shareable } type Kind @key(fields: "id") { id: ID! tag: Int @shareable main: Line }`,
    names: 'type Line @key(fields: "id") @key(fields: "id code") { id: ID! code: ID! @shareable }',
    picks: `type Cart @key(fields: "lines { id code }") { lines: [Line!]! @shareable best: Line @shareable }
      type Line @key(fields: "id code") { id: ID! code: ID! @shareable }`,
    prices: `type Cart @key(fields: "lines { id code kind { id tag } } best { id }") { lines: [Line!]! @shareable best: Line @shareable }
      type Line @key(fields: "id code kind { id tag }") { id: ID! code: ID! @shareable kind: Kind @shareable price: Int }
      type Kind @key(fields: "id tag") { id: ID! tag: Int @shareable }`,
  };

  it('given a key whose parts are under way, then the object around is entered by it', () => {
    expect(planSize(carts, '{ cart { best { price id } } }')).toEqual([4, 4]);
  });

  it('given a key of the object itself that arrives earlier than that of the object around, then it is used', () => {
    expect(planSize(carts, '{ cart { lines { code price kind { main { id } } } best { id } } }')).toEqual([4, 3]);
  });

  it('given two keys of a subgraph of which the second arrives earlier, then it is entered by the second', () => {
    const types = (keys: string, fields: string): string => {
      return ['Box', 'Bag'].map((name) => `type ${name} implements Parcel ${keys} { ${fields} }`).join(' ');
    };
    const [byId, byCode] = ['@key(fields: "id")', '@key(fields: "code")'];
    const subgraphs = {
      list: `type Query { parcels: [Parcel!]! } interface Parcel ${byId} { id: ID! } ${types(byId, 'id: ID!')}`,
      codes: `type Parcel ${byId} ${byCode} @interfaceObject { id: ID! code: ID! @shareable weight: Int }`,
      prices: `interface Parcel ${byId} ${byCode} { id: ID! code: ID! price: Int }
        ${types(`${byCode} ${byId}`, 'id: ID! code: ID! @shareable price: Int')}`,
    };
    expect(planSize(subgraphs, '{ parcels { ... on Box { weight } price weight } }')).toEqual([3, 2]);
  });

  it('given a field that requires what is provided on the way to its object, then it is asked for at once', () => {
    const subgraphs = {
      a: `type Query { parcel: Parcel @provides(fields: "weight") other: Parcel }
        type Parcel @key(fields: "id") { id: ID! weight: Int! @external price: Int @requires(fields: "weight") }`,
      b: 'type Parcel @key(fields: "id") { id: ID! weight: Int! @shareable }',
    };
    expect(planSize(subgraphs, '{ parcel { price } }')).toEqual([1, 1]);
    expect(planSize(subgraphs, '{ other { price } }')).toEqual([3, 3]);
  });

  it('given a context around an object that is entered anyway, then its values come along', () => {
    const subgraphs = {
      customers: 'type Query { customer: Customer } type Customer @key(fields: "id") { id: ID! rank: String }',
      accounts: `type Customer @key(fields: "id") @context(name: "customer") { id: ID! rank: String @external account: Account }
        type Account @key(fields: "id") { id: ID! limit(rank: String @fromContext(field: "$customer { rank }")): Int }`,
    };
    expect(planSize(subgraphs, '{ customer { account { limit } } }')).toEqual([2, 2]);
  });

  it.each(['{ t { ... on A { u { value } } ... on B { u { value } } } }', '{ t { u { value } } }'])(
    'given the same context of several types, when %s is planned, then one request asks for all',
    (operation) => {
      const fields = 'id: ID! u: U! prop: String!';
      const subgraphs = {
        a: `type Query { t: I! } interface I @key(fields: "id") @context(name: "c") { ${fields} }
          type A implements I @key(fields: "id") { ${fields} } type B implements I @key(fields: "id") { ${fields} }
          type U @key(fields: "id") { id: ID! value(prop: String @fromContext(field: "$c { prop }")): Int! }`,
        b: 'type Query { x: Int } type U @key(fields: "id") { id: ID! other: Int }',
      };
      expect(planSize(subgraphs, operation)).toEqual([2, 2]);
    },
  );

  it('given a subgraph that has a field and no key to go on with, then the one with the key is asked instead', () => {
    const subgraphs = {
      a: 'type Query { t: T @shareable } type T { x: Int @shareable }',
      b: 'type Query { t: T @shareable } type T @key(fields: "id") { id: ID! }',
      c: 'type T @key(fields: "id") { id: ID! x: Int @shareable y: Int }',
    };
    expect(planSize(subgraphs, '{ t { x y } }')).toEqual([2, 2]);
  });

  it('given a request that could be sent at once or later, then it is sent at once', () => {
    const node = (...fields: readonly string[]): string => {
      return `type Query { node: Node @shareable }
        type Node @key(fields: "id") { id: ID! ${fields.map((field) => `${field} @shareable`).join(' ')} }`;
    };
    const subgraphs = {
      a: node('up: Node', 'size: Int', 'color: Int'),
      b: node('down: Node', 'form: Int'),
      c: node('down: Node', 'color: Int'),
    };
    expect(planSize(subgraphs, '{ node { size up { size } down { form color } } }')).toEqual([3, 1]);
  });

  it('given equal subgraphs, then the one is asked that is needed inside of a sibling', () => {
    const node = (...fields: readonly string[]): string => {
      return `type Query { node: Node @shareable }
        type Node @key(fields: "id") { id: ID! ${fields.map((field) => `${field} @shareable`).join(' ')} }`;
    };
    const subgraphs = {
      a: node('next: Node', 'size: Int', 'form: Int'),
      b: node('color: Int'),
      c: node('color: Int', 'next: Node', 'weight: Int'),
    };
    expect(planSize(subgraphs, '{ node { size color next { form weight } } }')).toEqual([2, 1]);
  });

  it('given a list that two subgraphs share, then both are asked for it at once', () => {
    const subgraphs = {
      a: 'type Query { items: [[Item!]!] @shareable } type Item @key(fields: "id") { id: ID! name: String }',
      b: 'type Query { items: [[Item!]!] @shareable } type Item @key(fields: "id") { id: ID! size: Int }',
    };
    expect(planSize(subgraphs, '{ items { name size } }')).toEqual([2, 1]);
  });

  const animals = (field: string, key = 'id'): string => {
    const fields = `${key}: ID! ${field}`;
    return `interface Animal @key(fields: "${key}") { ${fields} }
      type Cat implements Animal @key(fields: "${key}") { ${fields} } type Dog implements Animal @key(fields: "${key}") { ${fields} }`;
  };
  const zoo = 'type Query { animal: Animal } type Animal @key(fields: "id") @interfaceObject { id: ID! }';

  it('given values of an interface object, then the subgraph that has the fields tells their types', () => {
    const subgraphs = { a: animals(''), b: animals('weight: Int'), c: zoo };
    expect(planSize(subgraphs, '{ animal { weight } }')).toEqual([2, 2]);
  });

  it('given values of an interface object and two subgraphs that know their types, then neither waits for the other', () => {
    const subgraphs = { a: animals('height: Int'), b: animals('weight: Int'), c: zoo };
    expect(planSize(subgraphs, '{ animal { weight height } }')).toEqual([3, 2]);
  });

  it('given a field of two subgraphs, then the one is asked that brings what another field requires', () => {
    const subgraphs = {
      a: 'type Item @key(fields: "id") { id: ID! name: String @shareable }',
      b: `type Query { item: Item }
        type Item @key(fields: "id") { id: ID! size: Int @external price: Int @requires(fields: "size") }`,
      c: 'type Item @key(fields: "id") { id: ID! name: String @shareable size: Int }',
    };
    expect(planSize(subgraphs, '{ item { price name } }')).toEqual([3, 3]);
  });

  it('given ways with equally many requests, then the one is taken that ends first', () => {
    const subgraphs = {
      a: 'type Query { shop: Shop } type Shop @key(fields: "id") { id: ID! items: [Item!]! @shareable } type Item @key(fields: "id") { id: ID! }',
      b: 'type Shop @key(fields: "id") { id: ID! items: [Item!]! @shareable } type Item @key(fields: "id") { id: ID! name: String }',
      c: 'type Item @key(fields: "id") { id: ID! size: Int }',
    };
    expect(planSize(subgraphs, '{ shop { items { name size } } }')).toEqual([3, 2]);
  });

  it('given a field of two types, then the subgraph is asked for both that is needed for one of them', () => {
    const subgraphs = {
      a: `type Query { pet: Pet } interface Pet @key(fields: "id") { id: ID! }
        type Cat implements Pet @key(fields: "id") { id: ID! } type Dog implements Pet @key(fields: "id") { id: ID! }`,
      b: 'type Cat @key(fields: "id") { id: ID! age: Int @shareable } type Dog @key(fields: "id") { id: ID! age: Int @shareable }',
      c: 'type Cat @key(fields: "id") { id: ID! age: Int @shareable } type Dog @key(fields: "id") { id: ID! age: Int @shareable bark: Int }',
    };
    expect(planSize(subgraphs, '{ pet { ... on Cat { age } ... on Dog { age bark } } }')).toEqual([2, 2]);
  });

  const nodes = (graphs: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
    const leaves = new Set(['color', 'form', 'size', 'weight']);
    const subgraphs = Object.entries(graphs).map(([name, fields]) => {
      const shared = fields.split(' ').map((field) => `${field}: ${leaves.has(field) ? 'Int' : 'Node'} @shareable`);
      return [name, `type Query { node: Node @shareable } type Node @key(fields: "id") { id: ID! ${shared.join(' ')} }`];
    });
    return Object.fromEntries(subgraphs) as Readonly<Record<string, string>>;
  };

  it('given subgraphs of equal price at the root, then the one is asked that leads on without waiting', () => {
    const subgraphs = nodes({ a: 'up', b: 'up left right', c: 'left right next color form', d: 'next size' });
    expect(planSize(subgraphs, '{ node { up { left { right { next { form size } color } } } } }')).toEqual([3, 2]);
  });

  it('given a subgraph of a lower price that leads nowhere, then another beside it saves a wave', () => {
    const subgraphs = nodes({ a: 'up color next size', b: 'down right next form', c: 'up down right' });
    expect(planSize(subgraphs, '{ node { up { color down { right { next { size form } } } } } }')).toEqual([4, 2]);
  });

  it('given subgraphs of equal price, of which one is needed anyway and has all of another, then the other is not asked', () => {
    const subgraphs = nodes({ a: 'next color', b: 'next size color deep up', c: 'next deep up form' });
    expect(planSize(subgraphs, '{ node { next { size next { color deep { form next { form } up { form } } } } } }')).toEqual([2, 1]);
  });

  it('given one request that waits, or several that do not, then none waits', () => {
    const subgraphs = nodes({ a: 'next left color', b: 'next right weight', c: 'next size', d: 'right weight size' });
    expect(planSize(subgraphs, '{ node { next { left { color } right { weight } size } } }')).toEqual([3, 1]);
  });

  it('given an object around that is under way in one subgraph, then another is entered there and not inside', () => {
    const subgraphs = nodes({ a: 'up next size', b: 'down right next form', c: 'up down right' });
    expect(planSize(subgraphs, '{ node { up { down { right { next { size form } } } } } }')).toEqual([3, 2]);
  });
});
