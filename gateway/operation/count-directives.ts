import type { ASTNode, DirectiveNode, DocumentNode, SelectionNode, SelectionSetNode } from 'graphql';
import { Kind } from 'graphql';

/** Directives as they are written; expanding a fragment adds none. */
export interface DirectiveCount {
  readonly total: number;
  /** The first place with the most of them; absent when there is none. */
  readonly fullest?: { readonly node: ASTNode; readonly count: number };
}

/** Counts the directives of all operations and fragments, used or not, without recursion. */
export function countDirectives({ definitions }: DocumentNode): DirectiveCount {
  let total = 0;
  let fullest: DirectiveCount['fullest'];
  const count = (node: SelectionNode | DirectedNode): void => {
    const here = node.directives?.length ?? 0;
    total += here;
    if (here > (fullest?.count ?? 0)) fullest = { node, count: here };
  };

  const pending: SelectionSetNode[] = [];
  for (const definition of definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION && definition.kind !== Kind.FRAGMENT_DEFINITION) continue; // not executable
    count(definition);
    for (const variable of definition.variableDefinitions ?? []) count(variable);
    pending.push(definition.selectionSet);
    for (let set = pending.pop(); set !== undefined; set = pending.pop()) {
      for (const selection of set.selections) {
        count(selection);
        if ('selectionSet' in selection && selection.selectionSet !== undefined) pending.push(selection.selectionSet);
      }
    }
  }
  return fullest === undefined ? { total } : { total, fullest };
}

type DirectedNode = ASTNode & { readonly directives?: readonly DirectiveNode[] | undefined };
