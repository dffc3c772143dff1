import {
  type ASTNode,
  type DocumentNode,
  type FieldNode,
  getNamedType,
  type GraphQLArgument,
  type GraphQLSchema,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  TokenKind,
} from 'graphql';
import { GatewayError } from '../platform/errors.ts';
import { selectOperation } from './select-operation.ts';

/** A mutation that can carry an idempotency key, and the location of the key. Plain data, the same for every request with this text. */
export interface KeyedMutation {
  /** Name of its root field in the schema. */
  readonly field: string;
  /** Text of the document to execute, when the argument had to be added. @defaultValue the text that the client sent */
  readonly rewritten?: string;
  /** Location of the key: a variable, or a literal in the document. @defaultValue none: the field has no argument for the key */
  readonly location?: { readonly variable: string } | { readonly literal: string };
}

/** Argument that is recognized by its name. A subgraph that declares it promises to apply each key of a caller at most once. */
const ARGUMENT = 'idempotencyKey';

/** Name of the added variable when the client declares none. Underscores are appended until the name is unique. */
const VARIABLE = 'idempotencyKeyOfHeader';

/**
 * Finds the location of the idempotency key in an operation. Returns undefined for a query or a subscription.
 *
 * @param text document of the client, within the limits of documents
 * @param document the same text, parsed with locations
 * @throws GatewayError `BAD_REQUEST` for a mutation with several root fields, because one key cannot identify two effects
 * @throws OperationRejected `OPERATION_RESOLUTION_FAILURE` when the document does not define the operation
 */
export function keyMutation(
  schema: GraphQLSchema,
  text: string,
  document: DocumentNode,
  operationName?: string,
): KeyedMutation | undefined {
  const operation = selectOperation(document, operationName);
  if (operation.operation !== OperationTypeNode.MUTATION) return undefined;
  const field = onlyFieldOf(operation);
  const named = { field: field.name.value };
  const argument = argumentOf(schema, named.field);
  if (argument === undefined) return named;
  const given = field.arguments?.find(({ name }) => name.value === ARGUMENT)?.value;
  if (given?.kind === Kind.VARIABLE) return { ...named, location: { variable: given.name.value } };
  if (given?.kind === Kind.STRING) return { ...named, location: { literal: given.value } };
  if (given !== undefined && given.kind !== Kind.NULL) return named; // Validation rejects a value of another type.
  const variable = freeName(operation);
  const rewritten = withArgument(text, { operation, field, variable, type: getNamedType(argument.type).name });
  return { ...named, rewritten, location: { variable } };
}

function onlyFieldOf({ selectionSet }: OperationDefinitionNode): FieldNode {
  const [first, second] = selectionSet.selections;
  if (first?.kind === Kind.FIELD && second === undefined) return first;
  throw new GatewayError(
    'BAD_REQUEST',
    'A mutation with the header Idempotency-Key must have exactly one root field, and the field must not be in a fragment.',
  );
}

function argumentOf(schema: GraphQLSchema, field: string): GraphQLArgument | undefined {
  const fields = schema.getMutationType()?.getFields() ?? {};
  const argument = fields[field]?.args.find(({ name }) => name === ARGUMENT);
  if (argument === undefined) return undefined;
  const { type } = argument;
  const isText = ['String', 'ID'].includes(getNamedType(type).name) && !isListType(isNonNullType(type) ? type.ofType : type);
  return isText ? argument : undefined;
}

function freeName({ variableDefinitions = [] }: OperationDefinitionNode): string {
  const taken = new Set(variableDefinitions.map(({ variable }) => variable.name.value));
  let name = VARIABLE;
  while (taken.has(name)) name += '_';
  return name;
}

interface Addition {
  readonly operation: OperationDefinitionNode;
  readonly field: FieldNode;
  readonly variable: string;
  readonly type: string;
}

/**
 * Inserts the argument and its variable into the text. The rest of the client's text is unchanged, because printing the document again
 * could make it many times longer.
 */
function withArgument(text: string, { operation, field, variable, type }: Addition): string {
  const given = field.arguments?.find(({ name }) => name.value === ARGUMENT);
  const [firstArgument] = field.arguments ?? [];
  const argument = `${ARGUMENT}: $${variable}`;
  const declaration = `$${variable}: ${type}!`;
  const [firstVariable] = operation.variableDefinitions ?? [];
  const declared =
    firstVariable === undefined
      ? { at: endOfHead(operation), insert: `(${declaration})` }
      : { at: startOf(firstVariable), insert: `${declaration} ` };
  const head = text.slice(0, declared.at) + declared.insert;
  if (given !== undefined) return head + text.slice(declared.at, startOf(given)) + argument + text.slice(endOf(given));
  if (firstArgument !== undefined) {
    const start = startOf(firstArgument);
    return `${head}${text.slice(declared.at, start)}${argument} ${text.slice(start)}`;
  }
  const end = endOf(field.name);
  return `${head}${text.slice(declared.at, end)}(${argument})${text.slice(end)}`;
}

/** Returns the offset of the variable definitions of an operation: after its name, or after the word `mutation`. */
function endOfHead({ name, loc }: OperationDefinitionNode): number {
  if (name !== undefined) return endOf(name);
  let token = loc?.startToken;
  while (token !== undefined && token !== null && token.kind !== TokenKind.NAME) token = token.next ?? undefined;
  if (token === undefined || token === null) throw new Error('The operation was parsed without locations.');
  return token.end;
}

function startOf({ loc }: ASTNode): number {
  if (loc === undefined) throw new Error('The document was parsed without locations.');
  return loc.start;
}

function endOf({ loc }: ASTNode): number {
  if (loc === undefined) throw new Error('The document was parsed without locations.');
  return loc.end;
}
