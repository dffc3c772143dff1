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
import { addOwner, fieldNamed, type GuardedFields, ownerFields, type Owners, ownersIn, denialOf } from './guarded-fields.ts';
import { type Decision, type Requirement, UNDECIDED } from './requirement.ts';

/** An operation for callers with the same decisions. */
export interface RewrittenOperation {
  /** Operation of the client, with copied nodes, so that guarded nodes can be identified by reference. */
  readonly requested: DocumentNode;
  /** Operation to plan: without denied fields, and with the fields that identify owners. */
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
  /**
   * Fragments by name, possible types and grant. One fragment may be used for values of different types, and for objects that the caller
   * created.
   */
  readonly rewritten: Map<string, RewrittenFragment>;
  readonly names: Set<string>;
}

interface RewrittenFragment {
  readonly name: string;
  /** Definitions of the fragment; undefined while it is being rewritten. */
  definitions: Pair<FragmentDefinitionNode> | undefined;
}

/** A node as requested by the client, and as planned. */
interface Pair<T> {
  readonly requested: T;
  readonly cut: T;
}

/** Position of a selection. */
interface Position {
  readonly parent: GraphQLCompositeType;
  /** Possible object types, according to all enclosing type conditions. */
  readonly types: PossibleTypes;
  /** Fields of the object that the caller may read as its creator. @defaultValue none */
  readonly grant?: CreatorGrant | undefined;
}

/** Removes denied fields from an operation, and records the decisions to make for each object. */
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
  const documentOf = (side: 'requested' | 'cut'): DocumentNode => ({
    kind: Kind.DOCUMENT,
    definitions: [{ ...operation, selectionSet: selectionSet[side] }, ...definitions.map((pair) => pair[side])],
  });
  return { requested: documentOf('requested'), cut: documentOf('cut'), guarded: { fields: rewriting.fields, objects: rewriting.objects } };
}

function rewriteSelections(
  rewriting: Rewriting,
  { selections }: SelectionSetNode,
  position: Position,
  owned: Owners = new Map(),
): Pair<SelectionSetNode> {
  const requested: SelectionNode[] = [];
  const cut: SelectionNode[] = [];
  /** Fields that identify owners, by type. */
  const owners = new Map([...owned].map(([type, names]) => [type, new Set(names)]));
  let isCut = false;
  for (const selection of selections) {
    const pair = rewriteSelection(rewriting, selection, position, owners);
    requested.push(pair.requested);
    if (pair.cut === undefined) isCut = true;
    else cut.push(pair.cut);
  }
  cut.push(...ownerFields(owners, position.parent));
  // An error for a denied field is reported only for objects of the selected type. If no other field is certain to be fetched, `__typename`
  // provides the object and its type.
  if (isCut && !cut.some(isCertain)) cut.push(fieldNamed('__typename'));
  return { requested: { kind: Kind.SELECTION_SET, selections: requested }, cut: { kind: Kind.SELECTION_SET, selections: cut } };
}

/** Whether a selection is always part of the request, regardless of variables. */
function isCertain({ kind, directives = [] }: SelectionNode): boolean {
  return kind === Kind.FIELD && directives.length === 0;
}

function rewriteSelection(
  rewriting: Rewriting,
  selection: SelectionNode,
  position: Position,
  owners: Map<string, Set<string>>,
): { readonly requested: SelectionNode; readonly cut: SelectionNode | undefined } {
  switch (selection.kind) {
    case Kind.FIELD:
      return rewriteField(rewriting, selection, position, owners);
    case Kind.INLINE_FRAGMENT:
      return rewriteInlineFragment(rewriting, selection, position);
    case Kind.FRAGMENT_SPREAD:
    default:
      return rewriteSpread(rewriting, selection, position);
  }
}

