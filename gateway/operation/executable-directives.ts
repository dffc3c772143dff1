import type { DirectiveNode, ValueNode } from 'graphql';

/** Returns the value of a directive argument as written in the document. */
export function argumentOf({ arguments: given }: DirectiveNode, name: string): ValueNode | undefined {
  return given?.find((argument) => argument.name.value === name)?.value;
}

/** Directives of operations that the gateway executes itself. */
const EXECUTED_HERE: ReadonlySet<string> = new Set(['skip', 'include', 'defer']);

/** Whether the gateway itself executes a directive of an operation. */
export function isExecutedHere({ name }: DirectiveNode): boolean {
  return EXECUTED_HERE.has(name.value);
}

const NONE: readonly DirectiveNode[] = [];

/** A node of an operation that can have directives. */
export interface AnnotatedNode {
  readonly directives?: readonly DirectiveNode[] | undefined;
}

/**
 * Returns the directives of a node that subgraphs execute. The order of the document is preserved because it is significant (GraphQL
 * specification, 3.13).
 */
export function passedDirectives({ directives }: AnnotatedNode): readonly DirectiveNode[] {
  if (directives === undefined || directives.length === 0) return NONE;
  return directives.filter((directive) => !isExecutedHere(directive));
}
