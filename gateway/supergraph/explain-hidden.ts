import {
  type ASTNode,
  type DefinitionNode,
  type DocumentNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  Kind,
} from 'graphql';
import { lineOf } from './line-of.ts';
import { namedTypeOf } from '../directives/named-type-of.ts';
import type { Annotated } from './create-type.ts';

/** Types and elements that are not part of the public schema of a supergraph. */
export interface HiddenElements {
  /** Names of hidden types, with the reason: they have `@inaccessible`, or a linked feature defines them. */
  readonly types: ReadonlyMap<string, 'inaccessible' | 'feature'>;
  /** Whether an element has `@inaccessible`. */
  isHidden(node: Annotated): boolean;
}

/** A field, an argument or an input field. */
interface TypedElement {
  /** Schema coordinate, such as `Query.users(filter:)`. */
  readonly coordinate: string;
  readonly type: string;
  readonly node: ASTNode;
}

/** Maximum number of coordinates in one message. A hidden type can be the type of thousands of fields. */
const MAX_NAMED = 10;

/**
 * Explains which public fields, arguments and input fields have a hidden type. Composition rejects them, so only a supergraph that was
 * edited, or written by another program, contains them.
 *
 * @param definitions those of the public schema, with locations for the line
 * @returns undefined when there are none
 */
export function explainExposedTypes(definitions: readonly DefinitionNode[], { types }: HiddenElements): string | undefined {
  const exposed = definitions.flatMap(typedElementsOf).filter(({ type }) => types.has(type));
  const [first, ...others] = exposed;
  if (first === undefined) return undefined;
  const { coordinate, type, node } = first;
  const issue = `${coordinate}${lineOf(node)} is public, but its type ${type} is`;
  const explanation =
    types.get(type) === 'inaccessible'
      ? `${issue} @inaccessible. Apply @inaccessible to ${coordinate} as well, or remove it from ${type}.`
      : `${issue} a type of a linked feature, which no public schema contains. Apply @inaccessible to ${coordinate}, or change its type.`;
  return explanation + sameFor(others.map((other) => `${other.coordinate} (${other.type})`));
}

/** Explains which public types have only hidden members. @returns undefined when there are none */
export function explainEmptyTypes({ definitions }: DocumentNode, hidden: HiddenElements): string | undefined {
  const hasPublic = new Map<string, boolean>();
  for (const node of definitions) {
    if (!('name' in node) || node.name === undefined || hidden.types.has(node.name.value)) continue;
    const { value: name } = node.name;
    for (const isPublic of membersOf(node, hidden)) hasPublic.set(name, isPublic || hasPublic.get(name) === true);
  }
  const [first, ...others] = [...hasPublic].flatMap(([name, isPublic]) => (isPublic ? [] : [name]));
  if (first === undefined) return undefined;
  return `All members of ${first} are @inaccessible. Apply @inaccessible to ${first} as well, or remove it from one of them.${sameFor(others)}`;
}

/** Returns the elements of a definition that have a type. */
function typedElementsOf(definition: DefinitionNode): readonly TypedElement[] {
  if (definition.kind === Kind.DIRECTIVE_DEFINITION) return inputsAt(`@${definition.name.value}`, definition.arguments);
  if (!('fields' in definition)) return [];
  return (definition.fields ?? []).flatMap((field) => {
    const coordinate = `${definition.name.value}.${field.name.value}`;
    const inputs = 'arguments' in field ? inputsAt(coordinate, field.arguments) : [];
    return [typedElement(coordinate, field)].concat(inputs);
  });
}

function inputsAt(coordinate: string, inputs: readonly InputValueDefinitionNode[] = []): TypedElement[] {
  return inputs.map((node) => typedElement(`${coordinate}(${node.name.value}:)`, node));
}

function typedElement(coordinate: string, node: FieldDefinitionNode | InputValueDefinitionNode): TypedElement {
  return { coordinate, type: namedTypeOf(node.type), node };
}

/** Returns for each member of a type whether it is public. */
function membersOf(node: DefinitionNode, { types, isHidden }: HiddenElements): readonly boolean[] {
  if ('types' in node) return (node.types ?? []).map(({ name }) => !types.has(name.value));
  if ('values' in node) return (node.values ?? []).map((value) => !isHidden(value));
  return 'fields' in node ? (node.fields ?? []).map((field) => !isHidden(field)) : [];
}

function sameFor(names: readonly string[]): string {
  if (names.length === 0) return '';
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  return ` The same applies to ${names.slice(0, MAX_NAMED).join(', ')}${more}.`;
}
