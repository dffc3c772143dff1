import { describe, expect, it } from '@jest/globals';
import { planOver } from '../../../support/planning/plan-text.ts';

describe('entering a subgraph by key', () => {
  it('sends the key that is known', () => {
    const plan = planOver({
      a: 'type Query { item: Item } type Item @key(fields: "code") { code: ID! }',
      b: 'type Item @key(fields: "id") @key(fields: "code") { id: ID! code: ID! name: String }',
    });
    expect(plan('{ item { name } }')).toEqual(['0 a: { item { code } }', '1 b @ item: Item(code) { name } after 0']);
  });

  it('fetches a missing key from a third subgraph', () => {
    const plan = planOver({
      a: 'type Query { item: Item } type Item @key(fields: "id") { id: ID! }',
      b: 'type Item @key(fields: "id") @key(fields: "code") { id: ID! code: ID! }',
      c: 'type Item @key(fields: "code") { code: ID! name: String }',
    });
    expect(plan('{ item { name } }')).toEqual([
      '0 a: { item { id } }',
      '1 b @ item: Item(id) { code } after 0',
      '2 c @ item: Item(code) { name } after 1',
    ]);
  });

  it('sends interface objects and entities of one subgraph each as its own type', () => {
    const plan = planOver({
      a: `type Query { found: Found } union Found = Film | User interface Media @key(fields: "id") { id: ID! }
        type Film implements Media @key(fields: "id") { id: ID! } type User @key(fields: "id") { id: ID! }`,
      b: `type Media @key(fields: "id") @interfaceObject { id: ID! score: Int } type User @key(fields: "id") { id: ID! name: String }`,
    });
    expect(plan('{ found { ... on Film { score } ... on User { name } } }')).toEqual([
      '0 a: { found { __typename ... on Film { id } ... on User { id } } }',
      '1 b @ found: [Film] Media(id) | [User] User(id) { ... on Media { score } ... on User { name } } after 0',
    ]);
  });

  it('sends a key with several fields and objects completely', () => {
    const plan = planOver({
      a: `type Query { item: Item }
        type Item @key(fields: "id owner { org { code } }") { id: ID! owner: Owner! }
        type Owner { org: Org! } type Org @shareable { code: ID! }`,
      b: `type Item @key(fields: "id owner { org { code } }") { id: ID! owner: Owner! @external name: String }
        type Owner { org: Org! @external } type Org @shareable { code: ID! }`,
    });
    expect(plan('{ item { name } }')).toEqual([
      '0 a: { item { id owner { org { code } } } }',
      '1 b @ item: Item(id owner{org{code}}) { name } after 0',
    ]);
  });

  it('fetches from another subgraph if a key is not resolvable', () => {
    const plan = planOver({
      a: 'type Query { item: Item } type Item @key(fields: "id") { id: ID! }',
      b: 'type Item @key(fields: "id", resolvable: false) { id: ID! name: String @shareable }',
      c: 'type Item @key(fields: "id") { id: ID! name: String @shareable }',
    });
    expect(plan('{ item { name } }')).toEqual(['0 a: { item { id } }', '1 c @ item: Item(id) { name } after 0']);
  });

  it('fetches the key separately if an alias of the client has its name', () => {
    const plan = planOver({
      a: 'type Query { item: Item } type Item @key(fields: "id") { id: ID! code: ID! }',
      b: 'type Item @key(fields: "id") { id: ID! name: String }',
    });
    expect(plan('{ item { id: code name } }')).toEqual(['0 a: { item { code id } }', '1 b @ item: Item(id) { name } after 0']);
  });

  it('does not make a fetch by key depend on itself', () => {
    const plan = planOver({
      a: 'type Query { item: Item } type Item @key(fields: "id") { id: ID! }',
      b: 'type Item @key(fields: "id") @key(fields: "code") { id: ID! code: ID! name: String }',
      c: 'type Item @key(fields: "code") { code: ID! size: Int }',
    });
    expect(plan('{ item { name size } }')).toEqual([
      '0 a: { item { id } }',
      '1 b @ item: Item(id) { name code } after 0',
      '2 c @ item: Item(code) { size } after 1',
    ]);
  });
});

