import { composeServices } from '@apollo/composition';
import { parse } from 'graphql';

/** A supergraph and the operations that the benchmark plans for it. */
export interface PlannerShape {
  readonly name: string;
  readonly supergraphSdl: string;
  readonly operations: readonly PlannerOperation[];
}

export interface PlannerOperation {
  readonly name: string;
  readonly document: string;
}

const LINK = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.8", import: ["@key" "@shareable" "@external" "@requires" "@provides"])
`;

/** Composes subgraphs. @throws Error when the composition fails */
function composeShape(subgraphs: Readonly<Record<string, string>>): string {
  const services = Object.entries(subgraphs).map(([name, sdl]) => ({ name, url: `http://${name}.test`, typeDefs: parse(LINK + sdl) }));
  const { supergraphSdl, errors } = composeServices(services, { runSatisfiability: false });
  if (supergraphSdl === undefined) throw new Error(`The subgraphs do not compose: ${String(errors)}`);
  return supergraphSdl;
}

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_item, index) => index);
}

/** Repeats `open` `depth` times around `inner`. */
export function nested(depth: number, open: string, inner: string): string {
  return open.repeat(depth) + inner + '}'.repeat(depth);
}

/** A chain of interface fields in one subgraph. */
export function interfaceChain(types: number, depths: readonly number[]): PlannerShape {
  const objects = range(types).map(
    (index) => `type T${index} implements Item { id: ID! next: Item shared: String own${index}: String label${index}: Int }`,
  );
  const sdl = `type Query { item: Item } interface Item { id: ID! next: Item shared: String } ${objects.join(' ')}`;
  const fragments = range(Math.min(types, 8)).map((index) => `... on T${index} { own${index} }`);
  const operations = depths.flatMap((depth) => [
    { name: `chain, depth ${depth}`, document: `{ item {${nested(depth, 'next { ', 'shared ')}} }` },
    { name: `fragments on 8 types, depth ${depth}`, document: `{ item {${nested(depth, `${fragments.join(' ')} next { `, 'shared ')}} }` },
    {
      name: `exceptions, depth ${depth}`,
      document: `{ item {${nested(depth, '... on T0 { next { own: shared } } ... on T1 { next { id } } next { ', 'shared ')}} }`,
    },
  ]);
  return { name: `interface of ${types} types, 1 subgraph`, supergraphSdl: composeShape({ a: sdl }), operations };
}

/** A chain of union fields in one subgraph, with named fragments that reduce the length of the document. */
export function unionChain(types: number, depths: readonly number[]): PlannerShape {
  const names = range(types).map((index) => `U${index}`);
  const objects = names.map((name) => `type ${name} { id: ID! next: Any }`);
  const sdl = `type Query { any: Any } union Any = ${names.join(' | ')} ${objects.join(' ')}`;
  const operations = depths.map((depth) => {
    const fragments = range(depth).map((level) => {
      const inner = level + 1 === depth ? 'id' : `next { ...F${level + 1} }`;
      return `fragment F${level} on Any { ${names
        .slice(0, 10)
        .map((name) => `... on ${name} { id ${inner} }`)
        .join(' ')} }`;
    });
    return { name: `fragments on 10 types, depth ${depth}`, document: `{ any { ...F0 } } ${fragments.join(' ')}` };
  });
  return { name: `union of ${types} types, 1 subgraph`, supergraphSdl: composeShape({ a: sdl }), operations };
}

/** Entities of an interface. Each type is resolved by one of several subgraphs and listed by all of them. */
export function spreadEntities(types: number, subgraphs: number, depths: readonly number[]): PlannerShape {
  const sdls = range(subgraphs).map((subgraph) => {
    const objects = range(types).map((index) => {
      const own = index % subgraphs === subgraph ? `related: Node name${index}: String` : '';
      return `type N${index} implements Node @key(fields: "id") { id: ID! @shareable ${own} }`;
    });
    return [`s${subgraph}`, `type Query { node${subgraph}: Node } interface Node { id: ID! } ${objects.join(' ')}`] as const;
  });
  const fragments = range(Math.min(types, 12)).map((index) => `... on N${index} { related { ...F`);
  const operations = depths.map((depth) => {
    const definitions = range(depth).map((level) => {
      const inner = level + 1 === depth ? 'id' : fragments.map((fragment) => `${fragment}${level + 1} } }`).join(' ');
      return `fragment F${level} on Node { ${inner} }`;
    });
    return { name: `related on 12 types, depth ${depth}`, document: `{ node0 { ...F0 } } ${definitions.join(' ')}` };
  });
  return { name: `${types} entities over ${subgraphs} subgraphs`, supergraphSdl: composeShape(Object.fromEntries(sdls)), operations };
}

/** Entities of an interface that each subgraph lists. An interface field of each type belongs to another subgraph. */
export function ownedFields(subgraphs: number, depths: readonly number[]): PlannerShape {
  const root = range(subgraphs).map((index) => `type O${index} implements Node @key(fields: "id") { id: ID! related: Node @external }`);
  const sdls = range(subgraphs).map((subgraph) => {
    const objects = range(subgraphs).map((index) => {
      const isOwn = index === subgraph;
      return `type O${index} implements Node @key(fields: "id") { id: ID! related: Node ${isOwn ? '' : '@external'} }`;
    });
    return [`s${subgraph}`, `interface Node { id: ID! related: Node } ${objects.join(' ')}`] as const;
  });
  const list = `type Query { node: Node } interface Node { id: ID! related: Node } ${root.join(' ')}`;
  const operations = depths.map((depth) => ({
    name: `related, depth ${depth}`,
    document: `{ node {${nested(depth, 'related { ', 'id ')}} }`,
  }));
  const supergraphSdl = composeShape({ list, ...Object.fromEntries(sdls) });
  return { name: `a field in ${subgraphs} subgraphs`, supergraphSdl, operations };
}

/** Properties in which the subgraphs of `differingOwners` can differ. */
export const OWNER_DIFFERENCES = ['known types', 'return types', 'provided fields', 'keys'] as const;
export type OwnerDifference = (typeof OWNER_DIFFERENCES)[number];

/**
 * Entities of an interface with an interface field that belongs to a different subgraph for each type, as in `ownedFields`. The subgraphs
 * differ in a property that affects the plans for the values of the field.
 */
export function differingOwners(difference: OwnerDifference, subgraphs: number, depths: readonly number[]): PlannerShape {
  const all = range(subgraphs);
  const leaf = difference === 'provided fields' ? 'id label' : difference === 'keys' ? '__typename' : 'id';
  const operations = depths.map((depth) => ({
    name: `related, depth ${depth}`,
    document: `{ node {${nested(depth, 'related { ', `${leaf} `)}} }`,
  }));
  const owners = all.map((owner) => [`s${owner}`, writeOwner(difference, owner, subgraphs)] as const);
  const supergraphSdl = composeShape({
    list: `type Query { node: Node } ${writeOwner(difference, undefined, subgraphs)}`,
    ...Object.fromEntries(owners),
  });
  return { name: `a field in ${subgraphs} subgraphs with other ${difference}`, supergraphSdl, operations };
}

/** Writes the subgraph that resolves the field of one type, or the subgraph that lists all types and resolves the field of none. */
function writeOwner(difference: OwnerDifference, owner: number | undefined, subgraphs: number): string {
  const all = range(subgraphs);
  const next = (type: number): string => `P${(type + 1) % subgraphs}`;
  const known = difference === 'known types' && owner !== undefined ? all.filter((type) => type !== (owner + 1) % subgraphs) : all;
  const keys = difference !== 'keys' ? ['id'] : owner === undefined ? all.map((type) => `k${type}`) : [`k${owner}`];
  const label = difference === 'provided fields' ? 'label: String' : '';
  const objects = known.map((type) => {
    const isOwn = type === owner;
    const valueType = difference === 'return types' && type % 2 === 1 ? next(type) : 'Node';
    const provided = isOwn && difference === 'provided fields' ? `@provides(fields: "... on ${next(type)} { label }")` : '';
    const ownLabel = label === '' ? '' : `${label} ${owner === undefined ? '@shareable' : '@external'}`;
    return `type P${type} implements Node ${keys.map((key) => `@key(fields: "${key}")`).join(' ')} {
      ${keys.map((key) => `${key}: ID!`).join(' ')} related: ${valueType} ${isOwn ? provided : '@external'} ${ownLabel} }`;
  });
  return `interface Node { ${difference === 'keys' ? '' : 'id: ID!'} related: Node ${label} } ${objects.join(' ')}`;
}

/** Entities of an interface whose keys are in one subgraph and whose other fields are in further subgraphs. */
export function keyedEntities(types: number, subgraphs: number, depths: readonly number[]): PlannerShape {
  const objects = range(types).map((index) => `type K${index} implements Item @key(fields: "id") { id: ID! next: Item }`);
  const first = `type Query { item: Item } interface Item { id: ID! next: Item } ${objects.join(' ')}`;
  const others = range(subgraphs - 1).map((subgraph) => {
    const parts = range(types).map((index) => `type K${index} implements Item @key(fields: "id") { id: ID! extra${subgraph}: String }`);
    return [`s${subgraph}`, `interface Item { id: ID! extra${subgraph}: String } ${parts.join(' ')}`] as const;
  });
  const extras = range(subgraphs - 1).map((subgraph) => `extra${subgraph}`);
  const operations = depths.flatMap((depth) => [
    { name: `one extra at each level, depth ${depth}`, document: `{ item {${nested(depth, 'extra0 next { ', 'id ')}} }` },
    { name: `all extras inside, depth ${depth}`, document: `{ item {${nested(depth, 'next { ', `${extras.join(' ')} `)}} }` },
    {
      name: `extras of two types, depth ${depth}`,
      document: `{ item {${nested(depth, '... on K0 { extra0 } ... on K1 { extra1: extra0 } next { ', 'id ')}} }`,
    },
  ]);
  const sdls = Object.fromEntries([['a', first], ...others]);
  return { name: `${types} keyed entities over ${subgraphs} subgraphs`, supergraphSdl: composeShape(sdls), operations };
}

/** Nodes and connections according to the Relay specification. */
function relayConnections(types: number): PlannerShape {
  const objects = range(types).map(
    (index) =>
      `type R${index} implements Node @key(fields: "id") { id: ID! title${index}: String items(first: Int): Connection owner: Node }`,
  );
  const sdl = `type Query { node(id: ID!): Node } interface Node { id: ID! } type PageInfo { hasNextPage: Boolean! endCursor: String }
    type Connection { edges: [Edge] pageInfo: PageInfo! } type Edge { cursor: String! node: Node } ${objects.join(' ')}`;
  const connection = (level: number): string =>
    level === 0
      ? 'id'
      : `id ... on R0 { title0 owner { id } items(first: 10) { edges { cursor node { ${connection(level - 1)} } } pageInfo { hasNextPage } } }
         ... on R1 { title1 items(first: 5) { edges { node { ${connection(level - 1)} } } } }`;
  const operations = [1, 2, 3].map((level) => ({
    name: `connections, ${level} deep`,
    document: `{ node(id: "1") { ${connection(level)} } }`,
  }));
  return { name: `Relay connections of ${types} types`, supergraphSdl: composeShape({ a: sdl }), operations };
}

/** All shapes of the benchmark. */
export function plannerShapes(): readonly PlannerShape[] {
  return [
    ...[2, 10, 60, 100].map((types) => interfaceChain(types, [1, 4, 11])),
    interfaceChain(10, [20]),
    ...[10, 100].map((types) => unionChain(types, [1, 3, 6, 10])),
    ...[10, 100].flatMap((types) => [2, 30].map((subgraphs) => keyedEntities(types, subgraphs, [1, 4, 10]))),
    ...[3, 30].map((subgraphs) => spreadEntities(Math.max(12, subgraphs * 3), subgraphs, [1, 2, 4, 8])),
    ...[3, 30].map((subgraphs) => ownedFields(subgraphs, [1, 2, 4, 10])),
    ...OWNER_DIFFERENCES.map((difference) => differingOwners(difference, 4, [2, 4, 10])),
    ...OWNER_DIFFERENCES.slice(0, 2).map((difference) => differingOwners(difference, 30, [2, 4])),
    relayConnections(30),
  ];
}
