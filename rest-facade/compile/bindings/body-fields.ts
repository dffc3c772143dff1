import {
  type ASTNode,
  getNamedType,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputFieldConfig,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLNonNull,
  type GraphQLSchema,
  isInputObjectType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  valueFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { DirectiveArguments, DirectiveUse } from '../documents/directives.ts';
import type { ProblemReport } from '../mapping-problems.ts';
import type { TypedVariable } from './variables.ts';

/** A variable that is one field of the body: `$title: String! @body(field: "title")`. */
export interface BodyField extends TypedVariable {
  readonly use: DirectiveUse<DirectiveArguments['body']>;
  /** Name of the field in the body. */
  readonly field: string;
}

/** The operation that a body belongs to. */
interface ComposedBody {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  /** Name of the operation. */
  readonly name: string;
}

/**
 * Composes the variables of a body to one input type, so that a body of plain arguments has the same rules as an input object of the graph:
 * the same errors, defaults, limits and description. The fields of the type have the names of the variables.
 */
export function composeBody(
  { schema, operation, name }: ComposedBody,
  fields: readonly BodyField[],
  report: ProblemReport,
): GraphQLInputObjectType {
  checkFields(fields, report);
  const uses = usesOfVariables(schema, operation);
  return new GraphQLInputObjectType({
    name: freeTypeName(schema, `${name}Body`),
    fields: Object.fromEntries(fields.map((variable) => [variable.name, toInputField(variable, uses.get(variable.name) ?? [])])),
  });
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

function checkFields(fields: readonly BodyField[], report: ProblemReport): void {
  const owners = new Map<string, string>();
  for (const { use, name, field } of fields) {
    const { node, values } = use;
    const owner = owners.get(field);
    if (owner !== undefined)
      report.at(
        node,
        `$${owner} and $${name} are the same field "${field}" of the body.`,
        'Use one variable wherever the value is needed.',
      );
    owners.set(field, name);
    if (!NAME.test(field))
      report.at(node, `"${field}" is not a valid field name.`, 'Use letters, digits and underscores, and do not start with a digit.');
    if (values.names.length > 0)
      report.at(node, `\`names\` has no effect on $${name}, which is one field of the body.`, 'Write the name for clients in `field`.');
    if (values.integers.length > 0)
      report.at(node, `\`integers\` has no effect on $${name}, which is one field of the body.`, 'Add @integer to the variable.');
  }
}

/** The name must differ from the types of the graph, because the API description has one schema for each input type. */
function freeTypeName(schema: GraphQLSchema, wished: string): string {
  let name = wished;
  for (let count = 2; schema.getType(name) !== undefined; count += 1) name = `${wished}${count}`;
  return name;
}

/** One position of a variable in an operation. */
interface VariableUse {
  readonly type: GraphQLInputType | undefined;
  /** Argument or input field whose value the variable is. Undefined for an item of a list. */
  readonly owner: GraphQLArgument | GraphQLInputField | undefined;
}

/** Finds the positions of all variables. */
function usesOfVariables(schema: GraphQLSchema, operation: OperationDefinitionNode): ReadonlyMap<string, readonly VariableUse[]> {
  const typeInfo = new TypeInfo(schema);
  const uses = new Map<string, VariableUse[]>();
  const collect = {
    [Kind.VARIABLE_DEFINITION]: () => false as const,
    [Kind.VARIABLE]: (
      { name }: { readonly name: { readonly value: string } },
      _key: unknown,
      parent: ASTNode | readonly ASTNode[] | undefined,
    ) => {
      const known = uses.get(name.value) ?? [];
      uses.set(name.value, known);
      known.push({ type: typeInfo.getInputType() ?? undefined, owner: ownerOf(typeInfo, parent) });
    },
  };
  visit(operation, visitWithTypeInfo(typeInfo, collect));
  return uses;
}

function ownerOf(typeInfo: TypeInfo, parent: ASTNode | readonly ASTNode[] | undefined): VariableUse['owner'] {
  if (parent === undefined || !('kind' in parent)) return undefined;
  if (parent.kind === Kind.ARGUMENT) return typeInfo.getArgument() ?? undefined;
  if (parent.kind !== Kind.OBJECT_FIELD) return undefined;
  const object = getNamedType(typeInfo.getParentInputType());
  return isInputObjectType(object) ? object.getFields()[parent.name.value] : undefined;
}

/**
 * Converts a variable to a field. Without a default, an absent variable has the default of the argument that receives it. A nullable
 * variable can be passed to a non-null argument with a default, where null is invalid.
 */
function toInputField({ node, type }: BodyField, uses: readonly VariableUse[]): GraphQLInputFieldConfig {
  const [owner] = uses.flatMap((use) => use.owner ?? []);
  const fallback =
    node.defaultValue === undefined
      ? uses.find((use) => use.owner?.defaultValue !== undefined)?.owner?.defaultValue
      : valueFromAST(node.defaultValue, type);
  const isNonNull = uses.some((use) => isNonNullType(use.type)) && !isNonNullType(type);
  return {
    type: isNonNull ? new GraphQLNonNull(type) : type,
    ...(fallback === undefined ? {} : { defaultValue: fallback }),
    ...(owner?.description == null ? {} : { description: owner.description }),
    ...(owner?.deprecationReason == null ? {} : { deprecationReason: owner.deprecationReason }),
  };
}