describe('entering a subgraph with requirements', () => {
  const SHIPPING = {
    products:
      'type Query { product: Product } type Product @key(fields: "upc") { upc: ID! name: String weight: Int size(unit: String): Int box: Box } type Box { width: Int height: Int }',
    shipping: `type Product @key(fields: "upc") {
        upc: ID! weight: Int @external size(unit: String): Int @external box: Box @external
        cost: Int @requires(fields: "weight")
        rate(speed: Int): Int @requires(fields: "weight")
        small: Boolean @requires(fields: "size(unit: \\"cm\\")")
        large: Boolean @requires(fields: "size(unit: \\"m\\")")
        fits: Boolean @requires(fields: "box { width }")
        isFree: Boolean
      }
      type Box { width: Int @external }`,
    taxes: 'type Product @key(fields: "upc") { upc: ID! cost: Int @external tax: Int @requires(fields: "cost") }',
  };
  const plan = planOver(SHIPPING);

  it('sends a requirement with the key, only for the field that needs it', () => {
    expect(plan('{ product { cost } }')).toEqual([
      '0 products: { product { weight upc } }',
      '1 shipping @ product: Product(upc weight(for cost)) { cost } after 0',
    ]);
  });

  it('fetches plain fields and fields with requirements in one request', () => {
    expect(plan('{ product { isFree cost name } }')).toEqual([
      '0 products: { product { name weight upc } }',
      '1 shipping @ product: Product(upc weight(for cost)) { cost isFree } after 0',
    ]);
  });

  it('sends only the required field of an object', () => {
    expect(plan('{ product { fits box { height } } }')).toEqual([
      '0 products: { product { box { width height } upc } }',
      '1 shipping @ product: Product(upc box{width}(for fits)) { fits } after 0',
    ]);
  });

  it('combines fields with the same requirement', () => {
    expect(plan('{ product { cost rate(speed: 2) } }')).toEqual([
      '0 products: { product { weight upc } }',
      '1 shipping @ product: Product(upc weight(for cost,rate_0)) { cost rate_0: rate(speed:2) } after 0',
    ]);
  });

  it('sends separate representations for requirements with different arguments', () => {
    expect(plan('{ product { small large } }')).toEqual([
      '0 products: { product { size_0: size(unit:"cm") upc size_1: size(unit:"m") } }',
      '1 shipping @ product: Product(upc size=size_0(for small)) { small } + @ product: Product(upc size=size_1(for large)) { large } after 0',
    ]);
  });

  it('fetches a required field and the same field with other arguments', () => {
    expect(plan('{ product { size(unit: "in") small } }')).toEqual([
      '0 products: { product { size_0: size(unit:"in") size_1: size(unit:"cm") upc } }',
      '1 shipping @ product: Product(upc size=size_1(for small)) { small } after 0',
    ]);
  });

  it('fetches requirements of requirements in sequence', () => {
    expect(plan('{ product { tax } }')).toEqual([
      '0 products: { product { weight upc } }',
      '1 shipping @ product: Product(upc weight(for cost)) { cost } after 0',
      '2 taxes @ product: Product(upc cost(for tax)) { tax } after 0,1',
    ]);
  });

  it('enters the same subgraph again for a field with a requirement of another one', () => {
    const there = planOver({
      a: 'type Query { user: User } type User @key(fields: "id") { id: ID! age: Int @external isAdult: Boolean @requires(fields: "age") name: String }',
      b: 'type User @key(fields: "id") { id: ID! age: Int }',
    });
    expect(there('{ user { name isAdult } }')).toEqual([
      '0 a: { user { name id } }',
      '1 b @ user: User(id) { age } after 0',
      '2 a @ user: User(id age(for isAdult)) { isAdult } after 0,1',
    ]);
  });

  it('sends the requirement of each type for an abstract value', () => {
    const abstract = planOver({
      a: `type Query { user: User } type User @key(fields: "id") { id: ID! pet: Pet }
        interface Pet { name: String } type Cat implements Pet { name: String lives: Int } type Dog implements Pet { name: String tricks: Int }`,
      b: `type User @key(fields: "id") { id: ID! pet: Pet @external play: Int @requires(fields: "pet { name ... on Dog { tricks } }") }
        interface Pet { name: String } type Cat implements Pet { name: String @external }
        type Dog implements Pet { name: String @external tricks: Int @external }`,
    });
    expect(abstract('{ user { play } }')).toEqual([
      '0 a: { user { pet { __typename ... on Cat { name } ... on Dog { name tricks } } id } }',
      '1 b @ user: User(id pet{__typename name tricks[Dog]}(for play)) { play } after 0',
    ]);
  });
});
