import type { FetchNode } from '@apollo/query-planner';
import { type FieldNode, type FragmentDefinitionNode, Kind, type OperationDefinitionNode, type SelectionSetNode, parse } from 'graphql';
import { fragmentsOf } from './collect-fields.ts';
import { type KeyRename, compileKeyRenames } from './error-paths.ts';

/** What a fetch asks for on the objects that it fills, whatever their types. */
export interface FetchSelection {
  /** Response keys as they stand after the output rewrites. */
  readonly keys: readonly string[];
  /** From the planner's aliases to the client's response keys. */
  readonly renames: readonly KeyRename[];
  /** Response keys that it asks for further inside, at the end of a path of response keys. */
  keysAt(path: readonly string[]): readonly string[];
}

/** Reads the selection of a fetch from its operation. */
export function readFetchSelection(node: FetchNode): FetchSelection {
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
  return {
    renames,
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
