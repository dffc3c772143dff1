import { describe, expect, it } from '@jest/globals';
import { NoPath } from '../../../../gateway/planning/planning-scope.ts';
import { planOver } from '../../../support/planning/plan-text.ts';

describe('shareable value types', () => {
  const plan = planOver({
    a: 'type Query { point: Point @shareable } type Point @shareable { x: Int }',
    b: 'type Query { point: Point @shareable } type Point @shareable { x: Int y: Int z: Deep } type Deep { n: Int }',
    c: 'type Query { point: Point @shareable } type Point @shareable { w: Int }',
  });

  it('are fetched from a single subgraph that has all fields', () => {
    expect(plan('{ point { x y } }')).toEqual(['0 b: { point { x y } }']);
  });

  it('are fetched in parallel if no subgraph has all fields', () => {
    expect(plan('{ point { y w } }')).toEqual(['0 b: { point { y } }', '1 c: { point { w } }']);
    expect(plan('{ point { z { n } w x } }')).toEqual(['0 b: { point { z { n } x } }', '1 c: { point { w } }']);
  });

  it('are completed by a subgraph that requires other fields for them', () => {
    const requiring = planOver({
      a: 'type Query { item: Item } type Item @key(fields: "id") { id: ID! weight: Int size: Size @shareable } type Size @shareable { width: Int }',
      b: `type Item @key(fields: "id") { id: ID! weight: Int @external size: Size @shareable @requires(fields: "weight") }
        type Size @shareable { height: Int }`,
    });
    expect(requiring('{ item { size { width height } } }')).toEqual([
      '0 a: { item { size { width } weight id } }',
      '1 b @ item: Item(id weight(for size)) { size { height } } after 0',
    ]);
  });
});

describe('interfaces', () => {
  const plan = planOver({
    a: `type Query { media: Media medias: [Media!] empty: Empty }
      interface Empty { id: ID! }
      interface Media { id: ID! title: String }
      type Book implements Media @key(fields: "id") { id: ID! title: String pages: Int }
      type Film implements Media @key(fields: "id") { id: ID! title: String }
      type Song implements Media { id: ID! title: String @shareable }`,
    b: `type Book @key(fields: "id") { id: ID! stock: Int }
      type Film @key(fields: "id") { id: ID! stock: Float minutes: Int }`,
  });

  it('are queried directly for fields that are the same for all types', () => {
    expect(plan('{ media { id title } }')).toEqual(['0 a: { media { __typename id title } }']);
    expect(plan('{ media { ... on Book { title } ... on Film { title } ... on Song { title } } }')).toEqual([
      '0 a: { media { __typename title } }',
    ]);
  });

  it('are queried with type conditions for fields of some types', () => {
    expect(plan('{ media { id ... on Book { pages } } }')).toEqual(['0 a: { media { __typename id ... on Book { pages } } }']);
  });

  it('use one list of representations for fields of another subgraph', () => {
    expect(plan('{ medias { ... on Book { stock } ... on Film { minutes } } }')).toEqual([
      '0 a: { medias { __typename ... on Book { id } ... on Film { id } } }',
      '1 b @ medias: [Book] Book(id) | [Film] Film(id) { ... on Book { stock__1: stock } ... on Film { minutes } } after 0',
    ]);
  });

  it('have different data keys for fields of different types with the same name', () => {
    expect(plan('{ medias { ... on Book { stock } ... on Film { other: stock } } }')).toEqual([
      '0 a: { medias { __typename ... on Book { id } ... on Film { id } } }',
      '1 b @ medias: [Book] Book(id) | [Film] Film(id) { ... on Book { stock__1: stock } ... on Film { stock } } after 0',
    ]);
  });

  it('are queried directly if no type implements them', () => {
    expect(plan('{ empty { id } }')).toEqual(['0 a: { empty { __typename id } }']);
  });
});

