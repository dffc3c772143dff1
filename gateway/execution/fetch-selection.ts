import type { FetchNode } from '@apollo/query-planner';
import { type FieldNode, type FragmentDefinitionNode, Kind, type OperationDefinitionNode, type SelectionSetNode, parse } from 'graphql';
import { fragmentsOf } from './collect-fields.ts';
import { conditionalKeysOf } from './conditional-keys.ts';
import { type KeyRename, compileKeyRenames } from './error-paths.ts';

/** A field that a fetch asks for, by its response key after the output rewrites. */
export interface SelectedField {
  readonly key: string;
  /** What it asks for inside, whatever the types; absent in a leaf. */
  readonly fields?: readonly SelectedField[];
}

/** What a fetch asks for on the objects that it fills, whatever their types. */
export interface FetchSelection {
  /** Response keys as they stand after the output rewrites. */
  readonly keys: readonly string[];
  /** The same with all that is inside. */
  readonly fields: readonly SelectedField[];
  /** Response keys, at any depth, that a condition can leave out of the answer. */
  readonly conditionalKeys: ReadonlySet<string>;
  /** From the planner's aliases to the client's response keys. */
  readonly renames: readonly KeyRename[];
  /** Response keys that it asks for further inside, at the end of a path of response keys. */
  keysAt(path: readonly string[]): readonly string[];
}

/**
 * Reads the selection of a fetch from its operation.
 *
 * @param isConditional whether the fetch as a whole depends on a condition
 */
export function readFetchSelection(node: FetchNode, isConditional: boolean): FetchSelection {
  const document = node.operationDocumentNode ?? parse(node.operation, { noLocation: true });
  const fragments = fragmentsOf(document);
  const operation = document.definitions.find(
    (definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION,
  );
  const root = operation === undefined ? [] : fieldsIn([operation.selectionSet], fragments);
  const fields = node.requires === undefined ? root : inside(root, fragments);
  const renames = compileKeyRenames(node.outputRewrites);
  const keysOf = (found: readonly FieldNode[], path: readonly string[]): readonly string[] => {
    const keys = new Set(found.map(keyOf));
    for (const rename of renames) {
      const isHere = rename.path.length === path.length + 1 && path.every((key, index) => key === rename.path[index]);
      if (isHere && keys.delete(rename.path.at(-1) ?? '')) keys.add(rename.key);
    }
    return [...keys];
  };
  const selectedIn = (found: readonly FieldNode[], path: readonly string[]): readonly SelectedField[] => {
    const selected = new Map<string, SelectedField>();
    for (const [original, nodes] of groupByKey(found)) {
      const here = [...path, original];
      const key = renames.find((rename) => isSamePath(rename.path, here))?.key ?? original;
      const fields = nodes.some(({ selectionSet }) => selectionSet !== undefined) ? selectedIn(inside(nodes, fragments), here) : undefined;
      selected.set(key, union({ key, ...(fields && { fields }) }, selected.get(key)));
    }
    return [...selected.values()];
  };
  const conditional = conditionalKeysOf(document, isConditional);
  const renamed = renames.filter(({ path }) => conditional.has(path.at(-1) ?? '')).map(({ key }) => key);
  return {
    renames,
    conditionalKeys: new Set([...conditional, ...renamed]),
    fields: selectedIn(fields, []),
    keys: keysOf(fields, []),
    keysAt(path) {
      let found = fields;
      for (const key of path)
        found = inside(
          found.filter((field) => keyOf(field) === key),
          fragments,
        );
      return keysOf(found, path);
    },
  };
}

function groupByKey(fields: readonly FieldNode[]): ReadonlyMap<string, readonly FieldNode[]> {
  const groups = new Map<string, FieldNode[]>();
  for (const field of fields) {
    const group = groups.get(keyOf(field));
    if (group === undefined) groups.set(keyOf(field), [field]);
    else group.push(field);
  }
  return groups;
}

/** One response key that was asked for under two names, of which one was renamed: on values of different types. */
function union(one: SelectedField, other: SelectedField | undefined): SelectedField {
  if (other?.fields === undefined) return one;
  const fields = new Map(one.fields?.map((field) => [field.key, field]));
  for (const field of other.fields) fields.set(field.key, union(field, fields.get(field.key)));
  return { key: one.key, fields: [...fields.values()] };
}

function isSamePath(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((key, index) => key === other[index]);
}

function keyOf({ alias, name }: FieldNode): string {
  return alias?.value ?? name.value;
}

function inside(fields: readonly FieldNode[], fragments: ReadonlyMap<string, FragmentDefinitionNode>): readonly FieldNode[] {
  return fieldsIn(
    fields.flatMap(({ selectionSet }) => (selectionSet === undefined ? [] : [selectionSet])),
    fragments,
  );
}

/** All fields of selection sets, those in fragments included. */
function fieldsIn(
  selectionSets: readonly SelectionSetNode[],
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): readonly FieldNode[] {
  return selectionSets.flatMap(({ selections }) =>
    selections.flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return [selection];
      const inner = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
      return inner === undefined ? [] : fieldsIn([inner.selectionSet], fragments);
    }),
  );
}
