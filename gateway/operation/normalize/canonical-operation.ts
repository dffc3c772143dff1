import {
  type DirectiveNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type TypeNode,
} from 'graphql';
import { RESERVED } from '../validation/reserved-name-rule.ts';
import { createWriter, type Writer, writeSelections } from './canonical-writer.ts';
import { printLiteral } from './literals.ts';
import { type SchemaShapes, shapesOf } from './schema-shapes.ts';

/** A normalized operation (white space, names and literals removed), plus the data needed to map its response back to the client. */
export interface CanonicalOperation {
  /**
   * A document with this one operation. Texts that differ only in white space, comments, names (of the operation, fragments, variables and
   * aliases), literals and argument order share one canonical text.
   */
  readonly text: string;
  /** Maps canonical response keys to the client's response keys, where the two differ. A key has the same alias in the whole operation. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Values of the literals that became variables, by canonical name. */
  readonly literals: Readonly<Record<string, unknown>>;
  /** Variables of the client. */
  readonly variables: readonly CanonicalVariable[];
  /** Variables that `@skip` and `@include` depend on. */
  readonly conditions: readonly CanonicalVariable[];
  /** Conditions of `@defer`. Present when a `@defer` may be active. */
  readonly defer?: DeferConditions;
}

/** Conditions that decide whether incremental payloads exist. */
export interface DeferConditions {
  /** Whether a `@defer` is always active. */
  readonly isAlways: boolean;
  /** Variables in the `if` arguments of the other `@defer` directives. */
  readonly variables: readonly CanonicalVariable[];
}

export interface CanonicalVariable {
  /** Name in the client's document. */
  readonly name: string;
  /** Name in the canonical document. */
  readonly canonicalName: string;
}

/**
 * Normalizes one operation of a document.
 *
 * @param isWhole whether the document has no other operation; a definition that the operation does not use then makes the document invalid
 * @returns undefined for an operation that cannot be normalized: it is invalid, introspects, or has directives other than `@skip` and
 * `@include`
 */
export type Canonicalize = (document: DocumentNode, operation: OperationDefinitionNode, isWhole: boolean) => CanonicalOperation | undefined;

/**
 * Creates a function that writes operations of one schema in canonical form. It accepts any document, valid or not. The canonical text
 * alone determines whether a normalized operation is valid: information that the text omits was either checked or is irrelevant to all
 * validation rules. If one operation is valid, all operations with the same text are valid.
 *
 * Fields stay in the order of the document, because the response has this order (GraphQL, section 6.3.2). Different orders result in
 * different texts. Takes one pass, linear in the document.
 */
export function createCanonicalizer(schema: GraphQLSchema): Canonicalize {
  const shapes = shapesOf(schema);
  return (document, operation, isWhole) => {
    try {
      return canonicalize(shapes, document, operation, isWhole);
    } catch (error) {
      if (error instanceof RangeError) return undefined; // Too deep for the stack: this code follows spreads, which the parser does not.
      throw error;
    }
  };
}

function canonicalize(
  shapes: SchemaShapes,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  isWhole: boolean,
): CanonicalOperation | undefined {
  const root = shapes.root(operation.operation);
  const fragments = fragmentsOf(document);
  if (root === undefined || fragments === undefined || isReserved(operation.name?.value) || hasAny(operation.directives)) return undefined;
  const writer = createWriter(shapes, fragments, operation);
  if (!declareVariables(writer, operation)) return undefined;
  const selections = writeSelections(writer, operation.selectionSet, root);
  if (writer.isDoubtful || writer.variables.size !== writer.declared.size) return undefined;
  if (isWhole && writer.fragmentNames.size !== fragments.size) return undefined;
  return {
    text: `${operation.operation}${printDeclarations(writer)}${selections}${writer.fragmentTexts.join('')}`,
    aliases: writer.aliases,
    literals: writer.literals,
    variables: [...writer.variables].map(([name, canonicalName]) => ({ name, canonicalName })),
    conditions: [...writer.conditions].map((name) => ({ name, canonicalName: writer.variables.get(name) ?? name })),
  };
}

function isReserved(name: string | undefined): boolean {
  return name === RESERVED;
}

function hasAny(directives: readonly DirectiveNode[] | undefined): boolean {
  return directives !== undefined && directives.length > 0;
}

/** Collects the fragments of a document by name. Returns undefined when the document is certainly invalid or cannot be normalized. */
function fragmentsOf({ definitions }: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> | undefined {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) continue;
    if (definition.kind !== Kind.FRAGMENT_DEFINITION) return undefined;
    const { name, directives, variableDefinitions } = definition;
    if (fragments.has(name.value) || isReserved(name.value) || hasAny(directives)) return undefined;
    if (variableDefinitions !== undefined && variableDefinitions.length > 0) return undefined;
    fragments.set(name.value, definition);
  }
  return fragments;
}

function declareVariables({ declared }: Writer, { variableDefinitions = [] }: OperationDefinitionNode): boolean {
  for (const definition of variableDefinitions) {
    const name = definition.variable.name.value;
    if (declared.has(name) || isReserved(name) || hasAny(definition.directives)) return false;
    declared.set(name, definition);
  }
  return true;
}

function printDeclarations(writer: Writer): string {
  const { variables, declared, literalTypes } = writer;
  if (variables.size === 0 && literalTypes.length === 0) return '';
  const declarations: string[] = [];
  for (const [name, canonicalName] of variables) {
    const definition = declared.get(name);
    if (definition === undefined) continue;
    const { type, defaultValue } = definition;
    declarations.push(
      `$${canonicalName}:${typeTextOf(type)}${defaultValue === undefined ? '' : `=${printLiteral(defaultValue, (variable) => variable, false)}`}`,
    );
  }
  return `(${[...declarations, ...literalTypes].join(',')})`;
}

/** Prints a type reference as it is written in documents. */
function typeTextOf(type: TypeNode): string {
  if (type.kind === Kind.NAMED_TYPE) return type.name.value;
  return type.kind === Kind.LIST_TYPE ? `[${typeTextOf(type.type)}]` : `${typeTextOf(type.type)}!`;
}

/**
 * Returns the variables to execute a canonical operation with: the client's coerced variables under their canonical names, and the
 * literals. An absent variable remains absent.
 */
export function bindVariables(
  { literals, variables }: Pick<CanonicalOperation, 'literals' | 'variables'>,
  coerced: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (variables.length === 0) return literals;
  const bound: Record<string, unknown> = {};
  // A spread object that gets more members would have a new shape for each request.
  for (const name in literals) bound[name] = literals[name];
  for (const { name, canonicalName } of variables) {
    if (Object.hasOwn(coerced, name)) bound[canonicalName] = coerced[name];
  }
  return bound;
}
