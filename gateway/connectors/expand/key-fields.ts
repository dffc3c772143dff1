import { namedTypeOf } from '../../directives/named-type-of.ts';
import type { InputUse, MappedField } from './connector-fields.ts';
import { ConnectorsInvalid } from './connectors-invalid.ts';
import type { SubgraphField, SubgraphTypes } from './subgraph-types.ts';
import { Kind } from 'graphql';

/** Fields of a field set by name, with the fields inside them. Leaves have none. */
export type FieldTree = Map<string, FieldTree>;

/** A use of a variable in a connector, for messages. */
interface KeyReader {
  readonly types: SubgraphTypes;
  /** Coordinate of the connector. */
  readonly coordinate: string;
}

/**
 * Returns the fields of an object that a connector uses as `$this` or `$batch`.
 *
 * @param type type of the object
 * @throws ConnectorsInvalid if the subgraph does not define a field
 */
export function inputsOfObject(reader: KeyReader, type: string, uses: readonly InputUse[]): FieldTree {
  const tree: FieldTree = new Map();
  for (const { variable, path, subtree } of uses) {
    if (variable !== '$this' && variable !== '$batch') continue;
    addFields(reader, { type, tree, variable }, [pathToFields(path, subtree)]);
  }
  return tree;
}

/**
 * Returns the fields of an object that are arguments of a root field with `entity: true`: those that the connector uses, or all of them if
 * it uses none.
 *
 * @param type type that the field returns
 */
export function inputsOfArguments(reader: KeyReader, type: string, field: SubgraphField, uses: readonly InputUse[]): FieldTree {
  const used: FieldTree = new Map();
  const all: FieldTree = new Map();
  const declared = new Map(field.arguments.map((argument) => [argument.name.value, namedTypeOf(argument.type)]));
  for (const { variable, path, subtree } of uses) {
    if (variable !== '$args') continue;
    for (const { name, children } of [pathToFields(path, subtree)].flatMap(unwrap)) {
      const input = declared.get(name);
      if (input !== undefined) addArgument(reader, { type, tree: used }, { name, children }, input);
      else if (name === '') for (const [other, itsType] of declared) addArgument(reader, { type, tree: used }, { name: other }, itsType);
    }
  }
  if (used.size > 0) return used;
  for (const [name, input] of declared) addArgument(reader, { type, tree: all }, { name }, input);
  return all;
}

/** Converts `a.b` with the fields `c` and `d` to `a { b { c d } }`. The root has an empty name. */
function pathToFields(path: readonly { readonly name: string }[], subtree: readonly MappedField[] | undefined): MappedField {
  let children = subtree;
  for (const { name } of [...path].reverse()) children = [{ name, ...(children === undefined ? {} : { children }) }];
  return { name: '', ...(children === undefined ? {} : { children }) };
}

function unwrap(root: MappedField): readonly MappedField[] {
  return root.children ?? [root];
}

/** Type whose fields are added to a tree, and the expression that uses them. */
interface KeyPosition {
  readonly type: string;
  readonly tree: FieldTree;
  /** Start of the expression for messages, such as `$this`. */
  readonly variable: string;
}

function addFields(reader: KeyReader, { type, tree, variable }: KeyPosition, roots: readonly MappedField[]): void {
  for (const { name, children } of roots.flatMap(unwrap)) {
    if (name === '__typename') continue;
    if (name === '') {
      addLeaves(reader.types, type, tree, new Set());
      continue;
    }
    const field = reader.types.fieldOf(type, name);
    if (field === undefined) {
      throw new ConnectorsInvalid(
        `The connector of ${reader.coordinate} uses ${variable}.${name}, but the subgraph does not define the field ${type}.${name}.`,
      );
    }
    const inside = treeInside(tree, name);
    const kind = reader.types.kindOf(field.namedType);
    if (kind !== 'object' && kind !== 'abstract') continue;
    if (children === undefined) addLeaves(reader.types, field.namedType, inside, new Set([type]));
    else addFields(reader, { type: field.namedType, tree: inside, variable: `${variable}.${name}` }, [{ name: '', children }]);
  }
}

function treeInside(tree: FieldTree, name: string): FieldTree {
  let inside = tree.get(name);
  if (inside === undefined) tree.set(name, (inside = new Map()));
  return inside;
}

/** Adds all scalars of a type and of the objects inside it, because the whole object is used. Stops where a type repeats. */
function addLeaves(types: SubgraphTypes, type: string, tree: FieldTree, around: ReadonlySet<string>): void {
  const beneath = new Set([...around, type]);
  for (const name of types.fieldsOf(type)) {
    const field = types.fieldOf(type, name);
    if (field === undefined || hasRequiredArguments(field)) continue;
    const kind = types.kindOf(field.namedType);
    if (kind === 'leaf') treeInside(tree, name);
    else if (kind === 'object' && !beneath.has(field.namedType)) {
      const inside: FieldTree = new Map();
      addLeaves(types, field.namedType, inside, beneath);
      if (inside.size > 0) tree.set(name, inside);
    }
  }
}

function hasRequiredArguments(field: SubgraphField): boolean {
  return field.arguments.some(({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && defaultValue === undefined);
}

/** Adds an argument, or a field of an input object, if the object has a field of that name. */
function addArgument(
  reader: KeyReader,
  { type, tree }: Omit<KeyPosition, 'variable'>,
  { name, children }: MappedField,
  input: string,
): void {
  const { types } = reader;
  const field = types.fieldOf(type, name);
  if (field === undefined) return;
  const kind = types.kindOf(field.namedType);
  if (kind !== 'object' && kind !== 'abstract') {
    treeInside(tree, name);
    return;
  }
  const definition = types.definitions.get(input);
  if (definition?.kind !== Kind.INPUT_OBJECT_TYPE_DEFINITION) return;
  const inside: FieldTree = tree.get(name) ?? new Map();
  for (const given of definition.fields ?? []) {
    const wanted = children?.find((child) => child.name === given.name.value);
    if (children !== undefined && wanted === undefined) continue;
    addArgument(reader, { type: field.namedType, tree: inside }, wanted ?? { name: given.name.value }, namedTypeOf(given.type));
  }
  if (inside.size > 0) tree.set(name, inside);
}

/** Prints a field set: `a b { c }`. */
export function printFieldTree(tree: FieldTree): string {
  return [...tree].map(([name, inside]) => (inside.size === 0 ? name : `${name} { ${printFieldTree(inside)} }`)).join(' ');
}
