import {
  type ArgumentNode,
  type DirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  Kind,
  type InlineFragmentNode,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
  type ValueNode,
  type VariableDefinitionNode,
} from 'graphql';
import type { ArgumentShape, SchemaFieldShape, SchemaShapes, TypeShape } from './schema-shapes.ts';
import { literalValueOf, printLiteral } from './literals.ts';
import { RESERVED } from '../validation/reserved-name-rule.ts';

/** State of writing an operation in canonical form. */
export interface Writer {
  readonly shapes: SchemaShapes;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Variables as declared by the client. */
  readonly declared: Map<string, VariableDefinitionNode>;
  /** Canonical names of the variables used so far, in the order of their first use. */
  readonly variables: Map<string, string>;
  /** Variables that conditions depend on. */
  readonly conditions: Set<string>;
  /** Whether a directive with no effect can be omitted. */
  readonly dropsDecided: boolean;
  /** Maps the client's response keys to the canonical ones. */
  readonly keys: Map<string, string>;
  /** Maps canonical response keys back to the client's, where the two differ. */
  readonly aliases: Map<string, string>;
  /** Maps the client's fragment names to the canonical ones, in the order of their first use. */
  readonly fragmentNames: Map<string, string>;
  readonly fragmentTexts: string[];
  /** Fragments that are being written. A spread of one of them within itself is a cycle. */
  readonly openFragments: Set<string>;
  /** Literals by field, argument and printed text: the number of the literal, and its variable for each type of the argument. */
  readonly literalNames: Map<string, LiteralNames>;
  /** Declarations of the variables that replace literals. */
  readonly literalTypes: string[];
  readonly literals: Record<string, unknown>;
  /** Whether the operation is invalid or cannot be normalized. The text written so far is then useless. */
  isDoubtful: boolean;
}

interface LiteralNames {
  readonly number: number;
  /** Variable with its dollar sign, by type; empty where the literal stays in the text. */
  readonly byType: Map<string, string>;
}

export function createWriter(
  shapes: SchemaShapes,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  { operation }: OperationDefinitionNode,
): Writer {
  return {
    shapes,
    fragments,
    declared: new Map(),
    variables: new Map(),
    conditions: new Set(),
    dropsDecided: operation !== OperationTypeNode.SUBSCRIPTION, // The rules for subscriptions check the directives at the root.
    keys: new Map(),
    aliases: new Map(),
    fragmentNames: new Map(),
    fragmentTexts: [],
    openFragments: new Set(),
    literalNames: new Map(),
    literalTypes: [],
    literals: {},
    isDoubtful: false,
  };
}

export function writeSelections(writer: Writer, { selections }: SelectionSetNode, parent: TypeShape): string {
  let text = '{';
  for (const selection of selections) {
    if (writer.isDoubtful) return '';
    if (text.length > 1) text += ' ';
    if (selection.kind === Kind.FIELD) text += writeField(writer, selection, parent);
    else if (selection.kind === Kind.FRAGMENT_SPREAD) text += writeSpread(writer, selection);
    else text += writeInlineFragment(writer, selection, parent);
  }
  return `${text}}`;
}

function writeField(writer: Writer, field: FieldNode, parent: TypeShape): string {
  const name = field.name.value;
  const shape = parent.field(name);
  if (shape === undefined) return doubt(writer); // The field does not exist, or is an introspection field.
  const responseKey = field.alias === undefined ? name : field.alias.value;
  if (responseKey === RESERVED) return doubt(writer);
  let text = writeKey(writer, responseKey, name);
  if (field.arguments !== undefined && field.arguments.length > 0) text += writeArguments(writer, field.arguments, shape, name);
  text += writeDirectives(writer, field.directives);
  if (field.selectionSet === undefined) return text;
  return shape.type === undefined ? doubt(writer) : text + writeSelections(writer, field.selectionSet, shape.type);
}

/**
 * Writes a response key. A key that first occurs as the name of the field itself stays as it is; any other key becomes a number. The
 * mapping is one to one in the whole operation, so a comparison of keys has the same result as before. Numbered keys begin with two
 * underscores, which no field of a schema does.
 */
function writeKey({ keys, aliases }: Writer, responseKey: string, name: string): string {
  let key = keys.get(responseKey);
  if (key === undefined) {
    key = responseKey === name ? name : `__a${aliases.size}`;
    keys.set(responseKey, key);
    if (responseKey !== name) aliases.set(key, responseKey);
  }
  return key === name ? name : `${key}:${name}`;
}

function writeArguments(writer: Writer, given: readonly ArgumentNode[], shape: SchemaFieldShape, field: string): string {
  const [only] = given;
  if (given.length === 1 && only !== undefined) return `(${writeArgument(writer, only, shape, field)})`;
  const sorted = given.toSorted((one, other) => (one.name.value < other.name.value ? -1 : 1));
  let text = '';
  let last: string | undefined;
  for (const argument of sorted) {
    if (argument.name.value === last) return doubt(writer); // The argument is given twice.
    last = argument.name.value;
    text += `${text === '' ? '' : ','}${writeArgument(writer, argument, shape, field)}`;
  }
  return `(${text})`;
}

