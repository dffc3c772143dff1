import { type GraphQLSchema, isInterfaceType, isObjectType, isScalarType } from 'graphql';
import { isMap, isScalar, LineCounter, type Node, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { nearestKey } from '../../../gateway/platform/nearest-key.ts';
import { CommandFailed } from '../../command-failed.ts';

/** Values that a file of mocks gives. */
export interface MockOverrides {
  /** Returns the value of a field; undefined if it is made. */
  valueOf(typeName: string, fieldName: string): unknown;
  /** Returns the value of all fields of a scalar; undefined if it is made. */
  scalarOf(scalarName: string): unknown;
}

/** Overrides of a subgraph without a file of mocks. */
export const NO_OVERRIDES: MockOverrides = { valueOf: () => undefined, scalarOf: () => undefined };

/** Content of a file of mocks: YAML or JSON. */
export interface MocksFile {
  readonly path: string;
  readonly text: string;
}

type Items = readonly Pair<Node, Node | null>[];

/**
 * Reads a file of mocks: values by type and field, and values of scalars by name.
 *
 * @throws CommandFailed with every type and field that the schema does not have, and its location
 */
export function readOverrides({ path, text }: MocksFile, schema: GraphQLSchema): MockOverrides {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const problems: string[] = [];
  const fields = new Map<string, ReadonlyMap<string, unknown>>();
  const scalars = new Map<string, unknown>();

  const report = (offset: number, message: string): void => {
    const { line, col } = lines.linePos(offset);
    problems.push(`${path}:${line}:${col}: ${message}`);
  };

  function readTypes(items: Items): void {
    for (const { key, value } of items) {
      const name = textOf(key);
      const type = schema.getType(name);
      if (isScalarType(type)) scalars.set(name, value?.toJS(document));
      else if (!isObjectType(type) && !isInterfaceType(type))
        report(offsetOf(key), `the subgraph has no type ${name}.${hint(name, typeNames(schema))}`);
      else if (isMap(value)) fields.set(name, readFields(name, Object.keys(type.getFields()), itemsOf(value)));
      else report(offsetOf(key), `expected the fields of the type ${name}.`);
    }
  }

  function readFields(typeName: string, known: readonly string[], items: Items): ReadonlyMap<string, unknown> {
    const values = new Map<string, unknown>();
    for (const { key, value } of items) {
      const name = textOf(key);
      if (known.includes(name)) values.set(name, value?.toJS(document) ?? null);
      else report(offsetOf(key), `the type ${typeName} has no field ${name}.${hint(name, known)}`);
    }
    return values;
  }

  const root: Node | null = document.contents;
  if (document.errors.length > 0) for (const { message, pos } of document.errors) report(pos[0], `invalid YAML: ${message}`);
  else if (isMap(root)) readTypes(itemsOf(root));
  else if (root !== null && !(isScalar(root) && root.value === null))
    report(offsetOf(root), 'expected types at the top level of the file.');
  if (problems.length > 0) throw new CommandFailed(problems.join('\n'));
  return {
    valueOf: (typeName, fieldName) => fields.get(typeName)?.get(fieldName),
    scalarOf: (scalarName) => scalars.get(scalarName),
  };
}

function itemsOf(map: YAMLMap): Items {
  return map.items as Items;
}

function textOf(node: Node): string {
  return String(isScalar(node) ? node.value : node);
}

function offsetOf(node: Node): number {
  return node.range?.[0] ?? 0;
}

/** Returns the types that a file can name. Names with an underscore belong to the subgraph specification. */
function typeNames(schema: GraphQLSchema): readonly string[] {
  return Object.keys(schema.getTypeMap()).filter((name) => !name.startsWith('_'));
}

function hint(name: string, known: readonly string[]): string {
  const near = nearestKey(name, known);
  return near === undefined ? '' : ` Did you mean ${near}?`;
}
