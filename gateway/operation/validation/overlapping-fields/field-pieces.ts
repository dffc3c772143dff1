import {
  type ArgumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  type GraphQLCompositeType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isCompositeType,
  isLeafType,
  isListType,
  isNonNullType,
  isUnionType,
  Kind,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from 'graphql';
import { passedDirectives } from '../../executable-directives.ts';
import { printLiteral } from '../../normalize/literals.ts';

/** Direct content of a selection set: its fields, including those of inline fragments, and the named fragments that it spreads. */
export interface FieldPiece {
  /** Number of the piece. The same piece has the same number within a document. */
  readonly id: number;
  readonly fields: readonly FieldAtPath[];
  readonly spreads: readonly string[];
}

/** A field and its parent type. */
export interface FieldAtPath {
  readonly node: FieldNode;
  readonly responseKey: string;
  /** Type that defines the field. */
  readonly parent: GraphQLCompositeType;
  /** Type of the field. Absent for `__typename`, which conflicts with no field of a type that excludes this one. */
  readonly type?: GraphQLOutputType;
}

export interface FieldPieces {
  ofSet(selectionSet: SelectionSetNode, parent: GraphQLCompositeType): FieldPiece;
  /** Returns the piece of a fragment, or undefined if the fragment is unknown or its type has no fields. */
  ofFragment(name: string): FieldPiece | undefined;
  /** Returns the piece below a field. */
  below(field: FieldAtPath): FieldPiece | undefined;
}

/** Creates the pieces of a document, each on its first use. */
export function createFieldPieces(schema: GraphQLSchema, fragments: ReadonlyMap<string, FragmentDefinitionNode>): FieldPieces {
  const pieces = new Map<SelectionSetNode, FieldPiece>();

  function ofSet(selectionSet: SelectionSetNode, parent: GraphQLCompositeType): FieldPiece {
    let piece = pieces.get(selectionSet);
    if (piece === undefined) {
      piece = { id: pieces.size, ...collect(schema, selectionSet, parent) };
      pieces.set(selectionSet, piece);
    }
    return piece;
  }

  function ofFragment(name: string): FieldPiece | undefined {
    const fragment = fragments.get(name);
    const type = fragment === undefined ? undefined : schema.getType(fragment.typeCondition.name.value);
    return fragment === undefined || !isCompositeType(type) ? undefined : ofSet(fragment.selectionSet, type);
  }

  return {
    ofSet,
    ofFragment,
    below({ node: { selectionSet }, type }) {
      const parent = getNamedType(type);
      return selectionSet === undefined || !isCompositeType(parent) ? undefined : contentOf(ofSet(selectionSet, parent));
    },
  };

  /** Returns the piece of a fragment if the piece only spreads this fragment, so that equal pieces share one number. */
  function contentOf(piece: FieldPiece): FieldPiece {
    const [name] = piece.spreads;
    if (name === undefined || piece.spreads.length > 1 || piece.fields.length > 0) return piece;
    return ofFragment(name) ?? piece;
  }
}

function collect(schema: GraphQLSchema, root: SelectionSetNode, rootParent: GraphQLCompositeType): Pick<FieldPiece, 'fields' | 'spreads'> {
  const fields: FieldAtPath[] = [];
  const spreads = new Set<string>();
  const pending: (readonly [SelectionSetNode, GraphQLCompositeType])[] = [[root, rootParent]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [{ selections }, parent] = next;
    const inside: (typeof next)[] = [];
    for (const selection of selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        spreads.add(selection.name.value);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const condition = selection.typeCondition;
        const type = condition === undefined ? parent : schema.getType(condition.name.value);
        if (isCompositeType(type)) inside.push([selection.selectionSet, type]);
      } else {
        const type = typeOf(schema, parent, selection.name.value);
        const responseKey = selection.alias === undefined ? selection.name.value : selection.alias.value;
        fields.push({ node: selection, responseKey, parent, ...(type === undefined ? {} : { type }) });
      }
    }
    pending.push(...inside.reverse()); // Reversed, so that the stack returns them in the order of the document.
  }
  return { fields, spreads: [...spreads] };
}

function typeOf(schema: GraphQLSchema, parent: GraphQLCompositeType, name: string): GraphQLOutputType | undefined {
  if (parent === schema.getQueryType()) {
    if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef.type;
    if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef.type;
  }
  if (isUnionType(parent)) return undefined;
  const fields = parent.getFields();
  return Object.hasOwn(fields, name) ? fields[name]?.type : undefined;
}

/** Returns the text of a field without its directives. Two fields are the same field with the same arguments when their texts are equal. */
export function requestTextOf({ node: { name, arguments: given } }: FieldAtPath): string {
  return name.value + argumentsText(given);
}

/**
 * Returns the directives of a field that its subgraph executes. Fields with different directives cannot be merged into one field of a
 * request.
 */
export function directivesTextOf({ node }: FieldAtPath): string {
  return passedDirectives(node)
    .map(({ name, arguments: given }) => `@${name.value}${argumentsText(given)}`)
    .join(' ');
}

function argumentsText(given: readonly ArgumentNode[] = []): string {
  if (given.length === 0) return '';
  const texts = given.map(({ name, value }) => `${name.value}:${printLiteral(value, (variable) => variable, true)}`);
  return `(${texts.sort().join(',')})`;
}

/** Returns the shape of a type. Two types can have one response key when their shapes are equal. */
export function shapeTextOf(type: GraphQLOutputType): string {
  if (isNonNullType(type)) return `${shapeTextOf(type.ofType)}!`;
  if (isListType(type)) return `[${shapeTextOf(type.ofType)}]`;
  return isLeafType(type) ? type.name : '{}';
}
