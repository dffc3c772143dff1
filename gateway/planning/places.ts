import type { FieldNode, SelectionSetNode } from 'graphql';
import type { FederatedGraph, FederatedType } from '../supergraph/federated-graph.ts';
import type { ContextArgument, PlanPathStep, PlannedFetch, RepresentationField } from './operation-plan.ts';
import { subgraphsOf } from './joint-source.ts';
import { type SelectionBuilder, fragmentOn } from './selection-builder.ts';
import { textOfTypes } from './type-names.ts';

/**
 * A place in the tree of answers: the root, or the values of a field. A place of an abstract type has refinements, one for each
 * object type of which something is wanted.
 */
export interface Place {
  readonly type: FederatedType;
  /** The place whose field leads here; absent at the root. */
  readonly parent: Place | undefined;
  /** The field that leads here. */
  readonly field: FieldNode | undefined;
  /** Data key of that field. */
  readonly key: string;
  /** The place of the abstract type of which this is a part. */
  readonly whole: Place | undefined;
  /** Of a part: names of the object types of its values. They are planned alike, `type` is one of them. */
  readonly types: readonly string[] | undefined;
  /** Whether the declared type of the place, or of one around it, is an interface or a union. */
  readonly isBeneathAbstract: boolean;
  /** Whether its values are those of one field of several places. */
  readonly isJoint: boolean;
  /** Places with the same data path that this one stands for. It is never planned itself. Empty for an ordinary place. */
  readonly united: readonly Place[];
  /** By data key. */
  readonly children: Map<string, Place>;
  /** By the names of their object types. Parts can have types in common: what is known of a part holds for a smaller one. */
  readonly parts: Map<string, Place>;
  /** By subgraph that is asked about the values already, so that more can be asked of it in the same request. */
  readonly presences: Map<string, Presence>;
  /** By subgraph that is asked a second time, for what is deferred. */
  readonly deferred: Map<string, Presence>;
  /** By data key: the fetch that brings the value. */
  readonly placed: Map<string, FetchBuilder>;
  /** By data key: how a subgraph is asked for the value. */
  readonly sources: Map<string, Presence>;
  /** Fetches that enter here with more than a key. */
  readonly requiring: FetchBuilder[];
  /** Of an abstract type: fetches that enter at parts of it by a key, and can be joined by other parts. */
  readonly entering: FetchBuilder[];
  /** Parts with all types of this one and more, as they were when the abstract place had `count` parts. */
  wider: { readonly count: number; readonly parts: readonly Place[] } | undefined;
}

/** A subgraph is asked about the values of a place. */
export interface Presence {
  readonly subgraph: string;
  readonly fetch: FetchBuilder;
  readonly selection: SelectionBuilder;
  /** Where `selection` is for values of some types only: the selections that it is a fragment of. */
  readonly base?: SelectionBuilder;
  /** What the way here provides beyond what the subgraph can resolve by itself (`@provides`). */
  readonly provides: readonly SelectionSetNode[];
}

/** A request to a subgraph at one place, while it is being put together. */
export interface FetchBuilder {
  readonly subgraph: string;
  readonly kind: PlannedFetch['kind'];
  readonly place: Place;
  /** Where it enters: `place`, and other parts of the same abstract place. */
  readonly places: Place[];
  readonly selection: SelectionBuilder;
  readonly dependsOn: Set<FetchBuilder>;
  /** How many fetches, one after another, must be over before it can begin. */
  readonly level: number;
  /** Which `@defer` it is for; 0 where the first answer needs it. */
  readonly deferral: number;
  /** Absent at the root. */
  readonly representation: { readonly typename: string; readonly fields: RepresentationField[] } | undefined;
  readonly contextArguments: ContextArgument[];
  /** The requests that a joint fetch stands for: together they bring the values of one place. Absent for a request. */
  readonly members?: readonly FetchBuilder[];
}

export function createRoot(type: FederatedType): Place {
  return createPlace({ type, parent: undefined, field: undefined, key: '', isBeneathAbstract: false });
}

type PlaceInput = Pick<Place, 'type' | 'parent' | 'field' | 'key' | 'isBeneathAbstract'> &
  Partial<Pick<Place, 'whole' | 'types' | 'isJoint' | 'united'>>;

export function createPlace({
  type,
  parent,
  field,
  key,
  isBeneathAbstract,
  whole,
  types,
  isJoint = false,
  united = [],
}: PlaceInput): Place {
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
    placed: new Map(),
    sources: new Map(),
    requiring: [],
    entering: [],
    wider: undefined,
  };
}

/** The place that a field leads to. */
export function childOf(parent: Place, type: FederatedType, field: FieldNode, key: string): Place {
  let child = parent.children.get(key);
  if (child === undefined) {
    const isBeneathAbstract = parent.isBeneathAbstract || type.kind !== 'object';
    child = createPlace({ type, parent, field, key, isBeneathAbstract });
    parent.children.set(key, child);
  }
  return child;
}

/**
 * The values of a place that are of some object types, which are planned alike.
 *
 * @param type one of them
 */
