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

/** Common names of arguments that limit the length of a list. */
const SLICING_ARGUMENTS: ReadonlySet<string> = new Set(['first', 'last', 'limit']);

/** Checks the rules for every selected field, at any depth. */
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

/** Reports `@nullOnError` on a non-null field: null would propagate to its parent, so no partial result would remain. */
function checkTolerance(node: FieldNode, { name, type }: GraphQLField<unknown, unknown>, report: ProblemReport): void {
  const nullOnError = useOf(node, 'nullOnError');
  if (nullOnError === undefined || !isNonNullType(type)) return;
  const hint = 'Remove @nullOnError, or put it on the nearest nullable parent field.';
  report.at(nullOnError.node, `@nullOnError cannot be used on ${name}, because the field is non-null.`, hint);
}

/** Requires a limit for every list that accepts one, so that the size of a response is bounded. */
function checkBounds(node: FieldNode, field: GraphQLField<unknown, unknown>, report: ProblemReport): void {
  const slicing = field.args.filter(({ name }) => SLICING_ARGUMENTS.has(name)).map(({ name }) => name);
  if (slicing.length === 0 || node.arguments?.some(({ name }) => slicing.includes(name.value))) return;
  report.at(
    node,
    `${field.name} has no limit for the length of its list.`,
    `Set \`${slicing[0]}\` to a number, or to a variable with @page(role: SIZE).`,
  );
}
