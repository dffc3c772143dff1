import {
  type FieldNode,
  getNamedType,
  type GraphQLField,
  type GraphQLSchema,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { useOf } from '../documents/directives.ts';
import { type ProblemReport, reportNoId } from '../mapping-problems.ts';

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
    checkTolerance(node, field, report);
    checkBounds(node, field, report);
  };
  visit(operation, visitWithTypeInfo(typeInfo, { [Kind.FIELD]: { enter: check } }));
}

/** What is never null takes with it what is around it, and there would be nothing left to be told. */
function checkTolerance(node: FieldNode, { name, type }: GraphQLField<unknown, unknown>, report: ProblemReport): void {
  const tolerated = useOf(node, 'tolerated');
  if (tolerated === undefined || !isNonNullType(type)) return;
  const hint = 'Leave @tolerated out, or put it on the nearest field around it that may be null.';
  report.at(tolerated.node, `@tolerated stands on ${name}, which the graph never lets be null.`, hint);
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
