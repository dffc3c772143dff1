import { Kind, type SelectionSetNode } from 'graphql';
import { LOOK_UP } from '../random-federation/world.ts';
import { decide } from './decisions.ts';
import { listsIn, namedIn } from './rest-value.ts';
import type { SubgraphModel } from './subgraph-model.ts';

/** A root field that finds an entity by its key. */
export interface LookUpField {
  readonly name: string;
  /** Type that the field returns. */
  readonly type: string;
  /** Object types of that type. */
  readonly types: readonly string[];
  readonly key: SelectionSetNode;
  /** SDL of the arguments, and of the input types that they need. */
  readonly args: string;
  readonly definitions: readonly string[];
}

/** Probability that an entity has a root field which finds it by a key. */
const FOUND_BY_FIELD = 0.35;

/**
 * Returns the root fields with `entity: true` of a subgraph, by name. An interface with a key always has one: `@connect` on its object types
 * does not resolve an object whose type is unknown.
 */
export function lookUpsOf(model: SubgraphModel): ReadonlyMap<string, LookUpField> {
  const { facts, seed } = model;
  const fields = new Map<string, LookUpField>();
  for (const type of facts.types.values()) {
    if (type.kind === 'union') continue;
    for (const [index, key] of model.resolvableKeys(type.name).entries()) {
      const isNeeded = type.kind === 'interface';
      if (!isNeeded && !decide(seed, facts.name, type.name, String(index), 'look up').chance(FOUND_BY_FIELD)) continue;
      const name = `${LOOK_UP}${type.name}_${facts.name}${index}`;
      const definitions: string[] = [];
      const args = writeArguments(model, type.name, key, { name: `${name}_in`, definitions });
      if (args !== undefined)
        fields.set(name, { name, type: type.name, types: model.membersOf(type.name), key, args: `(${args})`, definitions });
    }
  }
  return fields;
}

/** Writes arguments or input fields that match a key. Returns undefined for keys through lists, which have no such arguments. */
function writeArguments(
  model: SubgraphModel,
  type: string,
  { selections }: SelectionSetNode,
  input: { readonly name: string; readonly definitions: string[] },
): string | undefined {
  const parts: string[] = [];
  for (const selection of selections) {
    const field = selection.kind === Kind.FIELD ? model.typeOf(type)?.fields.get(selection.name.value) : undefined;
    if (selection.kind !== Kind.FIELD || field === undefined || listsIn(field.type) > 0) return undefined;
    const named = namedIn(field.type);
    if (selection.selectionSet === undefined) {
      parts.push(`${field.name}: ${named}!`);
      continue;
    }
    const name = `${input.name}_${field.name}`;
    const inside = writeArguments(model, named, selection.selectionSet, { name, definitions: input.definitions });
    if (inside === undefined) return undefined;
    input.definitions.push(`input ${name} { ${inside} }`);
    parts.push(`${field.name}: ${name}!`);
  }
  return parts.join(' ');
}
