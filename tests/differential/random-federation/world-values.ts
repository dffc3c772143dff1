import { Kind, type TypeNode, getNamedType, isScalarType } from 'graphql';
import { type Random, createRandom } from '../../support/random/random.ts';
import type { WorldField } from './world-fields.ts';

/** One thing of the world: an entity, or a value that belongs to the field it was found in. */
export interface WorldNode {
  readonly type: string;
  /** Of an entity: its number behind its type. Of a value: the way to it, which is the same in each subgraph. */
  readonly id: string;
}

/** How the world is: the same seed makes the same one. */
export interface WorldTraits {
  readonly seed: number;
  readonly nullRate: number;
  readonly failureRate: number;
}

/** What a field has as its value; a node stands for an object. Errors stand for values that fail. */
export type WorldValue = WorldNode | Error | string | number | boolean | null | object | readonly WorldValue[];

const KNOWN_SCALARS = new Set(['Int', 'Float', 'Boolean', 'ID', 'String', 'JSON']);

const ROOTS = new Set(['Query', 'Mutation']);

/** Entities there are of each type. */
const ENTITIES = 4;

/** Is thrown, or stands in a list, where a field of the world fails. */
class WorldFailure extends Error {}

/** Chooses the traits of a world from its seed. */
export function chooseTraits(seed: number): WorldTraits {
  const random = createRandom(seed ^ 0x5bd1e995);
  return { seed, nullRate: random.pick([0.03, 0.1, 0.2]), failureRate: random.pick([0, 0.04, 0.12]) };
}

/** All entities of a type. */
export function entitiesOf(type: string): readonly WorldNode[] {
  return Array.from({ length: ENTITIES }, (_item, index) => ({ type, id: `${type}-${index + 1}` }));
}

function numberOf({ id }: WorldNode): number {
  return Number(id.slice(id.lastIndexOf('-') + 1));
}

/** Where a value is being made. */
interface WorldPosition {
  readonly traits: WorldTraits;
  readonly field: WorldField;
  readonly node: WorldNode;
  readonly random: Random;
  readonly isEntity: (type: string) => boolean;
}

/** A call of a field: the object, the field, and all that its value depends on. */
export interface Call {
  readonly node: WorldNode;
  readonly field: WorldField;
  /** Arguments, required inputs, the state of the world where it has one: printed, so that equal ones are equal texts. */
  readonly inputs: string;
}

/** The value of a field. @throws WorldFailure where it fails */
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
    // An empty list tells nothing apart.
    const length = field.isKey ? 1 + random.below(2) : random.pick([0, 1, 2, 2, 3]);
    return Array.from({ length }, (_item, index): WorldValue => {
      const isFailing = field.mayFail && type.type.kind !== Kind.NON_NULL_TYPE && random.chance(traits.failureRate / 4);
      return isFailing ? new WorldFailure(`${path}/${index} fails.`) : makeTyped(position, type.type, `${path}/${index}`);
    });
  }
  return makeNamed(position, type.name.value, path);
}

function makeNamed(position: WorldPosition, name: string, path: string): WorldValue {
  const { field, random, node } = position;
  if (field.possibleTypes.length > 0) {
    const type = random.pick(field.possibleTypes);
    // A root type stands for the same object wherever it is.
    if (ROOTS.has(type)) return { type, id: '' };
    if (!position.isEntity(type)) return { type, id: path };
    // As part of a key, each stands for one of those that have it.
    return field.isKey ? (entitiesOf(type)[numberOf(node) % ENTITIES] ?? null) : random.pick(entitiesOf(type));
  }
  if (field.enumValues.length > 0) {
    const value = random.pick(field.enumValues);
    // What the public schema does not have is answered with, but not often: it fails.
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
      throw new WorldFailure(`Nothing in the world is of type ${name}.`); // an interface that nothing implements
  }
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let state = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
  return state >>> 0;
}

/** JSON with sorted keys. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}
