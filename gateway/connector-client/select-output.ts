import { type FieldNode, type FragmentDefinitionNode, Kind, type SelectionNode as FieldOrFragment } from 'graphql';
import type { ValueTypes } from './value-types.ts';

/** Selects the fields of an operation from a mapped value. Lists of any depth are selected item by item, and null remains null. */
export type SelectOutput = (value: unknown) => unknown;

/** Selects fields from an object of a known type. @param fallback object with values of fields that the first one does not have */
export type SelectObject = (object: object, fallback?: object) => Record<string, unknown>;

/** Context of an operation that is compiled. */
export interface OutputContext {
  readonly types: ValueTypes;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Whether `@skip` and `@include` let a selection apply. */
  readonly applies: (selection: FieldOrFragment) => boolean;
}

/** Fields of one object type by response key. Several nodes with one key have one name and are merged. */
export type OutputFields = ReadonlyMap<string, readonly [FieldNode, ...FieldNode[]]>;

/** Collects the fields that apply to an object type (GraphQL specification, section 6.3.2). */
export function collectOutputFields(selections: readonly FieldOrFragment[], type: string, context: OutputContext): OutputFields {
  const collected = new Map<string, [FieldNode, ...FieldNode[]]>();
  function collect(nodes: readonly FieldOrFragment[]): void {
    for (const node of nodes) {
      if (!context.applies(node)) continue;
      if (node.kind === Kind.FIELD) {
        const key = node.alias?.value ?? node.name.value;
        const known = collected.get(key);
        if (known === undefined) collected.set(key, [node]);
        else known.push(node);
        continue;
      }
      const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : context.fragments.get(node.name.value);
      const condition = fragment?.typeCondition?.name.value;
      if (fragment !== undefined && (condition === undefined || context.types.satisfies(type, condition))) {
        collect(fragment.selectionSet.selections);
      }
    }
  }
  collect(selections);
  return collected;
}

/** Returns the selections of a field that was collected from several nodes. */
export function selectionsOf(nodes: readonly FieldNode[]): readonly FieldOrFragment[] {
  return nodes.flatMap(({ selectionSet }) => selectionSet?.selections ?? []);
}

/**
 * Compiles the selections of a position.
 *
 * @param selections selections of a field; empty for a leaf
 * @param type named type of the position
 */
export function compileOutput(selections: readonly FieldOrFragment[], type: string | undefined, context: OutputContext): SelectOutput {
  if (selections.length === 0) return type === 'ID' ? toId : asItIs;
  const selectObject = compileOutputObject(selections, type ?? '', context);
  const select: SelectOutput = (value) => {
    if (Array.isArray(value)) return value.map(select);
    return typeof value === 'object' && value !== null ? selectObject(value) : (value ?? null);
  };
  return select;
}

interface OutputField {
  readonly key: string;
  readonly name: string;
  /** Whether every object inherits a property of this name. */
  readonly isInherited: boolean;
  readonly select: SelectOutput;
}

/** Compiles selections of an object. A value of an abstract type names its type in `__typename`. */
export function compileOutputObject(selections: readonly FieldOrFragment[], type: string, context: OutputContext): SelectObject {
  const known = new Map<string, readonly OutputField[]>();
  const fieldsOf = (name: string): readonly OutputField[] => {
    let fields = known.get(name);
    if (fields === undefined) known.set(name, (fields = compileFields(selections, name, context)));
    return fields;
  };
  if (!context.types.isAbstract(type)) {
    const fields = fieldsOf(type);
    return (object, fallback) => selectFields(fields, type, object, fallback);
  }
  return (object, fallback) => {
    const typename = ownValue(object, TYPENAME);
    const isKnown = typeof typename === 'string' && context.types.satisfies(typename, type);
    // Fields of an unknown type cannot be selected. Without `__typename`, the gateway reports the value as invalid.
    return isKnown ? selectFields(fieldsOf(typename), typename, object, fallback) : {};
  };
}

function compileFields(selections: readonly FieldOrFragment[], type: string, context: OutputContext): readonly OutputField[] {
  return [...collectOutputFields(selections, type, context)].map(([key, nodes]) => {
    const name = nodes[0].name.value;
    return {
      key,
      name,
      isInherited: name in Object.prototype,
      select: compileOutput(selectionsOf(nodes), context.types.fieldType(type, name), context),
    };
  });
}

const TYPENAME = '__typename';

function selectFields(fields: readonly OutputField[], type: string, object: object, fallback: object | undefined): Record<string, unknown> {
  const selected: Record<string, unknown> = {};
  for (const { key, name, isInherited, select } of fields) {
    if (name === TYPENAME) {
      selected[key] = type;
      continue;
    }
    // Values come from JSON, so only the names of `Object.prototype` can be found without being own properties.
    const own = isInherited ? ownValue(object, name) : (object as Readonly<Record<string, unknown>>)[name];
    const value = own ?? (fallback === undefined ? undefined : ownValue(fallback, name));
    selected[key] = value === undefined ? null : select(value);
  }
  return selected;
}

/** Reads an own property. Names of fields such as `constructor` are also properties that every object inherits. */
export function ownValue(object: object, name: string): unknown {
  return Object.hasOwn(object, name) ? (object as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** A mapping without a result, such as a method of null, has the value null. */
function asItIs(value: unknown): unknown {
  return value ?? null;
}

/** Converts the numeric IDs that many back ends have. Keys of entities must have one form in all subgraphs. */
function toId(value: unknown): unknown {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : value;
  return Array.isArray(value) ? value.map(toId) : (value ?? null);
}
