import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  type InlineFragmentNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  getNamedType,
  isCompositeType,
  isUnionType,
} from 'graphql';
import { type AccessRules, NO_TYPES, type PossibleTypes, typesWithin } from './access-rules.ts';
import { type CreatorGrant, grantedIn, withoutOwnerRules } from './creator-grant.ts';
import { addOwner, fieldNamed, type GuardedFields, ownerFields, type Owners, ownersIn, refusalOf } from './guarded-fields.ts';
import { type Decision, type Requirement, UNDECIDED } from './requirement.ts';

/** An operation for those about whom the same was decided. */
export interface RewrittenOperation {
  /** What the client asked for, in nodes of its own: the guarded ones among them are known by their identity. */
  readonly asked: DocumentNode;
  /** Without what is denied, and with the fields by which owners are known: what is planned. */
  readonly cut: DocumentNode;
  readonly guarded: GuardedFields;
}

export interface RewriteInput {
  readonly schema: GraphQLSchema;
  readonly rules: AccessRules;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly decide: (requirement: Requirement) => Decision;
}

interface Rewriting extends RewriteInput {
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly fields: Map<FieldNode, { readonly isUndecided: boolean } | { readonly owners: Owners }>;
  readonly objects: Map<string, Set<string>>;
  /** By name, possible types and grant: one fragment may stand where values of different types are, and where the caller created them. */
  readonly rewritten: Map<string, RewrittenFragment>;
  readonly names: Set<string>;
}

interface RewrittenFragment {
  readonly name: string;
  /** Undefined while it is being rewritten. */
  definitions: Pair<FragmentDefinitionNode> | undefined;
}

/** A node as it was asked for, and as it is planned. */
interface Pair<T> {
  readonly asked: T;
  readonly cut: T;
}

/** Where a selection stands. */
interface Place {
  readonly parent: GraphQLCompositeType;
  /** Object types that values can be of here, by all type conditions around. */
  readonly types: PossibleTypes;
  /** What the caller may read of the object as its creator. @defaultValue nothing */
  readonly grant?: CreatorGrant | undefined;
}

/** Takes out of an operation what was denied, and writes down what is to be decided about each object. */
export function rewriteOperation(input: RewriteInput): RewrittenOperation {
  const { schema, document, operation } = input;
  const fragments = new Map(
    document.definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [])),
  );
  const rewriting: Rewriting = {
    ...input,
    fragments,
    fields: new Map(),
    objects: new Map(),
    rewritten: new Map(),
    names: new Set(fragments.keys()),
  };
  const root = schema.getRootType(operation.operation);
  if (root === undefined || root === null) throw new Error(`The schema has no ${operation.operation} type.`);
  const selectionSet = rewriteSelections(rewriting, operation.selectionSet, { parent: root, types: typesWithin(schema, root) });
  const definitions = [...rewriting.rewritten.values()].flatMap((fragment) => fragment.definitions ?? []);
  const documentOf = (side: 'asked' | 'cut'): DocumentNode => ({
    kind: Kind.DOCUMENT,
    definitions: [{ ...operation, selectionSet: selectionSet[side] }, ...definitions.map((pair) => pair[side])],
  });
  return { asked: documentOf('asked'), cut: documentOf('cut'), guarded: { fields: rewriting.fields, objects: rewriting.objects } };
}

function rewriteSelections(
  rewriting: Rewriting,
  { selections }: SelectionSetNode,
  place: Place,
  owned: Owners = new Map(),
): Pair<SelectionSetNode> {
  const asked: SelectionNode[] = [];
  const cut: SelectionNode[] = [];
  /** Fields by which owners are known, by type. */
  const owners = new Map([...owned].map(([type, names]) => [type, new Set(names)]));
  let isCut = false;
  for (const selection of selections) {
    const pair = rewriteSelection(rewriting, selection, place, owners);
    asked.push(pair.asked);
    if (pair.cut === undefined) isCut = true;
    else cut.push(pair.cut);
  }
  cut.push(...ownerFields(owners, place.parent));
  // What is denied is told where the object is of the type that it was asked of: somebody must tell the type, whatever else comes.
  if (isCut && !cut.some(isCertain)) cut.push(fieldNamed('__typename'));
  return { asked: { kind: Kind.SELECTION_SET, selections: asked }, cut: { kind: Kind.SELECTION_SET, selections: cut } };
}

/** Whether a selection is asked for, now and whatever variables say. */
function isCertain({ kind, directives = [] }: SelectionNode): boolean {
  return kind === Kind.FIELD && directives.length === 0;
}

function rewriteSelection(
  rewriting: Rewriting,
  selection: SelectionNode,
  place: Place,
  owners: Map<string, Set<string>>,
): { readonly asked: SelectionNode; readonly cut: SelectionNode | undefined } {
  switch (selection.kind) {
    case Kind.FIELD:
      return rewriteField(rewriting, selection, place, owners);
    case Kind.INLINE_FRAGMENT:
      return rewriteInlineFragment(rewriting, selection, place);
    case Kind.FRAGMENT_SPREAD:
    default:
      return rewriteSpread(rewriting, selection, place);
  }
}