export function partOf(place: Place, type: FederatedType, types: readonly string[] = [type.name]): Place {
  if (place.type === type) return place;
  const id = textOfTypes(types);
  let part = place.parts.get(id);
  if (part === undefined) {
    const { parent, field, key, isBeneathAbstract } = place;
    part = createPlace({ type, parent, field, key, whole: place, types, isBeneathAbstract });
    place.parts.set(id, part);
  }
  return part;
}

/** The parts of the same abstract place with all types of a part, and more. */
function widerParts(part: Place): readonly Place[] {
  const { whole, types = [] } = part;
  if (whole === undefined) return [];
  if (part.wider?.count === whole.parts.size) return part.wider.parts;
  const parts: Place[] = [];
  for (const other of whole.parts.values()) {
    if ((other.types?.length ?? 0) <= types.length) continue;
    if (types.every((name) => other.types?.includes(name) === true)) parts.push(other);
  }
  part.wider = { count: whole.parts.size, parts };
  return parts;
}

/** The fetch that brings a field of the values of a place. */
export function placedAt(place: Place, key: string): FetchBuilder | undefined {
  return place.placed.get(key) ?? (place.whole === undefined ? undefined : sourceAt(place, key)?.fetch);
}

/** How a subgraph is asked for a field of the values of a place, be it of values of other types as well. */
export function sourceAt(place: Place, key: string): Presence | undefined {
  const known = place.sources.get(key);
  if (known !== undefined || place.whole === undefined) return known;
  for (const wider of widerParts(place)) {
    const source = wider.sources.get(key);
    if (source?.base !== undefined) return narrowed(source, source.base, place);
  }
  return undefined;
}

/** A place that a field of the values of a place leads to. Where there are several, they are for values around it of different types. */
export function childAt(place: Place, key: string, type: string = place.type.name): Place | undefined {
  const known = place.children.get(key);
  if (known !== undefined) return known;
  const whole = place.whole ?? place;
  let found = whole.children.get(key);
  for (const part of whole.parts.values()) {
    const child = part.types?.includes(type) === true ? part.children.get(key) : undefined;
    if (child !== undefined && (found === undefined || child.placed.has('__typename'))) found = child;
  }
  return found;
}

function narrowed(presence: Presence, base: SelectionBuilder, { type, types = [] }: Place): Presence {
  return { ...presence, base, selection: fragmentOn(base, type.name, types) };
}

/** Who is asked in a subgraph about the values of a place, be it about values of other types as well. */
export function presenceAt(graph: FederatedGraph, place: Place, subgraph: string): Presence | undefined {
  const known = place.presences.get(subgraph);
  if (known !== undefined || place.whole === undefined) return known;
  const presence = presenceAround(graph, place, place.whole, subgraph);
  if (presence !== undefined) place.presences.set(subgraph, presence);
  return presence;
}

function presenceAround(graph: FederatedGraph, part: Place, whole: Place, subgraph: string): Presence | undefined {
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

/** The subgraphs that are asked about the values of a place. */
export function subgraphsAt(graph: FederatedGraph, place: Place): readonly string[] {
  const { presences, whole } = place;
  if (whole === undefined) return [...presences.keys()];
  const candidates = [...whole.presences.keys()];
  for (const subgraph of presences.keys()) if (!whole.presences.has(subgraph)) candidates.push(subgraph);
  for (const wider of widerParts(place)) {
    for (const subgraph of wider.presences.keys()) if (!candidates.includes(subgraph)) candidates.push(subgraph);
  }
  return candidates.filter((subgraph) => presenceAt(graph, place, subgraph) !== undefined);
}

/** Whether a subgraph that is asked about values of an abstract type can be asked about those of an object type. */
export function canBeOf({ types }: FederatedGraph, { subgraph, selection }: Presence, name: string): boolean {
  if (selection.type === name) return true;
  const type = types.get(selection.type);
  // Of the subgraphs of a joint source, those that do not know the type are not asked for it.
  return subgraphsOf(subgraph).some((each) => {
    const here = type?.subgraphs.get(each);
    if (here === undefined) return type?.possibleTypes.has(name) === true;
    // It does not know of what type the values are: what it is asked for, it is asked for whatever they are.
    return !here.isInterfaceObject && here.possibleTypes.has(name);
  });
}

/** How to get from the root to a place. */
export function pathTo(place: Place): readonly PlanPathStep[] {
  if (place.parent === undefined) return [];
  const step = place.types === undefined ? { key: place.key } : { key: place.key, types: place.types };
  return [...pathTo(place.parent), step];
}

/** Whether a fetch cannot begin before another is over. */
export function doesDependOn(fetch: FetchBuilder, other: FetchBuilder, visited: Set<FetchBuilder> = new Set()): boolean {
  if (fetch === other) return true;
  if (fetch.level <= other.level || visited.has(fetch)) return false;
  visited.add(fetch);
  for (const needed of fetch.dependsOn) if (doesDependOn(needed, other, visited)) return true;
  return false;
}

/** How many fetches, one after another, must be over before one can begin that needs these. */
export function levelAbove(needed: Iterable<FetchBuilder>): number {
  let level = 0;
  for (const fetch of needed) level = Math.max(level, fetch.level + 1);
  return level;
}