describe('interface objects', () => {
  const plan = planOver({
    a: `type Query { media: Media book: Book }
      interface Media @key(fields: "id") { id: ID! title: String }
      type Book implements Media @key(fields: "id") { id: ID! title: String pages: Int }
      type Film implements Media @key(fields: "id") { id: ID! title: String }`,
    b: 'type Query { top: Media } type Media @key(fields: "id") @interfaceObject { id: ID! score: Int author: Author } type Author { name: String }',
    c: 'type Media @key(fields: "id") @interfaceObject { id: ID! score: Int @external stars: Int @requires(fields: "score") }',
  });

  it('need no concrete type for their own fields', () => {
    expect(plan('{ top { score } }')).toEqual(['0 b: { top { score } }']);
    expect(plan('{ top { id score author { name } } }')).toEqual(['0 b: { top { id score author { name } } }']);
  });

  it('are entered as the interface if the concrete type is known', () => {
    expect(plan('{ media { title score } }')).toEqual([
      '0 a: { media { __typename title id } }',
      '1 b @ media[Book,Film]: Media(id) { score } after 0',
    ]);
    expect(plan('{ book { pages score } }')).toEqual(['0 a: { book { pages id } }', '1 b @ book: Media(id) { score } after 0']);
  });

  it('fetch the type from a subgraph that knows it if `__typename` is selected', () => {
    expect(plan('{ top { __typename score } }')).toEqual(['0 b: { top { score id } }', '1 a @ top: Media(id) { __typename } after 0']);
  });

  it('fetch the type from a subgraph that knows it if types have different selections', () => {
    expect(plan('{ top { score ... on Book { pages } } }')).toEqual([
      '0 b: { top { score id } }',
      '1 a @ top: Media(id) { __typename ... on Book { pages } } after 0',
    ]);
  });

  it('fetch the type from a subgraph that knows it if only response keys differ', () => {
    expect(plan('{ top { ... on Book { score } ... on Film { points: score } } }')).toEqual([
      '0 b: { top { score id } }',
      '1 a @ top: Media(id) { __typename } after 0',
    ]);
  });

  it('fetch a requirement for all types at once', () => {
    expect(plan('{ top { stars } }')).toEqual(['0 b: { top { score id } }', '1 c @ top: Media(id score(for stars)) { stars } after 0']);
    expect(plan('{ media { stars } }')).toEqual([
      '0 a: { media { __typename id } }',
      '1 b @ media[Book,Film]: Media(id) { score } after 0',
      '2 c @ media[Book,Film]: Media(id score(for stars)) { stars } after 0,1',
    ]);
  });

  it('cause an error if no subgraph can return the type', () => {
    const untold = planOver(
      {
        a: 'type Query { top: Media } type Media @key(fields: "id") @interfaceObject { id: ID! score: Int }',
        b: `interface Media @key(fields: "code") { id: ID! code: ID! } type Book implements Media @key(fields: "code") { id: ID! @shareable code: ID! }`,
      },
      { isChecked: false },
    );
    expect(() => untold('{ top { __typename } }')).toThrow(new NoPath('determine the object types of Media values'));
  });
});

describe('representations with different fields for each type', () => {
  it.each([
    ['the same of all types', '... on Book { id } ... on Film { id }'],
    ['what one of them has in common with all', 'id ... on Book { id }'],
  ])('include the types if a field requires %s', (_what, required) => {
    const plan = planOver({
      a: `type Query { top: Shelf } type Shelf @key(fields: "id") { id: ID! media: Media! }
        type Media @key(fields: "id") @interfaceObject { id: ID! }`,
      b: `type Shelf @key(fields: "id") { id: ID! media: Media! @external label: String @requires(fields: "media { ${required} }") }
        interface Media @key(fields: "id") { id: ID! } type Book implements Media @key(fields: "id") { id: ID! } type Film implements Media @key(fields: "id") { id: ID! }`,
    });
    const [, types, label] = plan('{ top { label } }');
    expect(types).toContain('@ top.media: Media(id) { __typename');
    expect(label).toContain('media{__typename');
  });
});

describe('types that are planned together', () => {
  it('select `__typename` if a subgraph that resolves a field does not know all types', () => {
    const declare = (type: string, directive = ''): string =>
      `type ${type} implements Node @key(fields: "id") { id: ID! related: Node ${directive} }`;
    const node = 'interface Node { id: ID! related: Node }';
    const plan = planOver({
      list: `type Query { node: Node } ${node} ${declare('Book', '@external')} ${declare('Toy', '@external')} ${declare('Pen', '@shareable')}`,
      a: `${node} ${declare('Book', '@shareable')} ${declare('Toy')} ${declare('Pen', '@shareable')}`,
      b: `${node} ${declare('Book', '@shareable')} ${declare('Toy', '@external')}`,
    });
    expect(plan('{ node { related { id } } }')).toEqual([
      '0 list: { node { __typename ... on Book { id } ... on Pen { related { __typename id } } ... on Toy { id } } }',
      '1 a @ node: [Book] Book(id) | [Toy] Toy(id) { ... on Book { __typename related { __typename id } }' +
        ' ... on Toy { __typename related { __typename id } } } after 0',
    ]);
  });
});

describe('unions with different members', () => {
  const plan = planOver({
    a: 'type Query { thing: Thing @shareable } union Thing = Book | Film type Book @key(fields: "id") { id: ID! pages: Int } type Film @key(fields: "id") { id: ID! }',
    b: 'type Query { thing: Thing @shareable } union Thing = Book | Song type Book @key(fields: "id") { id: ID! stock: Int } type Song { length: Int }',
  });

  it('are not queried for a member that some of their subgraphs do not know', () => {
    expect(plan('{ thing { ... on Song { length } ... on Film { id } } }')).toEqual(['0 a: { thing { __typename } }']);
  });

  it('are queried for a member that only an unused subgraph does not know', () => {
    const types = 'type Film { id: ID! @shareable } type Song { length: Int @shareable }';
    const partial = planOver({
      a: `type Query { wrap: Wrap } type Wrap { thing: Thing @shareable } union Thing = Film | Song ${types}`,
      b: `type Query { other: Wrap } type Wrap { thing: Thing @shareable } union Thing = Film type Film { id: ID! @shareable }`,
    });
    expect(partial('{ wrap { thing { ... on Song { length } } } }')).toEqual([
      '0 a: { wrap { thing { __typename ... on Song { length } } } }',
    ]);
  });

  it('fetch missing fields of a common member by its key', () => {
    expect(plan('{ thing { __typename ... on Book { pages stock } } }')).toEqual([
      '0 a: { thing { __typename ... on Book { pages id } } }',
      '1 b @ thing[Book]: Book(id) { stock } after 0',
    ]);
  });
});
