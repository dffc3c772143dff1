import type { FieldNode, SelectionSetNode } from 'graphql';
import type { FederatedGraph, FederatedType } from '../supergraph/federated-graph.ts';
import type { ContextArgument, PlanPathStep, PlannedFetch, RepresentationField } from './operation-plan.ts';
import { subgraphsOf } from './joint-source.ts';
import { type SelectionBuilder, fragmentOn } from './selection-builder.ts';
import { textOfTypes } from './type-names.ts';

/**
 * A position in the data tree: the root, or the values of a field. A position of an abstract type has partial positions, one for each class of object
 * types with wanted fields.
 */
export interface Position {
  readonly type: FederatedType;
  /** Position whose field leads here; absent at the root. */
  readonly parent: Position | undefined;
  /** Field that leads here. */
  readonly field: FieldNode | undefined;
  /** Data key of that field. */
  readonly key: string;
  /** Position of the abstract type that this part refines. */
  readonly whole: Position | undefined;
  /** Object types of the values of a part. They are planned in the same way; `type` is one of them. */
  readonly types: readonly string[] | undefined;
  /** Whether the declared type of the position, or of an enclosing one, is an interface or a union. */
  readonly isBeneathAbstract: boolean;
  /** Whether the values belong to one field of several positions. */
  readonly isJoint: boolean;
  /**
   * Positions with the same data path that this one represents. Such a position is never planned itself. Empty for an ordinary position.
   */
  readonly united: readonly Position[];
  /** Positions of the fields, by data key. */
  readonly children: Map<string, Position>;
  /** Partial positions by the names of their object types. They can overlap: facts about one also apply to a smaller one. */
  readonly parts: Map<string, Position>;
  /** Presences by subgraph. These subgraphs are already queried for the values, so the same request can fetch more fields. */
  readonly presences: Map<string, Presence>;
  /** Presences of second requests for deferred fields, by subgraph. */
  readonly deferred: Map<string, Presence>;
  /** Fetches that provide the values, by data key. */
  readonly builders: Map<string, FetchBuilder>;
  /** Presences that provide the values, by data key. */
  readonly sources: Map<string, Presence>;
  /** Fetches that enter here with more inputs than a key. */
  readonly requiring: FetchBuilder[];
  /** Fetches that enter at partial positions of this abstract position by a key, and that other partial positions can join. */
  readonly entering: FetchBuilder[];
  /** Cache of the partial positions with all types of this one and more, valid while the abstract position has `count` of them. */
  wider: { readonly count: number; readonly parts: readonly Position[] } | undefined;
}

/** Selection of the values of a position in a request to a subgraph. */
export interface Presence {
  readonly subgraph: string;
  readonly fetch: FetchBuilder;
  readonly selection: SelectionBuilder;
  /** Selections that contain `selection` as a fragment, when it is for values of some types only. */
  readonly base?: SelectionBuilder;
  /** Selections that the path to this position provides, in addition to the fields that the subgraph resolves itself (`@provides`). */
  readonly provides: readonly SelectionSetNode[];
}

/** A request to a subgraph at one position, under construction. */
export interface FetchBuilder {
  readonly subgraph: string;
  readonly kind: PlannedFetch['kind'];
  readonly position: Position;
  /** Positions where the request enters: `position`, and other partial positions of the same abstract position. */
  readonly positions: Position[];
  readonly selection: SelectionBuilder;
  readonly dependsOn: Set<FetchBuilder>;
  /** Number of sequential fetches that must finish before it can begin. */
  readonly level: number;
  /** Number of the `@defer` that needs the fetch; 0 for the initial result. */
  readonly deferral: number;
  /** Type and fields of the representations; absent at the root. */
  readonly representation: { readonly typename: string; readonly fields: RepresentationField[] } | undefined;
  readonly contextArguments: ContextArgument[];
  /** Requests that a joint fetch represents. Together they provide the values of one position. Absent for an ordinary request. */
  readonly members?: readonly FetchBuilder[];
}

export function createRoot(type: FederatedType): Position {
  return createPosition({ type, parent: undefined, field: undefined, key: '', isBeneathAbstract: false });
}

type PositionInput = Pick<Position, 'type' | 'parent' | 'field' | 'key' | 'isBeneathAbstract'> &
  Partial<Pick<Position, 'whole' | 'types' | 'isJoint' | 'united'>>;

export function createPosition({
  type,
  parent,
  field,
  key,
  isBeneathAbstract,
  whole,
  types,
  isJoint = false,
  united = [],
}: PositionInput): Position {
  return {
    type,
    parent,
    field,
    key,
    whole,
    types,
    isBeneathAbstract,
    isJoint,
    united,
    children: new Map(),
    parts: new Map(),
    presences: new Map(),
    deferred: new Map(),
    builders: new Map(),
    sources: new Map(),
    requiring: [],
    entering: [],
    wider: undefined,
  };
}

/** Returns the position that a field leads to. */
export function childOf(parent: Position, type: FederatedType, field: FieldNode, key: string): Position {
  let child = parent.children.get(key);
  if (child === undefined) {
    const isBeneathAbstract = parent.isBeneathAbstract || type.kind !== 'object';
    child = createPosition({ type, parent, field, key, isBeneathAbstract });
    parent.children.set(key, child);
  }
  return child;
}

/**
 * Returns the part of a position for values of some object types, which are planned in the same way.
 *
 * @param type one of these types
 */
