import type { Schema } from '@apollo/federation-internals';
import type { FetchNode } from '@apollo/query-planner';
import {
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
  parse,
} from 'graphql';
import { fragmentsOf } from './collect-fields.ts';
import { type KeyRename, compileKeyRenames } from './error-paths.ts';
import type { FlattenPath } from './flatten-path.ts';
import { type RepresentationPrinter, compileRepresentations, requiredKeysOf } from './representations.ts';
import { type Rewrite, compileRewrites } from './rewrites.ts';
import { freeVariableName } from './variable-names.ts';

/** A fetch node, made ready: what is the same in each request is printed, what is not is a list to loop over. */
export interface CompiledFetch {
  /** Its place among all fetches of the plan; errors are reported in this order. */
  readonly index: number;
  readonly subgraph: string;
  readonly kind: 'query' | 'mutation';
  /** Where in the response the objects are that it fills. */
  readonly path: FlattenPath;
  /** JSON text of the request up to and including the brace that opens the variables. */
  readonly opening: string;
  readonly variables: readonly string[];
  /** Response keys of its selection on each object that it fills, as they stand after the rewrites. */
  readonly keys: readonly string[];
  readonly outputRewrites: Rewrite | undefined;
  /** From the planner's aliases to the client's response keys. */
  readonly keyRenames: readonly KeyRename[];
  /** Present in entity fetches. */
  readonly entities: EntityFetch | undefined;
}

/** What only fetches by representations have. */
export interface EntityFetch {
  readonly print: RepresentationPrinter;
  /** Response keys that the representations read on the entity itself. */
  readonly requiredKeys: readonly string[];
  /** JSON text of the key of the variable that takes the representations. */
  readonly variable: string;
}

/** Compiles one fetch node. */
export function compileFetch(schema: Schema, node: FetchNode, path: FlattenPath, index: number): CompiledFetch {
  const isEntityFetch = node.requires !== undefined;
  const variables = node.variableUsages ?? [];
  const { text, variable } = freeVariableName(node.operation, isEntityFetch ? variables : []);
  const operationName = node.operationName === undefined ? '' : `"operationName":${JSON.stringify(node.operationName)},`;
  const keyRenames = compileKeyRenames(node.outputRewrites);
  return {
    index,
    subgraph: node.serviceName,
    kind: node.operationKind === OperationTypeNode.MUTATION ? 'mutation' : 'query',
    path,
    opening: `{"query":${JSON.stringify(text)},${operationName}"variables":{`,
    variables,
    keys: filledKeys(node, isEntityFetch, keyRenames),
    outputRewrites: compileRewrites(schema, node.outputRewrites),
    keyRenames,
    entities: node.requires && {
      print: compileRepresentations({ schema, requires: node.requires, inputRewrites: node.inputRewrites }),
      requiredKeys: requiredKeysOf(node.requires),
      variable: `${JSON.stringify(variable)}:[`,
    },
  };
}

function filledKeys(node: FetchNode, isEntityFetch: boolean, renames: readonly KeyRename[]): readonly string[] {
  const document = node.operationDocumentNode ?? parse(node.operation, { noLocation: true });
  const fragments = fragmentsOf(document);
  const operation = document.definitions.find(
    (definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION,
  );
  const fields = operation === undefined ? [] : fieldsIn(operation.selectionSet, fragments);
  const own = isEntityFetch
    ? fields.flatMap(({ selectionSet }) => (selectionSet === undefined ? [] : fieldsIn(selectionSet, fragments)))
    : fields;
  const keys = new Set(own.map(({ alias, name }) => alias?.value ?? name.value));
  for (const { path, key } of renames) {
    if (path.length === 1 && keys.delete(path[0] ?? '')) keys.add(key);
  }
  return [...keys];
}

/** All fields of a selection set, those in fragments included, whatever their types. */
function fieldsIn(selectionSet: SelectionSetNode, fragments: ReadonlyMap<string, FragmentDefinitionNode>): readonly FieldNode[] {
  return selectionSet.selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    const inner = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
    return inner === undefined ? [] : fieldsIn(inner.selectionSet, fragments);
  });
}
