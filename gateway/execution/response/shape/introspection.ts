import {
  type ASTNode,
  executeSync,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import type { FieldShape } from './response-shape.ts';

/** Returns `node` and all fragments that it spreads, directly or through other fragments. */
function reachableDefinitions<T extends ASTNode>(
  node: T,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): readonly [T, ...FragmentDefinitionNode[]] {
  const found = new Set<FragmentDefinitionNode>();
  const follow = (definition: ASTNode): void => {
    visit(definition, {
      FragmentSpread(spread) {
        const fragment = fragments.get(spread.name.value);
        if (fragment === undefined || found.has(fragment)) return;
        found.add(fragment);
        follow(fragment);
      },
    });
  };
  follow(node);
  return [node, ...found];
}

/** Input for executing introspection fields. */
export interface IntrospectionInput {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
}

/**
 * Compiles `__schema` or `__type` at the root of a query. graphql-js executes the field on the public schema. Without variables, the result
 * is always the same and is cached.
 *
 * @param occurrences All selections of the field under its response key.
 */
export function compileIntrospection(
  { schema, operation, fragments }: IntrospectionInput,
  occurrences: readonly FieldNode[],
): NonNullable<FieldShape['local']> {
  const root = { kind: Kind.SELECTION_SET, selections: occurrences } as const;
  const [selectionSet, ...reached] = reachableDefinitions(root, fragments);
  const used = variablesIn([selectionSet, ...reached]);
  const document = {
    kind: Kind.DOCUMENT,
    definitions: [
      {
        kind: Kind.OPERATION_DEFINITION,
        operation: operation.operation,
        variableDefinitions: (operation.variableDefinitions ?? []).filter(({ variable }) => used.has(variable.name.value)),
        selectionSet,
      } as OperationDefinitionNode,
      ...reached,
    ],
  } as const;
  const respond = (variableValues: Readonly<Record<string, unknown>>): string => {
    const { data, errors } = executeSync({ schema, document, variableValues });
    if (errors !== undefined) throw new Error('Executing the introspection query on the public schema failed.', { cause: errors[0] });
    return JSON.stringify(Object.values(data ?? {})[0] ?? null);
  };
  if (used.size > 0) return (_depth, run) => respond(run.variables);
  let known: string | undefined;
  return () => {
    known ??= respond({});
    return known;
  };
}

function variablesIn(nodes: readonly Parameters<typeof visit>[0][]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of nodes) {
    visit(node, {
      Variable(variable) {
        names.add(variable.name.value);
      },
    });
  }
  return names;
}