function writeArgument(writer: Writer, { name, value }: ArgumentNode, shape: SchemaFieldShape, field: string): string {
  const argument = shape.arguments?.get(name.value);
  if (argument === undefined) return doubt(writer);
  return `${name.value}:${writeValue(writer, value, argument, `${field}.${name.value}`)}`;
}

function writeValue(writer: Writer, value: ValueNode, argument: ArgumentShape, position: string): string {
  if (value.kind === Kind.VARIABLE) return `$${nameOf(writer, value.name.value)}`;
  let hasVariables = false;
  const rename = (variable: string): string => {
    hasVariables = true;
    return nameOf(writer, variable);
  };
  const printed = printLiteral(value, rename, false);
  if (hasVariables) return printed; // A literal with variables stays as a whole, because the part next to the variable rarely varies.
  const isNested = value.kind === Kind.OBJECT || value.kind === Kind.LIST;
  const names = numberLiteral(writer, `${position}:${isNested ? printLiteral(value, rename, true) : printed}`);
  const known = names.byType.get(argument.typeText);
  if (known !== undefined) return known === '' ? printed : known;
  const lifted = literalValueOf(value, argument.type);
  const text = lifted === undefined ? '' : `$${declareLiteral(writer, names, argument, lifted)}`;
  names.byType.set(argument.typeText, text);
  return text === '' ? printed : text;
}

/**
 * Numbers a literal. Fields with one response key must have equal arguments, literal by literal. One number for each literal of an argument
 * preserves this comparison, even if the argument has several types or only some of them allow a variable.
 */
function numberLiteral({ literalNames }: Writer, key: string): LiteralNames {
  let names = literalNames.get(key);
  if (names === undefined) {
    names = { number: literalNames.size, byType: new Map() };
    literalNames.set(key, names);
  }
  return names;
}

function declareLiteral(writer: Writer, { number, byType }: LiteralNames, { typeText }: ArgumentShape, value: unknown): string {
  const name = byType.size === 0 ? `l${number}` : `l${number}_${byType.size}`;
  writer.literals[name] = value;
  writer.literalTypes.push(`$${name}:${typeText}`);
  return name;
}

function nameOf(writer: Writer, variable: string): string {
  let name = writer.variables.get(variable);
  if (name !== undefined) return name;
  if (!writer.declared.has(variable)) return doubt(writer);
  name = `v${writer.variables.size}`;
  writer.variables.set(variable, name);
  return name;
}

function writeDirectives(writer: Writer, directives: readonly DirectiveNode[] | undefined): string {
  if (directives === undefined || directives.length === 0) return '';
  let text = '';
  for (const { name, arguments: given = [] } of directives) {
    const [condition] = given;
    if ((name.value !== 'skip' && name.value !== 'include') || given.length !== 1 || condition?.name.value !== 'if') return doubt(writer);
    const { value } = condition;
    if (value.kind === Kind.VARIABLE) {
      writer.conditions.add(value.name.value);
      text += `@${name.value}(if:$${nameOf(writer, value.name.value)})`;
      continue;
    }
    if (value.kind !== Kind.BOOLEAN) return doubt(writer);
    // Conditions belong to the identity of a plan, so their literals stay in the text. A directive with no effect is dropped, unless it is
    // one of several: two of them must not be the same directive.
    const changesNothing = value.value === (name.value === 'include');
    if (changesNothing && directives.length === 1 && writer.dropsDecided) continue;
    text += `@${name.value}(if:${value.value ? 'true' : 'false'})`;
  }
  return text;
}

function writeInlineFragment(writer: Writer, fragment: InlineFragmentNode, parent: TypeShape): string {
  const condition = fragment.typeCondition?.name.value;
  const shape = condition === undefined ? parent : writer.shapes.named(condition);
  if (shape === undefined) return doubt(writer);
  const directives = writeDirectives(writer, fragment.directives);
  return `...${condition === undefined ? '' : `on ${condition}`}${directives}${writeSelections(writer, fragment.selectionSet, shape)}`;
}

function writeSpread(writer: Writer, { name, directives }: FragmentSpreadNode): string {
  const spread = (canonicalName: string): string => `...${canonicalName}${writeDirectives(writer, directives)}`;
  const known = writer.fragmentNames.get(name.value);
  if (known !== undefined) return writer.openFragments.has(name.value) ? doubt(writer) : spread(known);
  const fragment = writer.fragments.get(name.value);
  if (fragment === undefined) return doubt(writer);
  const condition = fragment.typeCondition.name.value;
  const shape = writer.shapes.named(condition);
  if (shape === undefined) return doubt(writer);
  const canonicalName = `f${writer.fragmentNames.size}`;
  writer.fragmentNames.set(name.value, canonicalName);
  const text = spread(canonicalName);
  writer.openFragments.add(name.value);
  writer.fragmentTexts.push(`fragment ${canonicalName} on ${condition}${writeSelections(writer, fragment.selectionSet, shape)}`);
  writer.openFragments.delete(name.value);
  return text;
}

function doubt(writer: Writer): '' {
  writer.isDoubtful = true;
  return '';
}