function rewriteField(
  rewriting: Rewriting,
  node: FieldNode,
  { parent, types, grant }: Position,
  owners: Map<string, Set<string>>,
): { readonly requested: FieldNode; readonly cut: FieldNode | undefined } {
  const field = definitionOf(node, parent);
  if (field === undefined) return { requested: node, cut: node };
  const { rules, schema, fields } = rewriting;
  const returned = getNamedType(field.type);
  const inside = isCompositeType(returned) ? typesWithin(schema, returned) : NO_TYPES;
  const guards = rules.ofField(parent, field.name, types);
  const granted = grantedIn(grant, field.name);
  const ownGuards = granted?.isReadable === true ? withoutOwnerRules(guards) : guards;
  const valueGuards = rules.ofValue(returned, inside);
  const rejected = denialOf(rewriting.decide, [...ownGuards.values(), ...valueGuards.values()]);
  if (rejected !== undefined) {
    const requested: FieldNode = { ...node };
    fields.set(requested, { isUndecided: rejected === UNDECIDED });
    return { requested, cut: undefined };
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
  const requested: FieldNode = { ...node, ...(content && { selectionSet: content.requested }) };
  if (ownersOfField.size > 0) fields.set(requested, { owners: ownersOfField });
  return { requested, cut: { ...node, ...(content && { selectionSet: content.cut }) } };
}

/** Returns the definition of a field, or undefined for introspection, which is the same for all callers. */
function definitionOf({ name }: FieldNode, parent: GraphQLCompositeType): GraphQLField<unknown, unknown> | undefined {
  return name.value.startsWith('__') || isUnionType(parent) ? undefined : parent.getFields()[name.value];
}

function rewriteInlineFragment(
  rewriting: Rewriting,
  node: InlineFragmentNode,
  position: Position,
): { readonly requested: InlineFragmentNode; readonly cut: InlineFragmentNode } {
  const selectionSet = rewriteSelections(rewriting, node.selectionSet, narrowed(rewriting, position, node.typeCondition?.name.value));
  // A `@defer` is identified by its node, which both documents share. Copies of a fragment need separate nodes.
  const directives = copiesOf(node.directives);
  return {
    requested: { ...node, directives, selectionSet: selectionSet.requested },
    cut: { ...node, directives, selectionSet: selectionSet.cut },
  };
}

function copiesOf(directives: readonly DirectiveNode[] = []): readonly DirectiveNode[] {
  return directives.map((directive) => ({ ...directive }));
}

function narrowed({ schema }: Rewriting, position: Position, condition: string | undefined): Position {
  const type = condition === undefined ? undefined : schema.getType(condition);
  return isCompositeType(type) ? { ...position, parent: type, types: typesWithin(schema, type, position.types) } : position;
}

function rewriteSpread(
  rewriting: Rewriting,
  node: FragmentSpreadNode,
  position: Position,
): { readonly requested: FragmentSpreadNode; readonly cut: FragmentSpreadNode } {
  const definition = rewriting.fragments.get(node.name.value);
  if (definition === undefined) return { requested: node, cut: node }; // Does not occur in valid documents.
  const inside = narrowed(rewriting, position, definition.typeCondition.name.value);
  const { name } = rewriteFragment(rewriting, definition, inside);
  const spread: FragmentSpreadNode = { ...node, name: { kind: Kind.NAME, value: name }, directives: copiesOf(node.directives) };
  return { requested: spread, cut: spread };
}

function rewriteFragment(rewriting: Rewriting, definition: FragmentDefinitionNode, position: Position): RewrittenFragment {
  const { rewritten, names } = rewriting;
  const original = definition.name.value;
  const key = `${original} ${position.types.join()} ${position.grant?.id ?? ''}`;
  const known = rewritten.get(key);
  if (known !== undefined) return known;
  const isFirst = ![...rewritten.keys()].some((other) => other.startsWith(`${original} `));
  const fragment: RewrittenFragment = { name: isFirst ? original : freeName(names, original), definitions: undefined };
  rewritten.set(key, fragment);
  const selectionSet = rewriteSelections(rewriting, definition.selectionSet, position);
  const named = { ...definition, name: { kind: Kind.NAME, value: fragment.name } as const };
  fragment.definitions = {
    requested: { ...named, selectionSet: selectionSet.requested },
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
