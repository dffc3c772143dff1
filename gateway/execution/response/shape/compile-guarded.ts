import {
  type FieldNode,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
  Kind,
  type SelectionNode,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { GuardedFields, Owners } from '../../../authorization/guarded-fields.ts';
import { dataKeyOf } from '../../../planning/data-keys.ts';
import type { DataKeys } from '../../../planning/operation-plan.ts';
import { type DataKey, toDataKey } from '../../data/own-properties.ts';
import type { CollectScope, CollectedPayloads } from './collect-fields.ts';
import { printDenied, reportDenied } from '../print/print-guarded.ts';
import type { FieldContent } from './response-shape.ts';

/** Input for compiling authorization checks. */
interface GuardedScope {
  readonly schema: GraphQLSchema;
  readonly keys: DataKeys;
  readonly guarded?: GuardedFields | undefined;
}

interface GuardedAt {
  readonly isBeneathAbstract: boolean;
}

type CompositeType = GraphQLObjectType | GraphQLInterfaceType;

/** Owner key that no object has, so access is always denied. */
const NO_OWNER: readonly DataKey[] = [toDataKey('')];

/**
 * Compiles a field that is always denied; undefined when it is not. One denied selection denies the field, even when other selections of it
 * are permitted.
 */
export function compileDenied({ guarded }: GuardedScope, type: CompositeType, nodes: readonly FieldNode[]): FieldContent | undefined {
  if (guarded === undefined) return undefined;
  let isUndecided: boolean | undefined;
  for (const node of nodes) {
    const guard = guarded.fields.get(node);
    if (guard !== undefined && 'isUndecided' in guard) isUndecided = guard.isUndecided && isUndecided !== false;
  }
  if (isUndecided === undefined) return undefined;
  const name = nodes[0]?.name.value ?? '';
  const isNonNull = isNonNullType(type.getFields()[name]?.type);
  const isUnknown = isUndecided;
  return {
    encoding: 'local',
    value: { kind: 'leaf', isNonNull, owner: `${type.name}.${name}`, toJson: undefined, item: undefined, objects: undefined },
    constant: '',
    local(depth, run) {
      reportDenied(isUnknown, depth, run);
      return printDenied(isNonNull, depth, run);
    },
  };
}

/**
 * Returns the data keys of the values that identify the owner of an object, for one of its fields. Undefined when all callers are permitted
 * to see the field.
 */
export function compileOwners(
  scope: GuardedScope,
  type: CompositeType,
  nodes: readonly FieldNode[],
  at: GuardedAt,
): readonly DataKey[] | undefined {
  const { guarded } = scope;
  if (guarded === undefined || guarded.fields.size === 0) return undefined;
  const names = new Set<string>();
  for (const node of nodes) {
    const guard = guarded.fields.get(node);
    if (guard === undefined || !('owners' in guard)) continue;
    const ofType = namesFor(scope, guard.owners, type);
    if (ofType === 'unknown') return NO_OWNER;
    for (const name of ofType) names.add(name);
  }
  return names.size === 0 ? undefined : toKeys(scope, names, type, at);
}

/** Returns the data keys of the values that identify the owner, for the object itself. */
export function ownersOfObject(scope: GuardedScope, type: CompositeType, at: GuardedAt): readonly DataKey[] | undefined {
  const { guarded } = scope;
  if (guarded === undefined || guarded.objects.size === 0) return undefined;
  const names = namesFor(scope, guarded.objects, type);
  if (names === 'unknown') return NO_OWNER;
  return names.size === 0 ? undefined : toKeys(scope, names, type, at);
}

/**
 * Whether the types of a value have different authorization checks. The gateway then cannot decide which fields to show when the type of a
 * value is unknown.
 */
export function isGuardedByType(
  { guarded, fragments }: GuardedScope & Pick<CollectScope, 'fragments'>,
  types: readonly CollectedPayloads[],
): boolean {
  if (guarded === undefined || guarded.fields.size === 0) return false;
  const [first = [], ...others] = types.map(({ fields }) => [...fields.values()].flat());
  const differing = others.flatMap((nodes) =>
    nodes.filter((node) => !first.includes(node)).concat(first.filter((node) => !nodes.includes(node))),
  );
  const visited = new Set<string>();
  const hasGuarded = (selection: SelectionNode): boolean => {
    if (selection.kind === Kind.FIELD && guarded.fields.has(selection)) return true;
    if (selection.kind !== Kind.FRAGMENT_SPREAD) return selection.selectionSet?.selections.some(hasGuarded) === true;
    if (visited.has(selection.name.value)) return false;
    visited.add(selection.name.value);
    return fragments.get(selection.name.value)?.selectionSet.selections.some(hasGuarded) === true;
  };
  return differing.some(hasGuarded);
}

const NONE: ReadonlySet<string> = new Set();

/** Returns the owner fields of a type. A value known only by its interface can be of a type with owners, and its owner is then unknown. */
function namesFor({ schema }: GuardedScope, owners: Owners, type: CompositeType): ReadonlySet<string> | 'unknown' {
  const own = owners.get(type.name);
  if (isObjectType(type) || own !== undefined) return own ?? NONE;
  return schema.getPossibleTypes(type).some(({ name }) => owners.has(name)) ? 'unknown' : NONE;
}

function toKeys({ keys }: GuardedScope, names: ReadonlySet<string>, type: CompositeType, at: GuardedAt): readonly DataKey[] {
  return [...names].map((name) => {
    const node: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: name } };
    return toDataKey(dataKeyOf(keys, node, type.name, at.isBeneathAbstract));
  });
}