function rewriteField(
  rewriting: Rewriting,
  node: FieldNode,
  { parent, types, grant }: Place,
  owners: Map<string, Set<string>>,
): { readonly asked: FieldNode; readonly cut: FieldNode | undefined } {
  const field = definitionOf(node, parent);
  if (field === undefined) return { asked: node, cut: node };
  const { rules, schema, fields } = rewriting;
  const returned = getNamedType(field.type);
  const inside = isCompositeType(returned) ? typesWithin(schema, returned) : NO_TYPES;
  const guards = rules.ofField(parent, field.name, types);
  const granted = grantedIn(grant, field.name);
  const ownGuards = granted?.isReadable === true ? withoutOwnerRules(guards) : guards;
  const valueGuards = rules.ofValue(returned, inside);
  const refused = refusalOf(rewriting.decide, [...ownGuards.values(), ...valueGuards.values()]);
  if (refused !== undefined) {
    const asked: FieldNode = { ...node };
    fields.set(asked, { isUndecided: refused === UNDECIDED });
    return { asked, cut: undefined };
  }
  const ownersOfField = ownersIn(rewriting.decide, ownGuards);
  const ownersOfValue = ownersIn(rewriting.decide, valueGuards);
  for (const [type, names] of ownersOfValue) for (const name of names) addOwner(rewriting.objects, type, name);
  for (const [type, names] of ownersOfField) for (const name of names) addOwner(owners, type, name);
  const { selectionSet } = node;
  const content =
    selectionSet === undefined || !isCompositeType(returned)
      ? undefined
      : rewriteSelections(
          rewriting,
          selectionSet,
          { parent: returned, types: inside, grant: granted ?? rules.ofCreated(parent, field.name) },
          ownersOfValue,
        );
  const asked: FieldNode = { ...node, ...(content && { selectionSet: content.asked }) };
  if (ownersOfField.size > 0) fields.set(asked, { owners: ownersOfField });
  return { asked, cut: { ...node, ...(content && { selectionSet: content.cut }) } };
}

/** Undefined for what introspects: it is the same for all. */
function definitionOf({ name }: FieldNode, parent: GraphQLCompositeType): GraphQLField<unknown, unknown> | undefined {
  return name.value.startsWith('__') || isUnionType(parent) ? undefined : parent.getFields()[name.value];
}

function rewriteInlineFragment(
  rewriting: Rewriting,
  node: InlineFragmentNode,
  place: Place,
): { readonly asked: InlineFragmentNode; readonly cut: InlineFragmentNode } {
  const selectionSet = rewriteSelections(rewriting, node.selectionSet, narrowed(rewriting, place, node.typeCondition?.name.value));
  // A `@defer` is known by its node, in both documents alike, and by another where a fragment is written several times.
  const directives = copiesOf(node.directives);
  return { asked: { ...node, directives, selectionSet: selectionSet.asked }, cut: { ...node, directives, selectionSet: selectionSet.cut } };
}

function copiesOf(directives: readonly DirectiveNode[] = []): readonly DirectiveNode[] {
  return directives.map((directive) => ({ ...directive }));
}

function narrowed({ schema }: Rewriting, place: Place, condition: string | undefined): Place {
  const type = condition === undefined ? undefined : schema.getType(condition);
  return isCompositeType(type) ? { ...place, parent: type, types: typesWithin(schema, type, place.types) } : place;
}

function rewriteSpread(
  rewriting: Rewriting,
  node: FragmentSpreadNode,
  place: Place,
): { readonly asked: FragmentSpreadNode; readonly cut: FragmentSpreadNode } {
  const definition = rewriting.fragments.get(node.name.value);
  if (definition === undefined) return { asked: node, cut: node }; // of no valid document
  const inside = narrowed(rewriting, place, definition.typeCondition.name.value);
  const { name } = rewriteFragment(rewriting, definition, inside);
  const spread: FragmentSpreadNode = { ...node, name: { kind: Kind.NAME, value: name }, directives: copiesOf(node.directives) };
  return { asked: spread, cut: spread };
}

function rewriteFragment(rewriting: Rewriting, definition: FragmentDefinitionNode, place: Place): RewrittenFragment {
  const { rewritten, names } = rewriting;
  const original = definition.name.value;
  const key = `${original} ${place.types.join()} ${place.grant?.id ?? ''}`;
  const known = rewritten.get(key);
  if (known !== undefined) return known;
  const isFirst = ![...rewritten.keys()].some((other) => other.startsWith(`${original} `));
  const fragment: RewrittenFragment = { name: isFirst ? original : freeName(names, original), definitions: undefined };
  rewritten.set(key, fragment);
  const selectionSet = rewriteSelections(rewriting, definition.selectionSet, place);
  const named = { ...definition, name: { kind: Kind.NAME, value: fragment.name } as const };
  fragment.definitions = {
    asked: { ...named, selectionSet: selectionSet.asked },
    cut: { ...named, selectionSet: selectionSet.cut },
  };
  return fragment;
}

function freeName(names: Set<string>, original: string): string {
  let counter = 1;
  while (names.has(`${original}_${counter}`)) counter += 1;
  const name = `${original}_${counter}`;
  names.add(name);
  return name;
}
