import {
  type ArgumentNode,
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
  print,
} from 'graphql';
import { GatewayError } from '../platform/errors.ts';
import { selectOperation } from './select-operation.ts';

/** A mutation that may carry an idempotency key, and where the key goes. Plain data, the same for each request with its text. */
export interface KeyedMutation {
  /** Its root field, by the name that the schema has for it. */
  readonly field: string;
  /** Without white space that means nothing: equal texts are one request. */
  readonly text: string;
  /** What is executed, where the argument had to be added. @defaultValue what the client sent */
  readonly rewritten?: { readonly text: string; readonly document: DocumentNode };
  /**
   * Where the key goes down: into a variable, or it stands in the document already.
   *
   * @defaultValue nowhere: the field takes none
   */
  readonly place?: { readonly variable: string } | { readonly literal: string };
}

/** By its name: whoever takes it promises to have the effect once for one key of one caller. */
const ARGUMENT = 'idempotencyKey';

/** What the variable is called where the client declares none; lengthened until no other is called so. */
const VARIABLE = 'idempotencyKeyOfHeader';

/**
 * Finds the place of the key in an operation; undefined for a query or a subscription.
 *
 * @throws GatewayError `BAD_REQUEST` for a mutation with several root fields: one key cannot stand for two effects
 * @throws OperationRefused `OPERATION_RESOLUTION_FAILURE`
 */
export function keyMutation(schema: GraphQLSchema, document: DocumentNode, operationName?: string): KeyedMutation | undefined {
  const operation = selectOperation(document, operationName);
  if (operation.operation !== OperationTypeNode.MUTATION) return undefined;
  const field = onlyFieldOf(operation);
  const named = { field: field.name.value, text: print(document) };
  const argument = argumentOf(schema, named.field);
  if (argument === undefined) return named;
  const given = field.arguments?.find(({ name }) => name.value === ARGUMENT)?.value;
  if (given?.kind === Kind.VARIABLE) return { ...named, place: { variable: given.name.value } };
  if (given?.kind === Kind.STRING) return { ...named, place: { literal: given.value } };
  if (given !== undefined && given.kind !== Kind.NULL) return named; // of another type: refused where it is validated
  const variable = freeName(operation);
  const rewritten = withArgument(document, { operation, field, variable, type: getNamedType(argument.type).name });
  return { ...named, rewritten: { text: print(rewritten), document: rewritten }, place: { variable } };
}

function onlyFieldOf({ selectionSet }: OperationDefinitionNode): FieldNode {
  const [first, second] = selectionSet.selections;
  if (first?.kind === Kind.FIELD && second === undefined) return first;
  throw new GatewayError('BAD_REQUEST', 'With an Idempotency-Key, a mutation has one root field, and that outside of fragments.');
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

function withArgument(document: DocumentNode, { operation, field, variable, type }: Addition): DocumentNode {
  const reference = { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: variable } } as const;
  const argument: ArgumentNode = { kind: Kind.ARGUMENT, name: { kind: Kind.NAME, value: ARGUMENT }, value: reference };
  const others = field.arguments?.filter(({ name }) => name.value !== ARGUMENT) ?? [];
  const keyed: OperationDefinitionNode = {
    ...operation,
    variableDefinitions: [
      ...(operation.variableDefinitions ?? []),
      {
        kind: Kind.VARIABLE_DEFINITION,
        variable: reference,
        type: { kind: Kind.NON_NULL_TYPE, type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: type } } },
      },
    ],
    selectionSet: { ...operation.selectionSet, selections: [{ ...field, arguments: [...others, argument] }] },
  };
  return { ...document, definitions: document.definitions.map((definition) => (definition === operation ? keyed : definition)) };
}
