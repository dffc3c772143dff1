import { composeSubgraphs } from '../../gateway/supergraph/compose-subgraphs.ts';
import { type PlannerShape, interfaceChain, keyedEntities, nested, unionChain } from '../planner/shapes.ts';

const LINK = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9",
  import: ["@key" "@shareable" "@authenticated" "@requiresScopes"])
`;

/** Composes subgraphs. @throws Error when the composition fails */
function compose(subgraphs: Readonly<Record<string, string>>): string {
  const { supergraphSdl, errors } = composeSubgraphs(
    Object.entries(subgraphs).map(([name, sdl]) => ({
      name,
      url: `http://${name}.test`,
      files: [{ path: `${name}.graphql`, text: LINK + sdl }],
    })),
  );
  if (errors !== undefined) throw new Error(errors.map(({ message }) => message).join('\n'));
  return supergraphSdl;
}

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_item, index) => index);
}

const EXCEPTION = '... on T0 { next { own: shared } } next { ';

/** An interface whose implementations return different types for a field, so that data keys differ by type. */
function covariantChain(types: number, depths: readonly number[]): PlannerShape {
  const objects = range(types).map((index) => `type T${index} implements Item { id: ID! next: T${(index + 1) % types} shared: String }`);
  const sdl = `type Query { item: Item any: Any } interface Item { id: ID! next: Item shared: String } union Any = ${range(types)
    .map((index) => `T${index}`)
    .join(' | ')} ${objects.join(' ')}`;
  const operations = depths.flatMap((depth) => [
    { name: `chain, depth ${depth}`, document: `{ item { ${nested(depth, 'next { ', 'shared ')} } }` },
    { name: `exceptions, depth ${depth}`, document: `{ item { ${nested(depth, EXCEPTION, 'shared ')} } }` },
  ]);
  return { name: `covariant interface, ${types} types`, supergraphSdl: compose({ a: sdl }), operations };
}

/** Fragments on overlapping interfaces and on types, with some guarded fields and types. */
function guardedChain(types: number, depths: readonly number[]): PlannerShape {
  const groups = range(6);
  const objects = range(types).map((index) => {
    const others = groups.filter((group) => (index * 7 + group * 3) % 4 < 2).map((group) => ` & G${group}`);
    const guard = index % 3 === 0 ? '@authenticated' : '@requiresScopes(scopes: [["s0"]])';
    return `type T${index} implements Item${others.join('')} { id: ID! next: Item shared: String ${guard} own${index}: String }`;
  });
  const interfaces = ['Item', ...groups.map((group) => `G${group}`)].map(
    (name) => `interface ${name} { id: ID! next: Item shared: String }`,
  );
  const sdl = `type Query { item: Item } ${interfaces.join(' ')} ${objects.join(' ')}`;
  const operations = depths.flatMap((depth) => {
    const narrowing = groups.map((group) => {
      const inner = group + 1 === groups.length ? 'id shared' : `...N${group + 1} ... on G${group + 1} { ...N${group + 1} }`;
      return `fragment N${group} on Item { ${inner} }`;
    });
    const own = range(Math.min(types, 8)).map((index) => `... on T${index} { own${index} shared }`);
    return [
      { name: `exceptions, depth ${depth}`, document: `{ item { ${nested(depth, EXCEPTION, 'shared ')} } }` },
      { name: `fragments on 8 types, depth ${depth}`, document: `{ item { ${nested(depth, `${own.join(' ')} next { `, 'shared ')} } }` },
      {
        name: `narrowing fragments, depth ${depth}`,
        document: `{ item { ${nested(depth, 'next { ', '...N0 ... on G0 { ...N0 } ')} } } ${narrowing.join(' ')}`,
      },
    ];
  });
  return { name: `guarded interface, ${types} types`, supergraphSdl: compose({ a: sdl }), operations };
}

/** Chains of an interface with deferred fields from another subgraph. */
function deferredChain(types: number, depths: readonly number[]): PlannerShape {
  const first = range(types).map((index) => `type T${index} implements Item @key(fields: "id") { id: ID! next: Item shared: String }`);
  const second = range(types).map((index) => `type T${index} implements Item @key(fields: "id") { id: ID! late: String }`);
  const supergraphSdl = compose({
    a: `type Query { item: Item } interface Item { id: ID! next: Item shared: String } ${first.join(' ')}`,
    b: `interface Item { id: ID! late: String } ${second.join(' ')}`,
  });
  const operations = depths.flatMap((depth) => [
    {
      name: `two @defer inside, depth ${depth}`,
      document: `{ item { ${nested(depth, EXCEPTION, '... @defer(label: "a") { late } ... @defer(label: "b") { l: late } ')} } }`,
    },
    {
      name: `two @defer outside, depth ${depth}`,
      document: `{ item { ... @defer(label: "a") { late ${nested(depth, EXCEPTION, 'late ')} } ... @defer(label: "b") { l: late } } }`,
    },
  ]);
  return { name: `deferred interface, ${types} types`, supergraphSdl, operations };
}

/** Shapes with small operations whose compiled form could be large. */
export function compileShapes(): readonly PlannerShape[] {
  const depths = [1, 4, 11, 20];
  return [
    ...[2, 10, 60, 100].map((types) => interfaceChain(types, depths)),
    ...[10, 100].map((types) => unionChain(types, depths)),
    ...[10, 100].map((types) => covariantChain(types, depths)),
    ...[10, 100].map((types) => guardedChain(types, depths)),
    ...[10, 100].map((types) => deferredChain(types, depths)),
    keyedEntities(100, 30, [1, 4, 10]),
  ];
}
