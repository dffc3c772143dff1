import {
  type FieldNode,
  getNamedType,
  getNullableType,
  type GraphQLOutputType,
  isListType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import type { ResultStep } from '../documents/selections.ts';
import type { ProblemReport } from '../mapping-problems.ts';

/** Parameter by which clients say that they need no total. */
export const COUNT_PARAMETER = 'count';

/** How the items of an answer stand at its result. */
export interface CollectionMapping {
  /** Where the list stands: in `nodes`, in `edges` of which each has a `node`, or it is the result itself. */
  readonly list: 'nodes' | 'edges' | 'itself';
  /** The items alone are the body: what is told of them stands in headers. */
  readonly isBare: boolean;
  /** Whether it tells how many items there are. */
  readonly hasTotal: boolean;
  /** Whether it tells what comes next: `pageInfo`. */
  readonly hasPageInfo: boolean;
}

const WAYS = { nodes: ['nodes'], edges: ['edges', 'node'], itself: [] } as const;

/** Response names from the result to an item; the first of them has the list. */
export function wayToItems({ list }: Pick<CollectionMapping, 'list'>): readonly string[] {
  return WAYS[list];
}

/** So many steps of an error's path lead from the result to an item: names, and its place in the list. */
export function stepsToItems(collection: CollectionMapping | undefined): number {
  return collection === undefined ? 0 : wayToItems(collection).length + 1;
}

/** A page reads these, by these names. */
const HINT =
  'A page selects `nodes { … }`, or `edges { node { … } }`, and `pageInfo { hasNextPage endCursor }`, `totalCount`, or both, without aliases.';

/** A collection, and what is selected of one item. */
export interface CompiledCollection {
  readonly collection: CollectionMapping;
  readonly items: { readonly selectionSet: SelectionSetNode; readonly owner: FieldNode };
}

/** The items of a connection, or of a plain list, and what is told of them. */
export function compileCollection({ node, field }: ResultStep, isBare: boolean, report: ProblemReport): CompiledCollection | undefined {
  if (isList(field.type)) {
    if (node.selectionSet === undefined || !isBare) {
      report.at(node, 'A list does not tell what a page does.', 'Mark it with @result(shape: LIST).');
      return undefined;
    }
    return {
      collection: { list: 'itself', isBare, hasTotal: false, hasPageInfo: false },
      items: { selectionSet: node.selectionSet, owner: node },
    };
  }
  const type = getNamedType(field.type);
  const fields = isObjectType(type) ? type.getFields() : {};
  const nodes = select(node, 'nodes');
  const edges = select(node, 'edges');
  const list = nodes ?? edges;
  const item = nodes ?? (edges && select(edges, 'node'));
  const pageInfo = select(node, 'pageInfo');
  const hasPageInfo =
    pageInfo !== undefined && select(pageInfo, 'hasNextPage') !== undefined && select(pageInfo, 'endCursor') !== undefined;
  const hasTotal = select(node, 'totalCount') !== undefined;
  const listType = list && fields[list.name.value]?.type;
  const isWhole = listType !== undefined && isList(listType) && (hasPageInfo || hasTotal || isBare);
  if (!isWhole || item?.selectionSet === undefined) {
    report.at(node, 'The page lacks a part of what its answer tells.', HINT);
    return undefined;
  }
  return {
    collection: { list: nodes === undefined ? 'edges' : 'nodes', isBare, hasTotal, hasPageInfo },
    items: { selectionSet: item.selectionSet, owner: item },
  };
}

function isList(type: GraphQLOutputType): boolean {
  return isListType(getNullableType<GraphQLOutputType>(type));
}

function select(node: FieldNode, name: string): FieldNode | undefined {
  return node.selectionSet?.selections.find(
    (selection): selection is FieldNode => selection.kind === Kind.FIELD && selection.alias === undefined && selection.name.value === name,
  );
}
