import { Kind, type TypeNode, getNamedType, isScalarType } from 'graphql';
import { type Random, createRandom } from '../../support/random/random.ts';
import type { WorldField } from './world-fields.ts';

/** A node of the world: an entity, or a value that belongs to the field it was found in. */
export interface WorldNode {
  readonly type: string;
  /** Id of the node. For an entity: its type and number. For a value: the path to it, which is the same in each subgraph. */
  readonly id: string;
}

/** Traits of the world. The same seed creates the same traits. */
export interface WorldTraits {
  readonly seed: number;
  readonly nullRate: number;
  readonly failureRate: number;
}

/** Value of a field. A node represents an object. Errors represent values that fail. */
export type WorldValue = WorldNode | Error | string | number | boolean | null | object | readonly WorldValue[];

const KNOWN_SCALARS = new Set(['Int', 'Float', 'Boolean', 'ID', 'String', 'JSON']);

const ROOTS = new Set(['Query', 'Mutation']);

/** Number of entities of each type. */
const ENTITIES = 4;

/** Thrown, or contained in a list, when a field of the world fails. */
class WorldFailure extends Error {}

/** Chooses the traits of a world from its seed. */
export function chooseTraits(seed: number): WorldTraits {
  const random = createRandom(seed ^ 0x5bd1e995);
  return { seed, nullRate: random.pick([0.03, 0.1, 0.2]), failureRate: random.pick([0, 0.04, 0.12]) };
}

/** Lists all entities of a type. */
export function entitiesOf(type: string): readonly WorldNode[] {
  return Array.from({ length: ENTITIES }, (_item, index) => ({ type, id: `${type}-${index + 1}` }));
}

function numberOf({ id }: WorldNode): number {
  return Number(id.slice(id.lastIndexOf('-') + 1));
}

/** Position for which a value is generated. */
interface WorldPosition {
  readonly traits: WorldTraits;
  readonly field: WorldField;
  readonly node: WorldNode;
  readonly random: Random;
  readonly isEntity: (type: string) => boolean;
}

/** A call of a field: the object, the field, and all inputs of its value. */
export interface Call {
  readonly node: WorldNode;
  readonly field: WorldField;
  /** Arguments, required inputs, and the state of the world if the field depends on it. Printed, so that equal inputs are equal texts. */
  readonly inputs: string;
}

/** Returns the value of a field. @throws WorldFailure when the field fails */
export function makeValue(traits: WorldTraits, { node, field, inputs }: Call, isEntity: (type: string) => boolean): WorldValue {
  const random = createRandom(hash(`${traits.seed}|${node.type}|${node.id}|${field.name}|${inputs}`));
  if (field.mayFail && random.chance(traits.failureRate)) throw new WorldFailure(`${node.id}.${field.name} fails.`);
  const path = `${node.id}/${field.name}${inputs === '' ? '' : `~${hash(inputs).toString(36)}`}`;
  return makeTyped({ traits, field, node, random, isEntity }, field.type, path);
}

function makeTyped(position: WorldPosition, type: TypeNode, path: string): WorldValue {
  const { random, traits, field } = position;
  if (type.kind === Kind.NON_NULL_TYPE) return makePresent(position, type.type, path);
  if (!field.isKey && random.chance(traits.nullRate)) return null;
  return makePresent(position, type, path);
}

function makePresent(position: WorldPosition, type: TypeNode, path: string): WorldValue {
  if (type.kind === Kind.NON_NULL_TYPE) return makePresent(position, type.type, path);
  if (type.kind === Kind.LIST_TYPE) {
    const { random, traits, field } = position;
    // An empty list as a key distinguishes nothing.
    const length = field.isKey ? 1 + random.below(2) : random.pick([0, 1, 2, 2, 3]);
    return Array.from({ length }, (_item, index): WorldValue => {
      const isFailing =
        field.mayFail && field.mayItemsFail && type.type.kind !== Kind.NON_NULL_TYPE && random.chance(traits.failureRate / 4);
      return isFailing ? new WorldFailure(`${path}/${index} fails.`) : makeTyped(position, type.type, `${path}/${index}`);
    });
  }
  return makeNamed(position, type.name.value, path);
}

function makeNamed(position: WorldPosition, name: string, path: string): WorldValue {
  const { field, random, node } = position;
  if (field.possibleTypes.length > 0) {
    const type = random.pick(field.possibleTypes);
    // A root type represents the same object everywhere.
    if (ROOTS.has(type)) return { type, id: '' };
    if (!position.isEntity(type)) return { type, id: path };
    // In a key, each value identifies one of the entities that have it.
    return field.isKey ? (entitiesOf(type)[numberOf(node) % ENTITIES] ?? null) : random.pick(entitiesOf(type));
  }
  if (field.enumValues.length > 0) {
    const value = random.pick(field.enumValues);
    // Values that the public schema lacks are returned too, but rarely, because they fail.
    return value === 'HIDDEN' && random.chance(0.7) ? random.pick(field.enumValues) : value;
  }
  if (field.isKey) return name === 'Int' ? hash(node.id) % 1_000_000 : `${field.name}:${node.id}`;
  const isForeign = !KNOWN_SCALARS.has(name) && isScalarType(getNamedType(field.definition.type));
  return makeScalar(random, isForeign ? 'ID' : name, path);
}

function makeScalar(random: Random, name: string, path: string): WorldValue {
  switch (name) {
    case 'Int':
      return random.chance(0.1) ? 0 : random.below(1_000_000);
    case 'Float':
      return random.below(1_000_000) / 8;
    case 'Boolean':
      return random.chance(0.5);
    case 'ID':
      return `${path}=${random.below(1_000_000).toString(36)}`;
    case 'String':
      return random.chance(0.05) ? '' : `${path}=${random.below(1_000_000).toString(36)}${random.pick(['', '', ' "é"\n', '😀'])}`;
    case 'JSON':
      return random.pick<WorldValue>([{ path, deep: [1, { no: null }] }, [path, []], path, 7, {}, false]);
    default:
      throw new WorldFailure(`The world has no type that implements ${name}.`); // No type implements this interface.
  }
}

/** Hashes a text with FNV-1a, 32 bits. */
export function hash(text: string): number {
  let state = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
  return state >>> 0;
}

/** Prints JSON with sorted keys. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}
