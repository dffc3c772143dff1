import {
  type FieldNode,
  type GraphQLField,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  getNamedType,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { useOf } from './directive-values.ts';
import type { ProblemReport } from './problem.ts';
import { reportNoId } from './report-no-id.ts';

/** Arguments that cut a list, by the usual names. */
const SLICING_ARGUMENTS: ReadonlySet<string> = new Set(['first', 'last', 'limit']);

/** What must hold for every selected field, wherever it stands. */
export function checkSelections(schema: GraphQLSchema, operation: OperationDefinitionNode, report: ProblemReport): void {
  const typeInfo = new TypeInfo(schema);
  const check = (node: FieldNode): void => {
    const field = typeInfo.getFieldDef();
    if (field === null || field === undefined) return;
    const integer = useOf(node, 'integer');
    if (integer !== undefined && getNamedType(field.type).name !== 'ID') reportNoId(integer.node, field.name, report);
    checkBounds(node, field, report);
  };
  visit(operation, visitWithTypeInfo(typeInfo, { [Kind.FIELD]: { enter: check } }));
}

/** A list that can be cut must be cut: an answer of any size is no contract. */
function checkBounds(node: FieldNode, field: GraphQLField<unknown, unknown>, report: ProblemReport): void {
  const slicing = field.args.filter(({ name }) => SLICING_ARGUMENTS.has(name)).map(({ name }) => name);
  if (slicing.length === 0 || node.arguments?.some(({ name }) => slicing.includes(name.value))) return;
  report.at(
    node,
    `Nothing says how many ${field.name} the answer may have.`,
    `Give \`${slicing[0]}\`: a number, or a variable with @page(role: SIZE).`,
  );
}
