import { type DocumentNode, type FieldNode, Kind, OperationTypeNode, type SelectionNode, type SelectionSetNode } from 'graphql';

/** Content of a nested document: `root { step step step … leaf }`. */
export interface Nesting {
  readonly root: string;
  /** Fields that are repeated at every level. */
  readonly steps: readonly string[];
  readonly leaf: string;
  readonly levels: number;
}

/**
 * Creates a document that is nested deeper than any parser allows. The root field is selected twice, so that the merging of fields is
 * tested, too.
 */
export function nestedDocument({ root, steps, leaf, levels }: Nesting): DocumentNode {
  let selectionSet = select(field(leaf));
  for (let level = 0; level < levels; level += 1) {
    for (const step of steps.toReversed()) selectionSet = select(field(step, selectionSet));
  }
  return queryFor(select(field(root, selectionSet), field(root, selectionSet)));
}

function queryFor(selectionSet: SelectionSetNode): DocumentNode {
  return {
    kind: Kind.DOCUMENT,
    definitions: [{ kind: Kind.OPERATION_DEFINITION, operation: OperationTypeNode.QUERY, selectionSet }],
  };
}

function field(value: string, selectionSet?: SelectionSetNode): FieldNode {
  const name = { kind: Kind.NAME, value } as const;
  return selectionSet === undefined ? { kind: Kind.FIELD, name } : { kind: Kind.FIELD, name, selectionSet };
}

function select(...selections: readonly SelectionNode[]): SelectionSetNode {
  return { kind: Kind.SELECTION_SET, selections };
}
