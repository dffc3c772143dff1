import { describe, expect, it } from '@jest/globals';
import { planConnected } from '../../../../support/connectors/expand-composed.ts';

const USERS = 'users: [User] @connect(http: { GET: "http://a/users" }, selection: "id name")';
const USER = 'user(id: ID!): User @connect(http: { GET: "http://a/users/{$args.id}" }, selection: "id name age", entity: true)';

describe('plans over connectors', () => {
  it('fail for a field that no connector maps', () => {
    const plan = planConnected({ con: `type Query { ${USERS} } type User { id: ID! name: String age: Int }` });
    expect(() => plan('{ users { age } }')).toThrow('fetch User.age');
  });

  it('fetch a field from another connector by the key of the entity', () => {
    const plan = planConnected({ con: `type Query { ${USERS} ${USER} } type User { id: ID! name: String age: Int }` });
    expect(plan('{ users { name age } }')).toEqual([
      '0 con:Query.users: { users { name id } }',
      '1 con:Query.user @ users: User(id) { age } after 0',
    ]);
    expect(plan('{ user(id: 1) { name age } }')).toEqual(['0 con:Query.user: { user_0: user(id:1) { name age } }']);
  });

  it('send the inputs of $this as representations', () => {
    const plan = planConnected({
      con: `type Query { ts: [T] @connect(http: { GET: "http://a" }, selection: "a b { c }") }
        type T { a: ID! b: B x: Int @connect(http: { GET: "http://a/{$this.a}/{$this.b.c}" }, selection: "$") } type B { c: ID! }`,
    });
    expect(plan('{ ts { x } }')).toEqual(['0 con:Query.ts: { ts { a b { c } } }', '1 con:T.x @ ts: T(a b{c}) { x } after 0']);
  });

  it('send type names only if a connector needs nothing of the object', () => {
    const plan = planConnected({
      con: `type Query { ${USERS} } type User { id: ID! name: String motto: String @connect(http: { GET: "http://a" }, selection: "$.m") }`,
    });
    expect(plan('{ users { motto } }')).toEqual([
      '0 con:Query.users: { users { __typename } }',
      '1 con:User.motto @ users: User() { motto } after 0',
    ]);
  });

  it('chain connectors whose inputs are results of others', () => {
    const plan = planConnected({
      con: `type Query { a: A @connect(http: { GET: "http://a" }, selection: "id") }
        type A { id: ID! b: ID @connect(http: { GET: "http://a/{$this.id}" }, selection: "$.b") c: C @connect(http: { GET: "http://b/{$this.b}" }, selection: "d") }
        type C { d: Int }`,
    });
    expect(plan('{ a { c { d } } }')).toEqual([
      '0 con:Query.a: { a { id } }',
      '1 con:A.b @ a: A(id) { b } after 0',
      '2 con:A.c @ a: A(b) { c { d } } after 1',
    ]);
  });

  it('take inputs from other subgraphs, and return to them', () => {
    const plan = planConnected({
      con: `type Query { ${USERS} } type User @key(fields: "id") {
          id: ID! name: String code: String @external
          phone: String @requires(fields: "code") @connect(http: { GET: "http://a/{$this.code}" }, selection: "$.phone")
        }`,
      b: 'type Query { me: User } type User @key(fields: "id") { id: ID! code: String age: Int }',
    });
    expect(plan('{ users { phone age } }')).toEqual([
      '0 con:Query.users: { users { id } }',
      '1 b @ users: User(id) { age code } after 0',
      '2 con:User.phone @ users: User(code) { phone } after 1',
    ]);
  });

  it('request a connector again for objects inside its own result', () => {
    const plan = planConnected({
      con: `type Query { ${USERS} } type User {
        id: ID! name: String friends: [User] @connect(http: { GET: "http://a/{$this.id}" }, selection: "id name")
      }`,
    });
    expect(plan('{ users { friends { name friends { name } } } }')).toEqual([
      '0 con:Query.users: { users { id } }',
      '1 con:User.friends @ users: User(id) { friends { name id } } after 0',
      '2 con:User.friends @ users.friends: User(id) { friends { name } } after 1',
    ]);
  });

  it('request fields that a selection maps at another position only', () => {
    const plan = planConnected({
      con: `type Query {
          team(id: ID!): Team @connect(http: { GET: "http://a/{$args.id}" }, selection: "id lead { id name } members { id }", entity: true)
          ${USER}
        }
        type Team { id: ID! lead: User members: [User] } type User { id: ID! name: String age: Int }`,
    });
    expect(plan('{ team(id: 1) { lead { name } members { name } } }')).toEqual([
      '0 con:Query.team: { team_0: team(id:1) { lead { name } members { id } } }',
      '1 con:Query.user @ team_0.members: User(id) { name } after 0',
    ]);
  });

  it('request a key that a selection maps at another position only from a connector with another key', () => {
    const plan = planConnected({
      con: `type Query {
          item(id: ID!): Item @connect(http: { GET: "http://a/{$args.id}" }, selection: "id code size next { code }", entity: true)
          product(code: ID!): Item @connect(http: { GET: "http://a/by/{$args.code}" }, selection: "id code size next { code }", entity: true)
        }
        type Item { id: ID! code: ID! size: Int next: Item }`,
    });
    expect(plan('{ item(id: 1) { id next { code } } }')).toEqual(['0 con:Query.item: { item_0: item(id:1) { id next { code } } }']);
    expect(plan('{ item(id: 1) { next { id size } } }')).toEqual([
      '0 con:Query.item: { item_0: item(id:1) { next { code } } }',
      '1 con:Query.product @ item_0.next: Item(code) { size id } after 0',
    ]);
  });

  it('complete values of another subgraph with fields that a selection maps at another position only', () => {
    const plan = planConnected({
      con: `type Query {
          item(id: ID!): Item @connect(http: { GET: "http://a/{$args.id}" }, selection: "id next { id } size { width }", entity: true)
        }
        type Item @key(fields: "id") { id: ID! next: Item size: Size @shareable } type Size @shareable { width: Int }`,
      b: `type Query { first: Item } type Item @key(fields: "id") { id: ID! size: Size @shareable } type Size @shareable { height: Int }`,
    });
    expect(plan('{ first { size { width height } } }')).toEqual([
      '0 b: { first { size { height } id } }',
      '1 con:Query.item @ first: Item(id) { size { width } } after 0',
    ]);
  });

  it('choose one of several connectors of a field', () => {
    const plan = planConnected({
      con: `type Query {
          user: User @connect(http: { GET: "http://a" }, selection: "id name") @connect(http: { GET: "http://b" }, selection: "id name age")
        }
        type User { id: ID! name: String age: Int }`,
    });
    expect(plan('{ user { name } }')).toEqual(['0 con:Query.user: { user { name } }']);
    expect(plan('{ user { name age } }')).toEqual(['0 con:Query.user#2: { user { name age } }']);
  });

  it('send mutations one after another', () => {
    const plan = planConnected({
      con: `type Query { ${USERS} ${USER} }
        type Mutation {
          add(name: String): User @connect(http: { POST: "http://a/users", body: "name: $args.name" }, selection: "id")
          drop(id: ID!): ID @connect(http: { DELETE: "http://a/users/{$args.id}" }, selection: "$.id")
        }
        type User { id: ID! name: String age: Int }`,
    });
    expect(plan('mutation { add(name: "A") { age } drop(id: 1) again: add(name: "B") { id } }')).toEqual([
      '0 mutation con:Mutation.add: { add(name:"A") { id } }',
      '1 con:Query.user @ add: User(id) { age } after 0',
      '2 mutation con:Mutation.drop: { drop(id:1) } after 0,1',
      '3 mutation con:Mutation.add: { again: add(name:"B") { id } } after 0,1,2',
    ]);
  });

  it('send a request for deferred fields', () => {
    const plan = planConnected({ con: `type Query { ${USERS} ${USER} } type User { id: ID! name: String age: Int }` });
    expect(plan('{ users { name ... @defer { age } } }', { isDeferring: true })).toEqual([
      '0 con:Query.users: { users { name id } }',
      '1 con:Query.user @ users: User(id) { age } after 0 for @defer 1',
    ]);
  });

  it('fetch fields of interface objects for all object types', () => {
    const plan = planConnected({
      con: `type Query { shapes: [Shape] @connect(http: { GET: "http://a" }, selection: "id") }
        type Shape @key(fields: "id") @interfaceObject { id: ID! color: String @connect(http: { GET: "http://a/{$this.id}" }, selection: "$") }`,
      b: `type Query { all: [Shape] } interface Shape @key(fields: "id") { id: ID! } type Circle implements Shape @key(fields: "id") { id: ID! r: Int }`,
    });
    expect(plan('{ all { color ... on Circle { r } } }')).toEqual([
      '0 b: { all { __typename ... on Circle { r id } } }',
      '1 con:Shape.color @ all[Circle]: Shape(id) { color } after 0',
    ]);
  });

  it('fetch the object types of values that another subgraph returns as interface objects', () => {
    const plan = planConnected({
      con: `type Query { shape(id: ID!): Shape @connect(http: { GET: "http://a/{$args.id}" }, selection: "__typename id r", entity: true) }
        interface Shape @key(fields: "id") { id: ID! } type Circle implements Shape @key(fields: "id") { id: ID! r: Int }`,
      b: 'type Query { all: [Shape] } type Shape @key(fields: "id") @interfaceObject { id: ID! color: String }',
    });
    expect(plan('{ all { color ... on Circle { r } } }')).toEqual([
      '0 b: { all { color id } }',
      '1 con:Query.shape @ all: Shape(id) { __typename ... on Circle { r } } after 0',
    ]);
  });

  it('fetch a field separately for the types whose case of ->match does not map it', () => {
    const plan = planConnected({
      con: `type Query { box: Box @connect(
          http: { GET: "http://a" }
          selection: "shape: kind->match(['c', { __typename: 'Circle', id: $.id, size: $.size, in: $.in { a } }], ['s', { __typename: 'Square', id: $.id, in: $.in { b } }])"
        ) }
        type Box { shape: Shape }
        interface Shape { id: ID! size: Int in: In }
        type Circle implements Shape { id: ID! size: Int in: In }
        type Square implements Shape @connect(http: { GET: "http://s/{$this.id}" }, selection: "id size in { a b }") { id: ID! size: Int in: In }
        type In { a: Int b: Int }`,
    });
    expect(plan('{ box { shape { size } } }')).toEqual([
      '0 con:Query.box: { box { shape { __typename ... on Circle { size } ... on Square { id } } } }',
      '1 con:Square @ box.shape[Square]: Square(id) { size } after 0',
    ]);
    expect(plan('{ box { shape { ... on Square { in { a b } } } } }')).toEqual([
      '0 con:Query.box: { box { shape { __typename ... on Square { id } } } }',
      '1 con:Square @ box.shape[Square]: Square(id) { in { a b } } after 0',
    ]);
  });

  it('send inputs that are several objects deep', () => {
    const plan = planConnected({
      con: `type Query { ts: [T] @connect(http: { GET: "http://a" }, selection: "b { c { d } }") }
        type T { b: B x: Int @connect(http: { GET: "http://a/{$this.b.c.d}" }, selection: "$") } type B { c: C } type C { d: ID! }`,
    });
    expect(plan('{ ts { x } }')).toEqual(['0 con:Query.ts: { ts { b { c { d } } } }', '1 con:T.x @ ts: T(b{c{d}}) { x } after 0']);
  });

  it('fetch the object types of an interface by representations', () => {
    const plan = planConnected({
      con: `type Query { shapes: [Shape] @connect(http: { GET: "http://a" }, selection: "__typename id") }
        interface Shape { id: ID! }
        type Circle implements Shape @connect(http: { GET: "http://c/{$this.id}" }, selection: "id r") { id: ID! r: Int }
        type Square implements Shape @connect(http: { GET: "http://s/{$this.id}" }, selection: "id w") { id: ID! w: Int }`,
    });
    expect(plan('{ shapes { ... on Circle { r } ... on Square { w } } }')).toEqual([
      '0 con:Query.shapes: { shapes { __typename id } }',
      '1 con:Circle @ shapes[Circle]: Circle(id) { r } after 0',
      '2 con:Square @ shapes[Square]: Square(id) { w } after 0',
    ]);
  });

  it('follow labels of @override', () => {
    const plan = planConnected({
      con: `type Query { ${USERS} ${USER} } type User @key(fields: "id") { id: ID! name: String age: Int @override(from: "b", label: "percent(5)") }`,
      b: 'type Query { me: User } type User @key(fields: "id") { id: ID! age: Int }',
    });
    expect(plan('{ me { age } }')).toEqual(['0 b: { me { age } }']);
    expect(plan('{ me { age } }', { labels: ['percent(5)'] })).toEqual([
      '0 b: { me { id } }',
      '1 con:Query.user @ me: User(id) { age } after 0',
    ]);
  });
});
