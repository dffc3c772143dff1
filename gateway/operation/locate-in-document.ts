import { type DocumentNode, type FieldNode, Kind, type SelectionSetNode, type SourceLocation, getLocation } from 'graphql';
import { selectOperation } from './select-operation.ts';

/** Finds the location in an operation that an error refers to (GraphQL, section 7.1.2). */
export interface OperationLocator {
  /** Returns the location of the first field at a path of response keys and list indices, or undefined if no field has this path. */
  ofField(path: readonly (string | number)[]): SourceLocation | undefined;
  /** Returns the location of a variable definition. The name has no dollar sign. */
  ofVariable(name: string): SourceLocation | undefined;
}

/** Creates a locator for an operation. @param document a valid document with locations */
export function createOperationLocator(document: DocumentNode, operationName: string | undefined): OperationLocator {
  const operation = selectOperation(document, operationName);
  const fragments = new Map(
    document.definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node.selectionSet] as const] : [])),
  );
  /** Fields by path, so that the fields of one list are searched only once. */
  const found = new Map<string, readonly FieldNode[]>();
  /** Locations by path, because counting the lines takes as long as reading the document. */
  const locations = new Map<string, SourceLocation | undefined>();

  function fieldsAt(keys: readonly string[]): readonly FieldNode[] {
    const position = keys.join('.');
    const known = found.get(position);
    if (known !== undefined) return known;
    const key = keys.at(-1) ?? '';
    const sets =
      keys.length === 1 ? [operation.selectionSet] : fieldsAt(keys.slice(0, -1)).flatMap(({ selectionSet }) => selectionSet ?? []);
    const fields: FieldNode[] = [];
    const spread = new Set<string>();
    for (const set of sets) collect(set, key, fields, spread);
    found.set(position, fields);
    return fields;
  }

  function collect({ selections }: SelectionSetNode, key: string, fields: FieldNode[], spread: Set<string>): void {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        if ((selection.alias ?? selection.name).value === key) fields.push(selection);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet, key, fields, spread);
      else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        const set = fragments.get(selection.name.value);
        if (set !== undefined) collect(set, key, fields, spread);
      }
    }
  }

  return {
    ofField(path) {
      const keys = path.filter((element) => typeof element === 'string');
      if (keys.length === 0) return undefined;
      const name = keys.join('.');
      if (!locations.has(name)) locations.set(name, locationOf(fieldsAt(keys)[0]));
      return locations.get(name);
    },
    ofVariable: (name) => locationOf(operation.variableDefinitions?.find(({ variable }) => variable.name.value === name)),
  };
}

function locationOf(node: Pick<FieldNode, 'loc'> | undefined): SourceLocation | undefined {
  if (node?.loc === undefined) return undefined;
  const { line, column } = getLocation(node.loc.source, node.loc.start);
  return { line, column };
}
