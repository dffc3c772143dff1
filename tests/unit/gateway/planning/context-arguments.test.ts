import { describe, expect, it } from '@jest/globals';
import { planOver } from '../../../support/planning/plan-text.ts';

const plan = planOver({
  a: `type Query { shop: Shop other: Shop }
    type Shop @key(fields: "id") @context(name: "shop") { id: ID! currency: String item: Item items: [Item] }
    type Item @key(fields: "id") { id: ID! price(currency: String @fromContext(field: "$shop { currency }"), digits: Int): Int }`,
  b: 'type Item @key(fields: "id") { id: ID! name: String }',
});

describe('@fromContext', () => {
  it('given an argument from further out, when planning, then its value goes over as a variable', () => {
    expect(plan('{ shop { item { name price(digits: 2) } } }')).toEqual([
      '0 a: { shop { item { id } currency } }',
      '1 a @ shop.item: Item(id) { price_0: price(currency:$context_0,digits:2) } with $context_0: String from 1: currency after 0',
      '2 b @ shop.item: Item(id) { name } after 0',
    ]);
  });

  it('given it in two places, when planning, then each has a lookup of its own in one request, because the values differ', () => {
    expect(plan('{ shop { item { price } } other { item { price } } }')).toEqual([
      '0 a: { shop { item { id } currency } other { item { id } currency } }',
      '1 a @ shop.item: Item(id) { price(currency:$context_0) } with $context_0: String from 1: currency' +
        ' + @ other.item: Item(id) { price(currency:$context_1) } with $context_1: String from 1: currency after 0',
    ]);
  });

  it('given a variable of the client with such a name, when planning, then another is made up', () => {
    expect(plan('query ($context_0: Int) { shop { item { price(digits: $context_0) } } }')).toEqual([
      '0 a: { shop { item { id } currency } }',
      '1 a @ shop.item: Item(id) { price_0: price(currency:$context_1,digits:$context_0) } with $context_1: String from 1: currency after 0',
    ]);
  });

  it('given values of two types, when one type takes the value, then only its lookup declares the variable', () => {
    const node = 'interface Node { id: ID! name: String }';
    const ask = planOver({
      a: `type Query { shop: Shop } type Shop @key(fields: "id") { id: ID! node: Node } interface Node { id: ID! }
        type Book implements Node @key(fields: "id") { id: ID! } type Toy implements Node @key(fields: "id") { id: ID! }`,
      b: `type Shop @key(fields: "id") @context(name: "shop") { id: ID! } ${node} type Toy implements Node @key(fields: "id") { id: ID! name: String }
        type Book implements Node @key(fields: "id") { id: ID! name: String code: Int seller(id: ID @fromContext(field: "$shop { id }")): String }`,
    });
    expect(ask('{ shop { node { name ... on Book { code seller } } } }')).toEqual([
      '0 a: { shop { node { __typename id } id } }',
      '1 b @ shop.node[Book]: Book(id) { name code seller(id:$context_0) } with $context_0: ID from 1: id + @ shop.node[Toy]: Toy(id) { name } after 0',
    ]);
  });

  it('given values of two types, when both take the value inside of a field, then one lookup declares the variable', () => {
    const ask = planOver({
      a: `type Query { shop: Shop } type Shop @key(fields: "id") { id: ID! node: Node } interface Node { id: ID! }
        type Book implements Node @key(fields: "id") { id: ID! } type Toy implements Node @key(fields: "id") { id: ID! }`,
      b: `type Shop @key(fields: "id") @context(name: "shop") { id: ID! } interface Node { id: ID! offer: Offer }
        type Book implements Node @key(fields: "id") { id: ID! offer: Offer } type Toy implements Node @key(fields: "id") { id: ID! offer: Offer }
        type Offer @key(fields: "id") { id: ID! price(shop: ID @fromContext(field: "$shop { id }")): Int }`,
    });
    expect(ask('{ shop { node { offer { price } } } }')).toEqual([
      '0 a: { shop { node { __typename id } id } }',
      '1 b @ shop.node: [Book] Book(id) | [Toy] Toy(id) { ... on Book { offer { price(shop:$context_0) } }' +
        ' ... on Toy { offer { price(shop:$context_0) } } } with $context_0: ID from 1: id after 0',
    ]);
  });

  it('given the context is a list away, when planning, then the steps to its object are counted', () => {
    expect(plan('{ shop { items { price } } }')).toEqual([
      '0 a: { shop { items { id } currency } }',
      '1 a @ shop.items: Item(id) { price(currency:$context_0) } with $context_0: String from 1: currency after 0',
    ]);
  });

  it.each([
    ['a union', 'union Place @context(name: "place") = Shop | Stall', '... on Shop { currency } ... on Stall { currency }'],
    ['an interface', 'interface Place @context(name: "place") { currency: String }', '{ currency }'],
  ])('given %s opens the context, when its objects are met without it, then the nearest of them counts', (what, place, selection) => {
    const implementing = what === 'an interface' ? 'implements Place' : '';
    const ask = planOver({
      a: `type Query { shop: Shop place: Place } ${place}
        type Shop ${implementing} @key(fields: "id") { id: ID! currency: String stall: Stall }
        type Stall ${implementing} { currency: String item: Item }
        type Item @key(fields: "id") { id: ID! price(currency: String @fromContext(field: "$place ${selection}")): Int }`,
    });
    expect(ask('{ shop { stall { item { price } } } }')).toEqual([
      '0 a: { shop { stall { item { id } currency } } }',
      '1 a @ shop.stall.item: Item(id) { price(currency:$context_0) } with $context_0: String from 2: currency after 0',
    ]);
    expect(ask('{ place { ... on Shop { stall { item { price } } } } }')[1]).toContain('from 2: currency');
  });
});
