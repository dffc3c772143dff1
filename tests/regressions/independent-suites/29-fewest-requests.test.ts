import { describe, expect, it } from '@jest/globals';
import { createQueryPlanner } from '../../../gateway/planning/create-query-planner.ts';
import type { OperationPlan } from '../../../gateway/planning/operation-plan.ts';
import { compose } from '../../support/planning/plan-text.ts';

/** Returns the number of requests and the depth of the plan of an operation. */
function planSize(subgraphs: Readonly<Record<string, string>>, document: string): readonly [number, number] {
  const { fetches }: OperationPlan = createQueryPlanner(compose(subgraphs)).plan({ document, conditions: {}, labels: [] });
  const depths: number[] = [];
  for (const { dependsOn } of fetches) depths.push(1 + Math.max(0, ...dependsOn.map((index) => depths[index] ?? 0)));
  return [fetches.length, Math.max(0, ...depths)];
}

describe('point 29: plans with as few requests and levels as those of other planners', () => {
  it('fetches a root field that two subgraphs have in the first request to each', () => {
    const root = 'home: Query! @shareable';
    const subgraphs = { a: `type Query { ${root} left: Int }`, b: `type Query { ${root} right: Int }` };
    expect(planSize(subgraphs, '{ left right home { left right home { left right home { left } } } }')).toEqual([2, 1]);
  });

  it('does not fetch a list from a second subgraph for a root type inside it', () => {
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

  it('enters a subgraph at the parent object by a key whose fields are already in flight', () => {
    expect(planSize(carts, '{ cart { best { price id } } }')).toEqual([4, 4]);
  });

  it('uses a key of the object itself that arrives before that of the parent', () => {
    expect(planSize(carts, '{ cart { lines { code price kind { main { id } } } best { id } } }')).toEqual([4, 3]);
  });

  it('uses the second of two keys of a subgraph if it arrives earlier', () => {
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

  it('fetches a field immediately if its requirements are provided on the path to its object', () => {
    const subgraphs = {
      a: `type Query { parcel: Parcel @provides(fields: "weight") other: Parcel }
        type Parcel @key(fields: "id") { id: ID! weight: Int! @external price: Int @requires(fields: "weight") }`,
      b: 'type Parcel @key(fields: "id") { id: ID! weight: Int! @shareable }',
    };
    expect(planSize(subgraphs, '{ parcel { price } }')).toEqual([1, 1]);
    expect(planSize(subgraphs, '{ other { price } }')).toEqual([3, 3]);
  });

  it('fetches context values with an object that is entered anyway', () => {
    const subgraphs = {
      customers: 'type Query { customer: Customer } type Customer @key(fields: "id") { id: ID! rank: String }',
      accounts: `type Customer @key(fields: "id") @context(name: "customer") { id: ID! rank: String @external account: Account }
        type Account @key(fields: "id") { id: ID! limit(rank: String @fromContext(field: "$customer { rank }")): Int }`,
    };
    expect(planSize(subgraphs, '{ customer { account { limit } } }')).toEqual([2, 2]);
  });

  it.each(['{ t { ... on A { u { value } } ... on B { u { value } } } }', '{ t { u { value } } }'])(
    'uses one request for the same context of several types in %s',
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

  it('uses the subgraph with a key for further fetches, not one without a key', () => {
    const subgraphs = {
      a: 'type Query { t: T @shareable } type T { x: Int @shareable }',
      b: 'type Query { t: T @shareable } type T @key(fields: "id") { id: ID! }',
      c: 'type T @key(fields: "id") { id: ID! x: Int @shareable y: Int }',
    };
    expect(planSize(subgraphs, '{ t { x y } }')).toEqual([2, 2]);
  });

  it('sends a request immediately if it could also be sent later', () => {
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

  it('uses, of equal subgraphs, the one that is needed inside of a sibling', () => {
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

  it('fetches a list that two subgraphs share from both immediately', () => {
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

  it('reads the types of interface object values from the subgraph that has the fields', () => {
    const subgraphs = { a: animals(''), b: animals('weight: Int'), c: zoo };
    expect(planSize(subgraphs, '{ animal { weight } }')).toEqual([2, 2]);
  });

  it('queries two subgraphs that know the types of an interface object in parallel', () => {
    const subgraphs = { a: animals('height: Int'), b: animals('weight: Int'), c: zoo };
    expect(planSize(subgraphs, '{ animal { weight height } }')).toEqual([3, 2]);
  });

  it('uses the subgraph that also returns what another field requires', () => {
    const subgraphs = {
      a: 'type Item @key(fields: "id") { id: ID! name: String @shareable }',
      b: `type Query { item: Item }
        type Item @key(fields: "id") { id: ID! size: Int @external price: Int @requires(fields: "size") }`,
      c: 'type Item @key(fields: "id") { id: ID! name: String @shareable size: Int }',
    };
    expect(planSize(subgraphs, '{ item { price name } }')).toEqual([3, 3]);
  });

  it('uses, of paths with equally many requests, the one that ends first', () => {
    const subgraphs = {
      a: 'type Query { shop: Shop } type Shop @key(fields: "id") { id: ID! items: [Item!]! @shareable } type Item @key(fields: "id") { id: ID! }',
      b: 'type Shop @key(fields: "id") { id: ID! items: [Item!]! @shareable } type Item @key(fields: "id") { id: ID! name: String }',
      c: 'type Item @key(fields: "id") { id: ID! size: Int }',
    };
    expect(planSize(subgraphs, '{ shop { items { name size } } }')).toEqual([3, 2]);
  });

  it('fetches a field of two types from the subgraph that is needed for one of them', () => {
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

  it('uses, of root subgraphs with equal cost, the one that continues without waiting', () => {
    const subgraphs = nodes({ a: 'up', b: 'up left right', c: 'left right next color form', d: 'next size' });
    expect(planSize(subgraphs, '{ node { up { left { right { next { form size } color } } } } }')).toEqual([3, 2]);
  });

  it('adds another subgraph to save a level if the cheaper one has no further path', () => {
    const subgraphs = nodes({ a: 'up color next size', b: 'down right next form', c: 'up down right' });
    expect(planSize(subgraphs, '{ node { up { color down { right { next { size form } } } } } }')).toEqual([4, 2]);
  });

  it('skips a subgraph if one that is needed anyway has all its fields at equal cost', () => {
    const subgraphs = nodes({ a: 'next color', b: 'next size color deep up', c: 'next deep up form' });
    expect(planSize(subgraphs, '{ node { next { size next { color deep { form next { form } up { form } } } } } }')).toEqual([2, 1]);
  });

  it('prefers several requests that do not wait to one that waits', () => {
    const subgraphs = nodes({ a: 'next left color', b: 'next right weight', c: 'next size', d: 'right weight size' });
    expect(planSize(subgraphs, '{ node { next { left { color } right { weight } size } } }')).toEqual([3, 1]);
  });

  it('enters another subgraph at a parent that is already in flight, not inside it', () => {
    const subgraphs = nodes({ a: 'up next size', b: 'down right next form', c: 'up down right' });
    expect(planSize(subgraphs, '{ node { up { down { right { next { size form } } } } } }')).toEqual([3, 2]);
  });
});
