import { type Random, createRandom } from '../../support/random/random.ts';
import type { SubgraphText } from './read-facts.ts';

const DIRECTIVES = [
  '@key',
  '@shareable',
  '@external',
  '@requires',
  '@provides',
  '@interfaceObject',
  '@inaccessible',
  '@context',
  '@fromContext',
];
const LINK = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.8", import: ${JSON.stringify(DIRECTIVES)})\n`;

/** Features of a graph in addition to its interface. Each makes joint paths harder to plan. */
interface Features {
  readonly key: 'id' | 'id code' | 'position { x y }' | 'several';
  readonly hasInterfaceObject: boolean;
  readonly hasProvided: boolean;
  readonly hasRequired: boolean;
  readonly hasRequiredChain: boolean;
  readonly hasUnion: boolean;
  readonly hasUnknownType: boolean;
  readonly hasOwnFieldTypes: boolean;
  readonly hasOwnNullability: boolean;
  readonly hasBox: boolean;
  readonly hasSharedOwners: boolean;
  readonly hasMutation: boolean;
  readonly hasContext: boolean;
}

interface Draft {
  readonly random: Random;
  readonly features: Features;
  readonly types: readonly string[];
  readonly owners: readonly string[];
}

/**
 * Drafts entities of one interface whose fields each type has in another subgraph, so that chains of them are planned at joint paths. Most
 * drafts compose.
 */
export function generateJointSubgraphs(seed: number): readonly SubgraphText[] {
  const random = createRandom(seed);
  const count = random.pick([2, 3, 3, 4, 5]);
  const owners = Array.from({ length: count }, (_item, index) => `s${index}`);
  const types = Array.from({ length: count + random.pick([0, 0, 1, 2]) }, (_item, index) => `O${index}`);
  const features: Features = {
    key: random.pick(['id', 'id', 'id', 'id code', 'position { x y }', 'several']),
    hasInterfaceObject: random.chance(0.3),
    hasProvided: random.chance(0.25),
    hasRequired: random.chance(0.4),
    hasRequiredChain: random.chance(0.3),
    hasUnion: random.chance(0.4),
    hasUnknownType: random.chance(0.3),
    hasOwnFieldTypes: random.chance(0.3),
    hasOwnNullability: random.chance(0.3),
    hasBox: random.chance(0.4),
    hasSharedOwners: random.chance(0.3),
    hasMutation: random.chance(0.3),
    hasContext: random.chance(0.25),
  };
  const draft: Draft = { random, features, types, owners };
  const subgraphs = [writeList(draft), ...owners.map((owner, index) => writeOwner(draft, owner, index))];
  if (features.hasInterfaceObject) subgraphs.push(writeInterfaceObject(draft));
  return subgraphs;
}

const INTERFACE = 'id: ID! related: Node many(first: Int): [Node]';

function keyed({ features: { key } }: Draft, owner: number | undefined): string {
  const isAlternative = owner !== undefined && owner % 2 === 1;
  const fields = key === 'several' ? (owner === undefined ? ['id', 'code'] : isAlternative ? ['code'] : ['id']) : [key];
  return fields.map((field) => `@key(fields: "${field}")`).join(' ');
}

/** Writes the fields of the key, and the id, which the interface has. */
function keyFields({ features: { key } }: Draft, owner: number | undefined): string {
  if (key === 'several') {
    if (owner === undefined) return 'id: ID! code: String!';
    return owner % 2 === 1 ? 'id: ID! @external code: String!' : 'id: ID!';
  }
  if (key === 'id code') return 'id: ID! code: String!';
  if (key === 'position { x y }') return `id: ID! ${owner === undefined ? '' : '@external'} position: Position!`;
  return 'id: ID!';
}

function extras({ features, types }: Draft): string {
  return [
    features.key === 'position { x y }' ? 'type Position @shareable { x: Int! y: Int! }' : '',
    features.hasUnion ? `union Any = ${types.slice(0, 2).join(' | ')}` : '',
    features.hasBox ? 'type Box @shareable { size: Int node: Node }' : '',
  ].join(' ');
}

function interfaceFields({ features }: Draft): string {
  return `${INTERFACE} ${features.hasUnion ? 'any: Any' : ''} ${features.hasBox ? 'box: Box' : ''} ${features.hasRequired ? 'tag: String' : ''}`;
}

