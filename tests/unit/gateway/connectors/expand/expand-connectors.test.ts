import { describe, expect, it } from '@jest/globals';
import { parse, print } from 'graphql';
import { validateSDL } from 'graphql/validation/validate.js';
import { expandConnectors } from '../../../../../gateway/connectors/expand/expand-connectors.ts';
import { composeConnected, expandComposed, joined } from '../../../../support/connectors/expand-composed.ts';

const USERS = 'users: [User] @connect(http: { GET: "http://a/users" }, selection: "id name")';

/** Returns the message with which an expansion fails. */
function failureOf(con: string): string {
  try {
    expandComposed({ con });
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('The supergraph was expanded.');
}

describe('expandConnectors, given mistakes', () => {
  it('rejects a root field without a connector and names it', () => {
    const message = failureOf(`type Query { ${USERS} books: [String] } type User { id: ID! name: String }`);
    expect(message).toMatch(/^The field Query\.books of the subgraph "con" has no connector\./);
  });

  it('rejects "entity: true" if no argument has the name of a field', () => {
    const message = failureOf(
      'type Query { user(key: ID!): User @connect(http: { GET: "http://a/{$args.key}" }, selection: "id", entity: true) } type User { id: ID! }',
    );
    expect(message).toMatch(/^The connector of Query\.user has "entity: true", but the field has no argument with the name of a field/);
  });

  it('rejects an input of $this that the type does not have', () => {
    const message = failureOf(
      `type Query { ${USERS} } type User { id: ID! name: String age: Int @connect(http: { GET: "http://a/{$this.nr}" }, selection: "$.age") }`,
    );
    expect(message).toBe('The connector of User.age uses $this.nr, but the subgraph does not define the field User.nr.');
  });

  it('rejects a subgraph with the name of a connector', () => {
    const sdl = print(composeConnected({ con: `type Query { ${USERS} } type User { id: ID! name: String }`, b: 'type Query { b: Int }' }));
    const document = parse(sdl.replace('name: "b"', 'name: "con:Query.users"'));
    expect(() => expandConnectors(document)).toThrow('The subgraph "con:Query.users" has the name of a connector. Rename the subgraph.');
  });
});

describe('expandConnectors', () => {
  it('returns undefined without connectors', () => {
    expect(expandConnectors(composeConnected({ a: 'type Query { a: Int }' }))).toBeUndefined();
  });

  it('writes a valid supergraph without directives of connectors', () => {
    const { document } = expandComposed({ con: `type Query { ${USERS} } type User { id: ID! name: String }` });
    expect(validateSDL(document)).toEqual([]);
    expect(print(document)).not.toMatch(/name: "connect"|name: "link"/);
  });

  it('names several connectors of one field with numbers', () => {
    const { virtual } = expandComposed({
      con: `type Query { a: Int @connect(http: { GET: "http://a" }, selection: "$") @connect(http: { GET: "http://b" }, selection: "$") }`,
    });
    expect([...virtual.keys()]).toEqual(['con:Query.a', 'con:Query.a#2']);
  });

  it('joins a field to the connectors that map it only', () => {
    const expanded = expandComposed({
      con: `type Query { ${USERS} user(id: ID!): User @connect(http: { GET: "http://a/{$args.id}" }, selection: "id age", entity: true) }
        type User { id: ID! name: String age: Int }`,
    });
    expect(joined(expanded, 'User.id')).toEqual(['field con:Query.user', 'field con:Query.users']);
    expect(joined(expanded, 'User.name')).toEqual(['field con:Query.users']);
    expect(joined(expanded, 'User.age')).toEqual(['field con:Query.user']);
    expect(joined(expanded, 'User')).toEqual(['type con:Query.user key="id"', 'type con:Query.users']);
    expect(joined(expanded, 'Query')).toEqual(['type con:Query.user', 'type con:Query.users']);
  });

  it('leaves the fields of other subgraphs to them', () => {
    const expanded = expandComposed({
      con: `type Query { ${USERS} } type User @key(fields: "id") { id: ID! name: String }`,
      b: 'type Query { me: User } type User @key(fields: "id") { id: ID! age: Int }',
    });
    expect(joined(expanded, 'User')).toEqual(['type b key="id"', 'type con:Query.users key="id" resolvable=false']);
    expect(joined(expanded, 'User.id')).toEqual(['field b', 'field con:Query.users']);
    expect(joined(expanded, 'User.age')).toEqual(['field b']);
    expect(joined(expanded, 'Query.me')).toEqual(['field b']);
  });

  it('drops the connector of a field that another subgraph has taken over', () => {
    const { virtual } = expandComposed({
      con: `type Query { ${USERS} a: Int @connect(http: { GET: "http://a" }, selection: "$") } type User { id: ID! name: String }`,
      b: 'type Query { a: Int @override(from: "con") }',
    });
    expect([...virtual.keys()]).toEqual(['con:Query.users']);
  });

  it('retains elements that no connector uses, without a subgraph that resolves them', () => {
    const expanded = expandComposed({
      con: `type Query { ${USERS} } type User { id: ID! name: String age: Rank } enum Rank { LOW } type Idle { id: ID! } input Unused { a: Int }`,
    });
    expect(joined(expanded, 'User.age')).toEqual(['field con:Query.users external=true']);
    expect(joined(expanded, 'Idle')).toEqual(['type con:Query.users']);
    expect(joined(expanded, 'Idle.id')).toEqual(['field con:Query.users external=true']);
    expect(joined(expanded, 'Unused')).toEqual(['type con:Query.users']);
    expect(joined(expanded, 'Rank.LOW')).toEqual(['enumValue con:Query.users']);
  });

  it('gives scalars, enums and input objects to the connectors that use them', () => {
    const expanded = expandComposed({
      con: `type Query {
          a(where: Where): Url @connect(http: { GET: "http://a" }, selection: "$")
          b: Int @connect(http: { GET: "http://a" }, selection: "$")
        }
        scalar Url input Where { rank: Rank and: [Where!] } enum Rank { LOW }`,
    });
    for (const type of ['Url', 'Where', 'Rank']) expect(joined(expanded, type)).toEqual(['type con:Query.a']);
    expect(joined(expanded, 'Rank.LOW')).toEqual(['enumValue con:Query.a']);
  });
});

describe('expandConnectors, given keys', () => {
  const keyOf = (field: string, more = ''): readonly string[] => {
    const expanded = expandComposed({
      con: `type Query { ts: [T] @connect(http: { GET: "http://a" }, selection: "a b { c d }") }
        type T { a: ID! b: B ${field} } type B { c: ID! d: ID! } ${more}`,
    });
    return joined(expanded, 'T').filter((text) => !text.includes('Query'));
  };

  it('uses the fields of $this, with those inside objects', () => {
    expect(keyOf('x: Int @connect(http: { GET: "http://a/{$this.a}/{$this.b.c}" }, selection: "$")')).toEqual([
      'type con:T.x key="a b { c }"',
    ]);
  });

  it('uses all scalars of an object that is used as a whole', () => {
    expect(keyOf('x: Int @connect(http: { POST: "http://a", body: "$this.b" }, selection: "$")')).toEqual(['type con:T.x key="b { c d }"']);
  });

  it('uses the type name only if a field needs nothing of its object', () => {
    expect(keyOf('x: Int @connect(http: { GET: "http://a" }, selection: "$")')).toEqual(['type con:T.x key="__typename"']);
  });

  it('uses the fields of $batch of a connector on a type', () => {
    const { virtual } = expandComposed({
      con: `type Query { ${USERS} } type User @connect(http: { POST: "http://a", body: "ids: $batch.id" }, selection: "id age") {
        id: ID! name: String age: Int
      }`,
    });
    expect([...virtual.values()].map(({ name, entry, keys }) => [name, entry].concat(keys.map(print)))).toEqual([
      ['con:Query.users', 'root'],
      ['con:User', 'entities', '{\n  id\n}'],
    ]);
  });

  it('uses the arguments of a root field with "entity: true", with those inside input objects', () => {
    const expanded = expandComposed({
      con: `type Query {
          t(a: ID!, b: In!, locale: String): T
            @connect(http: { GET: "http://a/{$args.a}/{$args.b.c}?l={$args.locale}" }, selection: "a b { c } x", entity: true)
        }
        type T { a: ID! b: B x: Int } type B { c: ID! } input In { c: ID! d: ID }`,
    });
    expect(joined(expanded, 'T')).toEqual(['type con:Query.t key="a b { c }"']);
    expect(expanded.virtual.get('con:Query.t')).toMatchObject({ entry: 'both' });
  });

  it('does not resolve a field of the key that the connector does not map', () => {
    const expanded = expandComposed({
      con: `type Query { ts: [T] @connect(http: { GET: "http://a" }, selection: "a") }
        type T { a: ID! x: Int @connect(http: { GET: "http://a/{$this.a}" }, selection: "$") }`,
    });
    expect(joined(expanded, 'T.a')).toEqual(['field con:Query.ts', 'field con:T.x external=true']);
  });

  it('takes a key from another subgraph, which the field referenced with @requires', () => {
    const expanded = expandComposed({
      con: `type Query { ${USERS} } type User @key(fields: "id") {
          id: ID! name: String code: String @external
          phone: String @requires(fields: "code") @connect(http: { GET: "http://a/{$this.code}" }, selection: "$.phone")
        }`,
      b: 'type Query { b: Int } type User @key(fields: "id") { id: ID! code: String }',
    });
    expect(joined(expanded, 'User.code')).toEqual(['field b', 'field con:User.phone external=true']);
    expect(joined(expanded, 'User.phone')).toEqual(['field con:User.phone requires="code"']);
  });

  it('retains @requires of a field that a connector on the type resolves, without sending the required field', () => {
    const expanded = expandComposed({
      con: `type Query { c: Int @connect(http: { GET: "http://a" }, selection: "$.c") }
        type User @key(fields: "id")
          @connect(http: { GET: "http://a?ids={$batch.id->joinNotNull(',')}" }, selection: "id phone address { city }") {
          id: ID! owner: Owner @external phone: String @requires(fields: "owner { code }") address: Address
        }
        type Owner { code: String @external }
        type Address { city: String }`,
      b: 'type Query { b: Int } type User @key(fields: "id") { id: ID! owner: Owner } type Owner { code: String }',
    });
    expect(joined(expanded, 'User')).toEqual(['type b key="id"', 'type con:User key="id"']);
    expect(joined(expanded, 'User.phone')).toEqual(['field con:User requires="owner { code }"']);
    expect(joined(expanded, 'User.address')).toEqual(['field con:User']);
    expect(joined(expanded, 'User.owner')).toEqual(['field b', 'field con:User external=true']);
    expect(joined(expanded, 'Owner.code')).toEqual(['field b', 'field con:User external=true']);
  });
});

describe('expandConnectors, given one type at several positions of a selection', () => {
  it('provides fields along the paths that map them', () => {
    const expanded = expandComposed({
      con: `type Query { t: T @connect(http: { GET: "http://a" }, selection: "a { id name } b { a { id } }") }
        type T { a: A b: B } type A { id: ID name: String } type B { a: A }`,
    });
    expect(joined(expanded, 'A.id')).toEqual(['field con:Query.t']);
    expect(joined(expanded, 'A.name')).toEqual(['field con:Query.t external=true']);
    expect(joined(expanded, 'Query.t')).toEqual(['field con:Query.t provides="a { name }"']);
  });

  it('requests fields of nested objects by representations', () => {
    const expanded = expandComposed({
      con: `type Query { user(id: ID!): User @connect(http: { GET: "http://a/{$args.id}" }, selection: "id name boss { id }", entity: true) }
        type User { id: ID! name: String boss: User }`,
    });
    expect(joined(expanded, 'User.id')).toEqual(['field con:Query.user']);
    expect(joined(expanded, 'User.name')).toEqual(['field con:Query.user requires="__name"']);
    expect(joined(expanded, 'Query.user')).toEqual(['field con:Query.user provides="__name __boss"']);
  });

  it('does not resolve the field of a connector inside its own result', () => {
    const expanded = expandComposed({
      con: `type Query { ${USERS} } type User {
          id: ID! name: String friends: [User] @connect(http: { GET: "http://a/{$this.id}" }, selection: "id name")
        }`,
    });
    expect(joined(expanded, 'User.friends')).toEqual(['field con:User.friends requires="__friends" provides="id name"']);
    expect(joined(expanded, 'User.name')).toEqual(['field con:Query.users', 'field con:User.friends external=true']);
  });

  it('does not resolve a field inside its own result if other fields are mapped there', () => {
    const expanded = expandComposed({
      con: `type Query { ${USERS} } type User @connect(http: { GET: "http://a/{$this.id}" }, selection: "id boss { id boss { id name } }") {
        id: ID! name: String boss: User
      }`,
    });
    expect(joined(expanded, 'User.boss')).toEqual(['field con:User requires="__boss"']);
    expect(joined(expanded, 'User.name')).toEqual(['field con:Query.users']);
  });
});

describe('expandConnectors, given abstract types', () => {
  const SHAPES = `interface Shape { id: ID! } union Any = Circle | Square
    type Circle implements Shape { id: ID! r: Int } type Square implements Shape { id: ID! w: Int }`;

  it('joins the fields of all object types of an interface', () => {
    const expanded = expandComposed({
      con: `type Query { shapes: [Shape] @connect(http: { GET: "http://a" }, selection: "__typename id r w") } ${SHAPES}`,
    });
    expect(joined(expanded, 'Shape.id')).toEqual(['field con:Query.shapes']);
    expect(joined(expanded, 'Circle')).toEqual(['implements con:Query.shapes interface="Shape"', 'type con:Query.shapes']);
    expect(joined(expanded, 'Circle.r')).toEqual(['field con:Query.shapes']);
    expect(joined(expanded, 'Square.w')).toEqual(['field con:Query.shapes']);
  });

  it('joins the members of a union to the connectors that return it only', () => {
    const expanded = expandComposed({
      con: `type Query {
          any: [Any] @connect(http: { GET: "http://a" }, selection: "__typename id")
          circle: Circle @connect(http: { GET: "http://a" }, selection: "id")
        } ${SHAPES}`,
    });
    expect(joined(expanded, 'Any')).toEqual([
      'type con:Query.any',
      'unionMember con:Query.any member="Circle"',
      'unionMember con:Query.any member="Square"',
    ]);
    expect(joined(expanded, 'Circle.id')).toEqual(['field con:Query.any', 'field con:Query.circle']);
  });

  it('retains interface objects', () => {
    const expanded = expandComposed({
      con: `type Query { shapes: [Shape] @connect(http: { GET: "http://a" }, selection: "id area") }
        type Shape @key(fields: "id") @interfaceObject {
          id: ID! area: Int color: String @connect(http: { GET: "http://a/{$this.id}" }, selection: "$")
        }`,
      b: `type Query { b: Int } interface Shape @key(fields: "id") { id: ID! } type Circle implements Shape @key(fields: "id") { id: ID! }`,
    });
    expect(joined(expanded, 'Shape')).toEqual([
      'type b key="id"',
      'type con:Query.shapes key="id" resolvable=false isInterfaceObject=true',
      'type con:Shape.color key="id" isInterfaceObject=true',
    ]);
    expect(expanded.virtual.get('con:Query.shapes')?.interfaceObjects).toEqual(new Set(['Shape']));
    expect(joined(expanded, 'Shape.area')).toEqual(['field con:Query.shapes']);
    expect(joined(expanded, 'Circle.area')).toEqual(['field undefined']);
  });
});

describe('expandConnectors, given other directives', () => {
  it('repeats labels of @override for each connector', () => {
    const expanded = expandComposed({
      con: `type Query { ${USERS} user: User @connect(http: { GET: "http://a" }, selection: "id name") }
        type User @key(fields: "id") { id: ID! name: String @override(from: "b", label: "percent(5)") }`,
      b: 'type Query { b: Int } type User @key(fields: "id") { id: ID! name: String }',
    });
    expect(joined(expanded, 'User.name')).toEqual([
      'field b overrideLabel="percent(5)"',
      'field con:Query.user override="b" overrideLabel="percent(5)"',
      'field con:Query.users override="b" overrideLabel="percent(5)"',
    ]);
  });

  it('repeats the type of a field that differs from that of the supergraph', () => {
    const expanded = expandComposed({
      con: 'type Query { a: Int! @shareable @connect(http: { GET: "http://a" }, selection: "$") }',
      b: 'type Query { a: Int @shareable }',
    });
    expect(joined(expanded, 'Query.a')).toEqual(['field b type="Int"', 'field con:Query.a type="Int!"']);
  });

  it('replaces the subgraph in directives that composition carries for single subgraphs', () => {
    const document = composeConnected({
      con: `type Query { ${USERS} user: User @connect(http: { GET: "http://a" }, selection: "id") } type User { id: ID! name: String }`,
    });
    const carrier = '@join__directive(graphs: [CON], name: "listSize", args: {a: 1})';
    const changed = parse(print(document).replace('  name: String\n', `  name: String ${carrier}\n`));
    const expanded = expandConnectors(changed);
    expect(expanded && joined(expanded, 'User.name')).toEqual([
      'directive con:Query.users name="listSize" args={"a":1}',
      'field con:Query.users',
    ]);
  });

  it('retains authorization, costs and hidden elements', () => {
    const { document } = expandComposed({
      con: `type Query { ${USERS} } type User { id: ID! @authenticated name: String @cost(weight: 3) age: Rank @inaccessible } enum Rank { LOW }`,
    });
    expect(print(document)).toMatch(/id: ID! @authenticated[^]*name: String @cost\(weight: 3\)[^]*age: Rank @inaccessible/);
  });
});
