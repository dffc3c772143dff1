import { compileMappedOutput, mappingOfField } from './mapped-output.ts';
import { collectOutputFields, type OutputContext, type OutputPosition, selectionsOf } from './output-fields.ts';

/** Selects the fields of an operation from a mapped value. Lists of any depth are selected item by item, and null remains null. */
export type SelectOutput = (value: unknown) => unknown;

/** Selects fields from an object of a known type. @param fallback object with values of fields that the first one does not have */
export type SelectObject = (object: object, fallback?: object) => Record<string, unknown>;

/** Compiles the selections of a position. */
export function compileOutput({ selections, type = '', mapping }: OutputPosition, context: OutputContext): SelectOutput {
  if (selections.length === 0) return type === 'ID' ? toId : asItIs;
  const mapped = compileMappedOutput({ selections, type, mapping }, context);
  if (mapped !== undefined) return mapped;
  const selectObject = compileOutputObject({ selections, type, mapping }, context);
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
  /** Selects from a value of the fallback, which the mapping did not create. */
  readonly copy: SelectOutput;
}

/** Compiles selections of an object. A value of an abstract type names its type in `__typename`. */
export function compileOutputObject({ selections, type = '', mapping }: OutputPosition, context: OutputContext): SelectObject {
  const known = new Map<string, readonly OutputField[]>();
  const fieldsOf = (name: string): readonly OutputField[] => {
    let fields = known.get(name);
    if (fields === undefined) known.set(name, (fields = compileFields({ selections, type: name, mapping }, context)));
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

function compileFields({ selections, type = '', mapping }: OutputPosition, context: OutputContext): readonly OutputField[] {
  return [...collectOutputFields(selections, type, context)].map(([key, nodes]) => {
    const name = nodes[0].name.value;
    const position = { selections: selectionsOf(nodes), type: context.types.fieldType(type, name), mapping: mappingOfField(mapping, name) };
    const select = compileOutput(position, context);
    const copy = position.mapping === undefined ? select : compileOutput({ ...position, mapping: undefined }, context);
    return { key, name, isInherited: name in Object.prototype, select, copy };
  });
}

const TYPENAME = '__typename';

function selectFields(fields: readonly OutputField[], type: string, object: object, fallback: object | undefined): Record<string, unknown> {
  const selected: Record<string, unknown> = {};
  for (const { key, name, isInherited, select, copy } of fields) {
    if (name === TYPENAME) {
      selected[key] = type;
      continue;
    }
    // Values come from JSON, so only the names of `Object.prototype` can be found without being own properties.
    const own = isInherited ? ownValue(object, name) : (object as Readonly<Record<string, unknown>>)[name];
    if (own === undefined || own === null) selected[key] = fallback === undefined ? null : copy(ownValue(fallback, name));
    else selected[key] = select(own);
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
