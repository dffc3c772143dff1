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
import { passedDirectives } from '../../directives.ts';
import { printLiteral } from '../../normalize/literals.ts';

/** What a set of selections has itself: its fields with those of its inline fragments, and the named fragments beside them. */
export interface FieldPiece {
  /** The same piece has the same number, in one document. */
  readonly id: number;
  readonly fields: readonly PlacedField[];
  readonly spreads: readonly string[];
}

/** A field where it stands. */
export interface PlacedField {
  readonly node: FieldNode;
  readonly responseKey: string;
  /** The type whose field it is. */
  readonly parent: GraphQLCompositeType;
  /** Absent for `__typename`, which may stand beside anything where types exclude each other. */
  readonly type?: GraphQLOutputType;
}

export interface FieldPieces {
  ofSet(selectionSet: SelectionSetNode, parent: GraphQLCompositeType): FieldPiece;
  /** Undefined for an unknown fragment, or one on no type that has fields. */
  ofFragment(name: string): FieldPiece | undefined;
  /** What is below a field. */
  below(field: PlacedField): FieldPiece | undefined;
}

/** The pieces of a document, each made when it is first asked for. */
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

  /** The fragment, where one fragment is all that there is: sets of nothing else are known by it. */
  function contentOf(piece: FieldPiece): FieldPiece {
    const [name] = piece.spreads;
    if (name === undefined || piece.spreads.length > 1 || piece.fields.length > 0) return piece;
    return ofFragment(name) ?? piece;
  }
}

function collect(schema: GraphQLSchema, root: SelectionSetNode, rootParent: GraphQLCompositeType): Pick<FieldPiece, 'fields' | 'spreads'> {
  const fields: PlacedField[] = [];
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
    pending.push(...inside.reverse()); // so that they come in the order in which they are written
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

/** What a field asks for, but for its directives: two are the same field with the same arguments when their texts are equal. */
export function requestTextOf({ node: { name, arguments: given } }: PlacedField): string {
  return name.value + argumentsText(given);
}

/** The directives of a field that its subgraph executes. Fields that differ in them cannot be one field of a request. */
export function directivesTextOf({ node }: PlacedField): string {
  return passedDirectives(node)
    .map(({ name, arguments: given }) => `@${name.value}${argumentsText(given)}`)
    .join(' ');
}

function argumentsText(given: readonly ArgumentNode[] = []): string {
  if (given.length === 0) return '';
  const texts = given.map(({ name, value }) => `${name.value}:${printLiteral(value, (variable) => variable, true)}`);
  return `(${texts.sort().join(',')})`;
}

/** What a value of the type looks like: two types may stand under one response key when their shapes are equal. */
export function shapeTextOf(type: GraphQLOutputType): string {
  if (isNonNullType(type)) return `${shapeTextOf(type.ofType)}!`;
  if (isListType(type)) return `[${shapeTextOf(type.ofType)}]`;
  return isLeafType(type) ? type.name : '{}';
}
