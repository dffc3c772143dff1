import {
  type FieldNode,
  type GraphQLOutputType,
  Kind,
  type SelectionSetNode,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
} from 'graphql';
import type { CollectionMapping } from './collection.ts';
import type { ProblemReport } from './problem.ts';
import type { Step } from './result-step.ts';

/** A page reads these, by these names. */
const HINT =
  'A page selects `nodes { … }`, or `edges { node { … } }`, and `pageInfo { hasNextPage endCursor }`, `totalCount`, or both, without aliases.';

/** A collection, and what is selected of one item. */
export interface CompiledCollection {
  readonly collection: CollectionMapping;
  readonly items: { readonly selectionSet: SelectionSetNode; readonly owner: FieldNode };
}

/** The items of a connection, or of a plain list, and what is told of them. */
export function compileCollection({ node, field }: Step, isBare: boolean, report: ProblemReport): CompiledCollection | undefined {
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
