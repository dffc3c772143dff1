import { type FieldNode, type GraphQLOutputType, Kind, getNamedType, getNullableType, isListType, isObjectType } from 'graphql';
import type { Step } from './result-step.ts';
import type { ProblemReport } from './problem.ts';
import { type Shape, compileShape } from './shape.ts';

/** A page reads these, by these names. */
const HINT = 'A page selects `nodes { … } totalCount pageInfo { hasNextPage endCursor }` of a connection, without aliases.';

/** The shape of one item of a connection, whose selection must hold all that a page tells. */
export function compilePageShape({ node, field }: Step, report: ProblemReport): Shape | undefined {
  const nodes = select(node, 'nodes');
  const pageInfo = select(node, 'pageInfo');
  const isWhole = select(node, 'totalCount') && pageInfo && select(pageInfo, 'hasNextPage') && select(pageInfo, 'endCursor');
  const type = getNamedType(field.type);
  const items = isObjectType(type) ? type.getFields()['nodes']?.type : undefined;
  if (!isWhole || nodes?.selectionSet === undefined || items === undefined || !isListType(getNullableType<GraphQLOutputType>(items))) {
    report.at(node, 'The page lacks a part of what its answer tells.', HINT);
    return undefined;
  }
  return compileShape(nodes.selectionSet);
}

function select(node: FieldNode, name: string): FieldNode | undefined {
  return node.selectionSet?.selections.find(
    (selection): selection is FieldNode => selection.kind === Kind.FIELD && selection.alias === undefined && selection.name.value === name,
  );
}
