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

/** Query parameter with which clients turn the total count off. */
export const COUNT_PARAMETER = 'count';

/** Position of the items of a collection in the result. */
export interface CollectionMapping {
  /** Position of the list: `nodes`, `edges` with a `node` each, or the result itself. */
  readonly list: 'nodes' | 'edges' | 'itself';
  /** Whether the body is a plain array. Pagination data is then sent in headers. */
  readonly isBare: boolean;
  /** Whether the collection returns the total number of items. */
  readonly hasTotal: boolean;
  /** Whether the collection returns `pageInfo`. */
  readonly hasPageInfo: boolean;
}

const PATHS = { nodes: ['nodes'], edges: ['edges', 'node'], itself: [] } as const;

/** Returns the response names from the result to an item. The first of them is the list. */
export function pathToItems({ list }: Pick<CollectionMapping, 'list'>): readonly string[] {
  return PATHS[list];
}

/** Returns the number of steps in an error path from the result to an item: names, plus the index in the list. */
export function stepsToItems(collection: CollectionMapping | undefined): number {
  return collection === undefined ? 0 : pathToItems(collection).length + 1;
}

/** Lists the fields of a page, which must have these names. */
const HINT =
  'Select `nodes { … }` or `edges { node { … } }`, together with `pageInfo { hasNextPage endCursor }`, `totalCount`, or both. Do not use aliases.';

/** A collection, with the selection of one item. */
export interface CompiledCollection {
  readonly collection: CollectionMapping;
  readonly items: { readonly selectionSet: SelectionSetNode; readonly owner: FieldNode };
}

/** Compiles the items of a connection or plain list, and its pagination fields. */
export function compileCollection({ node, field }: ResultStep, isBare: boolean, report: ProblemReport): CompiledCollection | undefined {
  if (isList(field.type)) {
    if (node.selectionSet === undefined || !isBare) {
      report.at(
        node,
        'A list cannot be the result of shape PAGE, because it has no page information.',
        'Mark it with @result(shape: LIST) and select fields of its items.',
      );
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
    report.at(node, 'The page does not select all fields that its response needs.', HINT);
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
