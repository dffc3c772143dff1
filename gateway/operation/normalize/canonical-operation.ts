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

/** An operation without what makes no difference to its validity and its plan, and what it takes to answer its client. */
export interface CanonicalOperation {
  /**
   * A document with this one operation. Texts that differ in white space, comments, names (of the operation, of fragments,
   * of variables, of aliases), literals and the order of arguments have one canonical text.
   */
  readonly text: string;
  /** From canonical response keys to the client's, where they differ. The same key has one other name in the whole operation. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Values of the literals that became variables, by canonical name. */
  readonly literals: Readonly<Record<string, unknown>>;
  /** The client's variables. */
  readonly variables: readonly CanonicalVariable[];
  /** Those of them that `@skip` and `@include` depend on. */
  readonly conditions: readonly CanonicalVariable[];
  /** Present where there is a `@defer` that may be on. */
  readonly defer?: DeferConditions;
}

/** What decides whether something comes later. */
export interface DeferConditions {
  /** Whether there is a `@defer` that is always on. */
  readonly isAlways: boolean;
  /** The variables in `if` of the others. */
  readonly variables: readonly CanonicalVariable[];
}

export interface CanonicalVariable {
  /** In the client's document. */
  readonly name: string;
  /** In the canonical one. */
  readonly canonicalName: string;
}

/**
 * @param isWhole whether the document has no other operation: one with a definition that its operation does not use is not valid then
 * @returns undefined for an operation that is not taken: it is not valid, introspects, or has directives besides `@skip` and `@include`
 */
export type Canonicalise = (document: DocumentNode, operation: OperationDefinitionNode, isWhole: boolean) => CanonicalOperation | undefined;

/**
 * Writes operations of one schema in their canonical form, documents of any kind, valid or not. Whether a taken operation is
 * valid follows from its canonical text alone: what the text no longer tells was either looked at, or makes no difference to
 * any rule. So one that was found valid vouches for all with its text.
 *
 * Fields keep the order in which they are asked for, because the answer has it (GraphQL, section 6.3.2): two orders are two
 * texts. One pass; linear in the document.
 */
export function createCanonicaliser(schema: GraphQLSchema): Canonicalise {
  const shapes = shapesOf(schema);
  return (document, operation, isWhole) => {
    try {
      return canonicalise(shapes, document, operation, isWhole);
    } catch (error) {
      if (error instanceof RangeError) return undefined; // too deep for the stack: it follows spreads, which the parser does not
      throw error;
    }
  };
}

function canonicalise(
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

/** Undefined when there is something in the document that is not valid whatever it holds. */
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

/** A type as documents write it. */
function typeTextOf(type: TypeNode): string {
  if (type.kind === Kind.NAMED_TYPE) return type.name.value;
  return type.kind === Kind.LIST_TYPE ? `[${typeTextOf(type.type)}]` : `${typeTextOf(type.type)}!`;
}

/** What a canonical operation is run with: the client's coerced variables under canonical names, and the literals. An absent one stays absent. */
export function bindVariables(
  { literals, variables }: Pick<CanonicalOperation, 'literals' | 'variables'>,
  coerced: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (variables.length === 0) return literals;
  const bound: Record<string, unknown> = { ...literals };
  for (const { name, canonicalName } of variables) {
    if (Object.hasOwn(coerced, name)) bound[canonicalName] = coerced[name];
  }
  return bound;
}
