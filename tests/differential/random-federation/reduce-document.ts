import { type ASTNode, type ASTVisitor, type DocumentNode, type GraphQLSchema, Kind, parse, print, validate, visit } from 'graphql';
import { withoutUnused } from '../../support/graphql/without-unused.ts';

/** Kinds of nodes that can be removed from an operation. */
export const OPERATION_NODES: readonly string[] = [
  Kind.OPERATION_DEFINITION,
  Kind.FIELD,
  Kind.INLINE_FRAGMENT,
  Kind.FRAGMENT_SPREAD,
  Kind.DIRECTIVE,
  Kind.ARGUMENT,
];

/** Returns the document without the removable node of this index, or undefined if there are fewer. */
export function without(document: DocumentNode, kinds: readonly string[], index: number): DocumentNode | undefined {
  let counter = -1;
  let isFound = false;
  const visitor: ASTVisitor = {
    enter(node: ASTNode, _key, parent) {
      // The name of a field's type is not a list item, and remains.
      if (isFound || !kinds.includes(node.kind) || !Array.isArray(parent)) return undefined;
      counter += 1;
      if (counter < index) return undefined;
      isFound = true;
      return null;
    },
  };
  const smaller: DocumentNode = visit(document, visitor);
  return isFound ? smaller : undefined;
}

/** Returns the document with the fragment of this index replaced by its selections. */
export function unwrap(document: DocumentNode, index: number): DocumentNode | undefined {
  let counter = -1;
  const named = new Map(
    document.definitions.flatMap((item) => (item.kind === Kind.FRAGMENT_DEFINITION ? [[item.name.value, item] as const] : [])),
  );
  const flatter: DocumentNode = visit(document, {
    SelectionSet: (node) => ({
      ...node,
      selections: node.selections.flatMap((selection) => {
        if (selection.kind === Kind.FIELD) return [selection];
        counter += 1;
        if (counter !== index) return [selection];
        if (selection.kind === Kind.INLINE_FRAGMENT) return selection.selectionSet.selections;
        return named.get(selection.name.value)?.selectionSet.selections ?? [];
      }),
    }),
  });
  return counter >= index ? flatter : undefined;
}

/** Removes unused fragments and variables. Returns undefined when the rest is not valid. */
export function pruneOperation(document: DocumentNode, schema: GraphQLSchema): string | undefined {
  try {
    const text = print(withoutUnused(parse(print(document), { noLocation: true })));
    return validate(schema, parse(text)).length > 0 ? undefined : text;
  } catch {
    // The removal made the syntax invalid.
    return undefined;
  }
}

/** Counts the occurrences of each variable in a text, including its declaration. */
export function usesOfVariables(text: string): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  for (const [, name = ''] of text.matchAll(/\$(\w+)/g)) uses.set(name, (uses.get(name) ?? 0) + 1);
  return uses;
}

/** Removes everything from an operation that can be removed while it stays valid and `isSame` holds. */
export function shrinkOperationText(text: string, schema: GraphQLSchema, isSame: (text: string) => boolean): string {
  let best = text;
  for (const reduce of [unwrap, (document: DocumentNode, index: number) => without(document, OPERATION_NODES, index)]) {
    for (let index = 0; ; ) {
      const reduced = reduce(parse(best, { noLocation: true }), index);
      if (reduced === undefined) break;
      const smaller = pruneOperation(reduced, schema);
      if (smaller !== undefined && smaller.length < best.length && isSame(smaller)) best = smaller;
      else index += 1;
    }
  }
  return best;
}