export function partOf(position: Position, type: FederatedType, types: readonly string[] = [type.name]): Position {
  if (position.type === type) return position;
  const id = textOfTypes(types);
  let part = position.parts.get(id);
  if (part === undefined) {
    const { parent, field, key, isBeneathAbstract } = position;
    part = createPosition({ type, parent, field, key, whole: position, types, isBeneathAbstract });
    position.parts.set(id, part);
  }
  return part;
}

/** Returns the partial positions of the same abstract position with all types of `part`, and more. */
function widerParts(part: Position): readonly Position[] {
  const { whole, types = [] } = part;
  if (whole === undefined) return [];
  if (part.wider?.count === whole.parts.size) return part.wider.parts;
  const parts: Position[] = [];
  for (const other of whole.parts.values()) {
    if ((other.types?.length ?? 0) <= types.length) continue;
    if (types.every((name) => other.types?.includes(name) === true)) parts.push(other);
  }
  part.wider = { count: whole.parts.size, parts };
  return parts;
}

/** Returns the fetch that provides a field of the values of a position. */
export function fetchBuilderAt(position: Position, key: string): FetchBuilder | undefined {
  return position.builders.get(key) ?? (position.whole === undefined ? undefined : sourceAt(position, key)?.fetch);
}

/** Returns the presence that provides a field of the values of a position, including selections for more types. */
export function sourceAt(position: Position, key: string): Presence | undefined {
  const known = position.sources.get(key);
  if (known !== undefined || position.whole === undefined) return known;
  for (const wider of widerParts(position)) {
    const source = wider.sources.get(key);
    if (source?.base !== undefined) return narrowed(source, source.base, position);
  }
  return undefined;
}

/**
 * Returns the position that a field of the values of a position leads to. If there are several, they belong to enclosing values of
 * different types.
 */
export function childAt(position: Position, key: string, type: string = position.type.name): Position | undefined {
  const known = position.children.get(key);
  if (known !== undefined) return known;
  const whole = position.whole ?? position;
  let found = whole.children.get(key);
  for (const part of whole.parts.values()) {
    const child = part.types?.includes(type) === true ? part.children.get(key) : undefined;
    if (child !== undefined && (found === undefined || child.builders.has('__typename'))) found = child;
  }
  return found;
}

function narrowed(presence: Presence, base: SelectionBuilder, { type, types = [] }: Position): Presence {
  return { ...presence, base, selection: fragmentOn(base, type.name, types) };
}

/** Returns the presence of a subgraph at a position, including selections for more types. */
export function presenceAt(graph: FederatedGraph, position: Position, subgraph: string): Presence | undefined {
  const known = position.presences.get(subgraph);
  if (known !== undefined || position.whole === undefined) return known;
  const presence = presenceAround(graph, position, position.whole, subgraph);
  if (presence !== undefined) position.presences.set(subgraph, presence);
  return presence;
}

function presenceAround(graph: FederatedGraph, part: Position, whole: Position, subgraph: string): Presence | undefined {
  const around = whole.presences.get(subgraph);
  if (around !== undefined) {
    const { selection } = around;
    if (selection.type === part.type.name) return around;
    if (part.types?.every((name) => canBeOf(graph, around, name)) === true) return narrowed(around, selection, part);
  }
  for (const wider of widerParts(part)) {
    const known = wider.presences.get(subgraph);
    if (known?.base !== undefined) return narrowed(known, known.base, part);
  }
  return undefined;
}

/** Returns the subgraphs that are queried for the values of a position. */
export function subgraphsAt(graph: FederatedGraph, position: Position): readonly string[] {
  const { presences, whole } = position;
  if (whole === undefined) return [...presences.keys()];
  const candidates = [...whole.presences.keys()];
  for (const subgraph of presences.keys()) if (!whole.presences.has(subgraph)) candidates.push(subgraph);
  for (const wider of widerParts(position)) {
    for (const subgraph of wider.presences.keys()) if (!candidates.includes(subgraph)) candidates.push(subgraph);
  }
  return candidates.filter((subgraph) => presenceAt(graph, position, subgraph) !== undefined);
}

/** Whether a selection of an abstract type can include values of an object type. */
export function canBeOf({ types }: FederatedGraph, { subgraph, selection }: Presence, name: string): boolean {
  if (selection.type === name) return true;
  const type = types.get(selection.type);
  // Subgraphs of a joint source that do not define the type are not queried for it.
  return subgraphsOf(subgraph).some((each) => {
    const here = type?.subgraphs.get(each);
    if (here === undefined) return type?.possibleTypes.has(name) === true;
    // The subgraph does not define the object types of the values, so its selections apply to all of them.
    return !here.isInterfaceObject && here.possibleTypes.has(name);
  });
}

/** Returns the path from the root to a position. */
export function pathTo(position: Position): readonly PlanPathStep[] {
  if (position.parent === undefined) return [];
  const step = position.types === undefined ? { key: position.key } : { key: position.key, types: position.types };
  return [...pathTo(position.parent), step];
}

/** Whether a fetch cannot begin before another one has finished. */
export function doesDependOn(fetch: FetchBuilder, other: FetchBuilder, visited: Set<FetchBuilder> = new Set()): boolean {
  if (fetch === other) return true;
  if (fetch.level <= other.level || visited.has(fetch)) return false;
  visited.add(fetch);
  for (const needed of fetch.dependsOn) if (doesDependOn(needed, other, visited)) return true;
  return false;
}

/** Returns the level of a fetch that depends on the given fetches. */
export function levelAbove(needed: Iterable<FetchBuilder>): number {
  let level = 0;
  for (const fetch of needed) level = Math.max(level, fetch.level + 1);
  return level;
}
