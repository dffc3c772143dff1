import type { FieldNode, SelectionSetNode } from 'graphql';
import type { FederatedGraph, FederatedType } from '../supergraph/federated-graph.ts';
import type { ContextArgument, PlanPathStep, PlannedFetch, RepresentationField } from './operation-plan.ts';
import { type SelectionBuilder, fragmentOn } from './selection-builder.ts';

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
  /** Whether the declared type of the place, or of one around it, is an interface or a union. */
  readonly isBeneathAbstract: boolean;
  /** By data key. */
  readonly children: Map<string, Place>;
  /** By object type. */
  readonly parts: Map<string, Place>;
  /** By subgraph that is asked about the values already, so that more can be asked of it in the same request. */
  readonly presences: Map<string, Presence>;
  /** By subgraph that is asked a second time, for what is deferred. */
  readonly deferred: Map<string, Presence>;
  /** By data key: the fetch that brings the value. */
  readonly placed: Map<string, FetchBuilder>;
  /** Fetches that enter here with more than a key. */
  readonly requiring: FetchBuilder[];
}

/** A subgraph is asked about the values of a place. */
export interface Presence {
  readonly subgraph: string;
  readonly fetch: FetchBuilder;
  readonly selection: SelectionBuilder;
  /** What the way here provides beyond what the subgraph can resolve by itself (`@provides`). */
  readonly provides: readonly SelectionSetNode[];
}

/** A request to a subgraph at one place, while it is being put together. */
export interface FetchBuilder {
  readonly subgraph: string;
  readonly kind: PlannedFetch['kind'];
  readonly place: Place;
  readonly selection: SelectionBuilder;
  readonly dependsOn: Set<FetchBuilder>;
  /** How many fetches, one after another, must be over before it can begin. */
  readonly level: number;
  /** Which `@defer` it is for; 0 where the first answer needs it. */
  readonly deferral: number;
  /** Absent at the root. */
  readonly representation: { readonly typename: string; readonly fields: RepresentationField[] } | undefined;
  readonly contextArguments: ContextArgument[];
}

export function createRoot(type: FederatedType): Place {
  return createPlace({ type, parent: undefined, field: undefined, key: '', whole: undefined, isBeneathAbstract: false });
}

function createPlace(given: Pick<Place, 'type' | 'parent' | 'field' | 'key' | 'whole' | 'isBeneathAbstract'>): Place {
  return { ...given, children: new Map(), parts: new Map(), presences: new Map(), deferred: new Map(), placed: new Map(), requiring: [] };
}

/** The place that a field leads to. */
export function childOf(parent: Place, type: FederatedType, field: FieldNode, key: string): Place {
  let child = parent.children.get(key);
  if (child === undefined) {
    const isBeneathAbstract = parent.isBeneathAbstract || type.kind !== 'object';
    child = createPlace({ type, parent, field, key, whole: undefined, isBeneathAbstract });
    parent.children.set(key, child);
  }
  return child;
}

/** The values of a place that are of one object type. */
export function partOf(place: Place, type: FederatedType): Place {
  if (place.type === type) return place;
  let part = place.parts.get(type.name);
  if (part === undefined) {
    const { parent, field, key, isBeneathAbstract } = place;
    part = createPlace({ type, parent, field, key, whole: place, isBeneathAbstract });
    place.parts.set(type.name, part);
  }
  return part;
}

/** Who is asked in a subgraph about the values of a place, be it about values of other types as well. */
export function presenceAt(graph: FederatedGraph, place: Place, subgraph: string): Presence | undefined {
  const known = place.presences.get(subgraph);
  if (known !== undefined || place.whole === undefined) return known;
  const whole = place.whole.presences.get(subgraph);
  if (whole === undefined) return undefined;
  const selection = selectionFor(graph, whole, place.type);
  if (selection === undefined) return undefined;
  const presence = { ...whole, selection };
  place.presences.set(subgraph, presence);
  return presence;
}

/** The subgraphs that are asked about the values of a place. */
export function subgraphsAt(graph: FederatedGraph, place: Place): readonly string[] {
  if (place.whole === undefined) return [...place.presences.keys()];
  const candidates = new Set([...place.whole.presences.keys(), ...place.presences.keys()]);
  return [...candidates].filter((subgraph) => presenceAt(graph, place, subgraph) !== undefined);
}

function selectionFor({ types }: FederatedGraph, { subgraph, selection }: Presence, { name }: FederatedType): SelectionBuilder | undefined {
  if (selection.type === name) return selection;
  const here = types.get(selection.type)?.subgraphs.get(subgraph);
  if (here === undefined) return types.get(selection.type)?.possibleTypes.has(name) === true ? fragmentOn(selection, name) : undefined;
  // It does not know of what type the values are: what it is asked for, it is asked for whatever they are.
  if (here.isInterfaceObject) return undefined;
  return here.possibleTypes.has(name) ? fragmentOn(selection, name) : undefined;
}

/** How to get from the root to a place. */
export function pathTo(place: Place): readonly PlanPathStep[] {
  if (place.parent === undefined) return [];
  const step = place.whole === undefined ? { key: place.key } : { key: place.key, types: [place.type.name] };
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
