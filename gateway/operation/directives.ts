import type { DirectiveNode, ValueNode } from 'graphql';

/** What a directive is given for an argument, as it is written. */
export function argumentOf({ arguments: given }: DirectiveNode, name: string): ValueNode | undefined {
  return given?.find((argument) => argument.name.value === name)?.value;
}

/** The directives of clients that the gateway executes itself. */
const EXECUTED_HERE: ReadonlySet<string> = new Set(['skip', 'include', 'defer']);

/** Whether the gateway executes a directive of an operation itself. */
export function isExecutedHere({ name }: DirectiveNode): boolean {
  return EXECUTED_HERE.has(name.value);
}

const NONE: readonly DirectiveNode[] = [];

/** A node of an operation that may have directives. */
export interface AnnotatedNode {
  readonly directives?: readonly DirectiveNode[] | undefined;
}

/** The directives of a node that subgraphs execute, in the order of the document, which matters to them (GraphQL specification, 3.13). */
export function passedDirectives({ directives }: AnnotatedNode): readonly DirectiveNode[] {
  if (directives === undefined || directives.length === 0) return NONE;
  return directives.filter((directive) => !isExecutedHere(directive));
}