/** Writes the fields of a type as one of its owners, or another subgraph, declares them. */
function ownFields({ features, types }: Draft, type: string, mark: string): string {
  const isFirst = type === types[0];
  const provides = mark === '' && features.hasProvided ? `@provides(fields: "... on ${providedFor(types, type)} { label }")` : '';
  return [
    `related: ${features.hasOwnFieldTypes && isFirst ? 'O1' : 'Node'} ${isFirst && features.hasOwnFieldTypes ? '' : provides} ${mark}`,
    `many(first: Int): ${features.hasOwnNullability && isFirst ? '[Node!]!' : '[Node]'} ${mark}`,
    features.hasUnion ? `any: Any ${mark}` : '',
    features.hasBox ? `box: Box ${mark}` : '',
  ].join(' ');
}

/** Returns the type whose label the owner of another type provides. */
function providedFor(types: readonly string[], type: string): string {
  return types[(types.indexOf(type) + 1) % types.length] ?? type;
}

function writeList(draft: Draft): SubgraphText {
  const { features, types } = draft;
  const objects = types.map((type) => {
    const tag = features.hasRequired ? 'tag: String @external' : '';
    return `type ${type} implements Node ${keyed(draft, undefined)} { ${keyFields(draft, undefined)} label: String ${features.hasProvided ? '@shareable' : ''} ${ownFields(draft, type, '@external')} ${tag} }`;
  });
  const key = features.hasInterfaceObject ? '@key(fields: "id")' : '';
  const ids = features.hasInterfaceObject && features.key !== 'id' && features.key !== 'several' ? types : [];
  const withIds = objects.map((text, index) => (ids[index] === undefined ? text : text.replace(' @key', ' @key(fields: "id") @key')));
  const roots = 'node: Node nodes: [Node] strict: Node!';
  // The value of a context must exist on each path to a field that takes it.
  const query = features.hasContext
    ? `type Query { holder: Holder holders: [Holder] } type Holder @key(fields: "id") { id: ID! ${roots} }`
    : `type Query { ${roots} }`;
  const mutation = features.hasMutation && !features.hasContext ? 'type Mutation { make(first: Int): Node makeMany: [Node] }' : '';
  return {
    name: 'list',
    sdl: `${LINK} ${query} ${mutation}
      interface Node ${key} { ${interfaceFields(draft)} label: String } ${withIds.join('\n')} ${extras(draft)}`,
  };
}

function writeOwner(draft: Draft, name: string, index: number): SubgraphText {
  const { features, types, owners } = draft;
  const isLastOwned = (types.length - 1) % owners.length === index || types.length % owners.length === index;
  const known =
    features.hasUnknownType && index === owners.length - 1 && types.length > 2 && !isLastOwned && !features.hasProvided
      ? types.slice(0, -1)
      : types;
  const providers = types.filter((type, number) => number % owners.length === index && !(features.hasOwnFieldTypes && type === types[0]));
  const objects = known.map((type) => {
    const number = types.indexOf(type);
    const isOwner = number % owners.length === index;
    const isShared = features.hasSharedOwners && (number + 1) % owners.length === index;
    const mark = isOwner || isShared ? (features.hasSharedOwners ? '@shareable' : '') : '@external';
    const isProvided = features.hasProvided && !features.hasSharedOwners && providers.some((other) => providedFor(types, other) === type);
    const label = isProvided || (features.hasRequired && isOwner) ? 'label: String @external' : '';
    const tag = features.hasRequired ? (isOwner ? 'tag: String @requires(fields: "label")' : 'tag: String @external') : '';
    const isChained = features.hasRequiredChain && (number + 1) % owners.length === index && !isOwner && !isShared;
    const chained = isChained ? `deep${number}: String @requires(fields: "related { __typename id }")` : '';
    const echo = features.hasContext && isOwner ? `echo${number}(from: ID @fromContext(field: "$holder${index} { id }")): String` : '';
    const rank = isOwner ? `rank${number}: Int rankOf: Int` : '';
    return `type ${type} implements Node ${keyed(draft, index)} { ${keyFields(draft, index)} ${ownFields(draft, type, mark)} ${label} ${tag} ${chained} ${rank} ${echo} }`;
  });
  const holder = features.hasContext ? `type Holder @key(fields: "id") @context(name: "holder${index}") { id: ID! }` : '';
  return { name, sdl: `${LINK} ${holder} interface Node { ${interfaceFields(draft)} } ${objects.join('\n')} ${extras(draft)}` };
}

function writeInterfaceObject({ random }: Draft): SubgraphText {
  const via = random.chance(0.5) ? 'via: Node' : '';
  return { name: 'x', sdl: `${LINK} type Node @interfaceObject @key(fields: "id") { id: ID! score: Int ${via} }` };
}
