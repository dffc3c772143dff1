import { describe, expect, it } from '@jest/globals';
import { planOver } from '../../../support/planning/plan-text.ts';

const plan = planOver({
  a: `type Query { shop: Shop other: Shop }
    type Shop @key(fields: "id") @context(name: "shop") { id: ID! currency: String item: Item items: [Item] }
    type Item @key(fields: "id") { id: ID! price(currency: String @fromContext(field: "$shop { currency }"), digits: Int): Int }`,
  b: 'type Item @key(fields: "id") { id: ID! name: String }',
});

describe('@fromContext', () => {
  it('passes a value of an outer object as a variable', () => {
    expect(plan('{ shop { item { name price(digits: 2) } } }')).toEqual([
      '0 a: { shop { item { id } currency } }',
      '1 a @ shop.item: Item(id) { price_0: price(currency:$context_0,digits:2) } with $context_0: String from 1: currency after 0',
      '2 b @ shop.item: Item(id) { name } after 0',
    ]);
  });

  it('uses separate lookups in one request for two paths, because their values differ', () => {
    expect(plan('{ shop { item { price } } other { item { price } } }')).toEqual([
      '0 a: { shop { item { id } currency } other { item { id } currency } }',
      '1 a @ shop.item: Item(id) { price(currency:$context_0) } with $context_0: String from 1: currency' +
        ' + @ other.item: Item(id) { price(currency:$context_1) } with $context_1: String from 1: currency after 0',
    ]);
  });

  it('renames its variable if the client has a variable of the same name', () => {
    expect(plan('query ($context_0: Int) { shop { item { price(digits: $context_0) } } }')).toEqual([
      '0 a: { shop { item { id } currency } }',
      '1 a @ shop.item: Item(id) { price_0: price(currency:$context_1,digits:$context_0) } with $context_1: String from 1: currency after 0',
    ]);
  });

  it('declares the variable only in the lookup of the type that uses it', () => {
    const node = 'interface Node { id: ID! name: String }';
    const request = planOver({
      a: `type Query { shop: Shop } type Shop @key(fields: "id") { id: ID! node: Node } interface Node { id: ID! }
        type Book implements Node @key(fields: "id") { id: ID! } type Toy implements Node @key(fields: "id") { id: ID! }`,
      b: `type Shop @key(fields: "id") @context(name: "shop") { id: ID! } ${node} type Toy implements Node @key(fields: "id") { id: ID! name: String }
        type Book implements Node @key(fields: "id") { id: ID! name: String code: Int seller(id: ID @fromContext(field: "$shop { id }")): String }`,
    });
    expect(request('{ shop { node { name ... on Book { code seller } } } }')).toEqual([
      '0 a: { shop { node { __typename id } id } }',
      '1 b @ shop.node[Book]: Book(id) { name code seller(id:$context_0) } with $context_0: ID from 1: id + @ shop.node[Toy]: Toy(id) { name } after 0',
    ]);
  });

  it('declares the variable once if two types use it inside a shared field', () => {
    const request = planOver({
      a: `type Query { shop: Shop } type Shop @key(fields: "id") { id: ID! node: Node } interface Node { id: ID! }
        type Book implements Node @key(fields: "id") { id: ID! } type Toy implements Node @key(fields: "id") { id: ID! }`,
      b: `type Shop @key(fields: "id") @context(name: "shop") { id: ID! } interface Node { id: ID! offer: Offer }
        type Book implements Node @key(fields: "id") { id: ID! offer: Offer } type Toy implements Node @key(fields: "id") { id: ID! offer: Offer }
        type Offer @key(fields: "id") { id: ID! price(shop: ID @fromContext(field: "$shop { id }")): Int }`,
    });
    expect(request('{ shop { node { offer { price } } } }')).toEqual([
      '0 a: { shop { node { __typename id } id } }',
      '1 b @ shop.node: [Book] Book(id) | [Toy] Toy(id) { ... on Book { offer { price(shop:$context_0) } }' +
        ' ... on Toy { offer { price(shop:$context_0) } } } with $context_0: ID from 1: id after 0',
    ]);
  });

  it('counts the levels to the context object without list levels', () => {
    expect(plan('{ shop { items { price } } }')).toEqual([
      '0 a: { shop { items { id } currency } }',
      '1 a @ shop.items: Item(id) { price(currency:$context_0) } with $context_0: String from 1: currency after 0',
    ]);
  });

  it.each([
    ['a union', 'union Place @context(name: "place") = Shop | Stall', '... on Shop { currency } ... on Stall { currency }'],
    ['an interface', 'interface Place @context(name: "place") { currency: String }', '{ currency }'],
  ])('takes the value from the nearest object if %s opens the context', (what, position, selection) => {
    const implementing = what === 'an interface' ? 'implements Place' : '';
    const request = planOver({
      a: `type Query { shop: Shop place: Place } ${position}
        type Shop ${implementing} @key(fields: "id") { id: ID! currency: String stall: Stall }
        type Stall ${implementing} { currency: String item: Item }
        type Item @key(fields: "id") { id: ID! price(currency: String @fromContext(field: "$place ${selection}")): Int }`,
    });
    expect(request('{ shop { stall { item { price } } } }')).toEqual([
      '0 a: { shop { stall { item { id } currency } } }',
      '1 a @ shop.stall.item: Item(id) { price(currency:$context_0) } with $context_0: String from 2: currency after 0',
    ]);
    expect(request('{ place { ... on Shop { stall { item { price } } } } }')[1]).toContain('from 2: currency');
  });
});
