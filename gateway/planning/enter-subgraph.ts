import type { FieldNode, SelectionSetNode } from 'graphql';
import { type PlannedContextArgument, planContextArguments } from './context-arguments.ts';
import { printArguments, printDirectives } from './data-keys.ts';
import type { PlanPathStep, RepresentationField } from './operation-plan.ts';
import { type FetchBuilder, type Place, type Presence, childOf, doesDependOn, levelAbove, pathTo, placedAt, presenceAt } from './places.ts';
import { NoWay, type PlanningScope, type Purpose, spend } from './planning-scope.ts';
import { doFieldsConflict, representationFields, uniteFields } from './representation-fields.ts';
import { type EntryPoint, entryPoints, plainSource, providedInside, resolverOf } from './resolvable.ts';
import { cheapestEntry, costOfSelection, findRoute, findRoutes } from './routes.ts';
import { type FieldBuilder, createSelectionBuilder, fragmentOn, selectTypename } from './selection-builder.ts';
import { variablesIn } from './operation-variables.ts';

/** Ensures that a subgraph is queried for the values of a position. @throws NoWay when no route leads to the subgraph */
export function ensurePresence(scope: PlanningScope, place: Place, subgraph: string, purpose: Purpose): Presence {
  const known = presenceAt(scope.graph, place, subgraph);
  if (known !== undefined) return known;
  const route = findRoute(scope, place, subgraph, purpose.avoid);
  if (route === undefined || route.by === 'presence') throw noWayInto(place, subgraph);
  if (route.by === 'root') {
    const kind = place.parent === undefined ? scope.kind : place.type.name === scope.graph.roots.mutation ? 'mutation' : 'query';
    const fetch = createFetch(scope, { subgraph, place, kind, type: place.type.name });
    return addPresence(place, { subgraph, fetch, selection: fetch.selection, provides: [] });
  }
  if (route.by !== 'parent') return enterByKey(scope, place, { subgraph, entry: route.by }, purpose);
  if (place.parent === undefined || place.field === undefined) throw noWayInto(place, subgraph);
  const around = ensurePresence(scope, place.parent, subgraph, purpose);
  placeField(scope, place.parent, around, { field: place.field, key: place.key });
  const presence = presenceAt(scope.graph, place, subgraph);
  if (presence === undefined) throw noWayInto(place, subgraph);
  return presence;
}

function noWayInto({ type }: Place, subgraph: string): NoWay {
  return new NoWay(`query subgraph "${subgraph}" for values of ${type.name}`);
}

/**
 * Ensures that a subgraph is queried for the values of a position by a separate request, so that fetches for earlier results do not wait
 * for it. If the subgraph cannot be entered there, the deferred fields are fetched with the rest.
 */
export function ensureDeferredPresence(
  scope: PlanningScope,
  place: Place,
  { subgraph, field }: { readonly subgraph: string; readonly field: FieldNode },
  purpose: Purpose,
): Presence {
  const early = ensurePresence(scope, place, subgraph, purpose);
  if (early.fetch.deferral === scope.deferral) return early;
  // A field that is only provided on the current route cannot be fetched by another request.
  if (resolverOf(scope, place.type, field.name.value, { subgraph, provides: [] }) === undefined) return early;
  const late = place.deferred.get(subgraph);
  if (late !== undefined && late.fetch.deferral === scope.deferral) return late;
  const fetch = createDeferredFetch(scope, place, early, purpose);
  if (fetch === undefined) return early;
  const presence = presenceIn(fetch, place);
  place.deferred.set(subgraph, presence);
  return presence;
}

/** Creates a second request to a subgraph. Returns undefined if the subgraph cannot be entered again. */
function createDeferredFetch(scope: PlanningScope, place: Place, early: Presence, purpose: Purpose): FetchBuilder | undefined {
  const { subgraph } = early;
  if (place.parent === undefined && scope.kind === 'query') {
    return createFetch(scope, { subgraph, place, kind: scope.kind, type: place.type.name });
  }
  const entry = entryPoints(scope.graph, place.type, subgraph).find(provides(scope, place, early));
  if (entry === undefined) return undefined;
  const inputs = provideInputs(scope, place, [entry.key], purpose);
  return createFetch(scope, { subgraph, place, kind: 'query', type: entry.typename, ...inputs });
}

/** Whether a subgraph that is already queried resolves a key. */
function provides(scope: PlanningScope, place: Place, { subgraph }: Presence): (entry: EntryPoint) => boolean {
  const routes = new Map([[subgraph, { cost: 0, by: 'presence' as const }]]);
  return ({ key }) => costOfSelection(scope, place, key, { routes }) < 1;
}

interface KeyedWay {
  readonly subgraph: string;
  readonly entry: EntryPoint;
}

/**
 * Ensures that several subgraphs are queried for the values of a position. Keys are provided for all of them before any of them is entered,
 * so that they do not wait for each other.
 *
 * @throws NoWay when no route leads to one of them
 */
export function enterTogether(scope: PlanningScope, place: Place, subgraphs: readonly string[], purpose: Purpose): void {
  const routes = findRoutes(scope, place, purpose.avoid);
  const ways = subgraphs.map((subgraph) => {
    const entry = routes.get(subgraph)?.by;
    if (entry === undefined || typeof entry === 'string') return { subgraph };
    return { subgraph, entry, inputs: provideInputs(scope, place, [entry.key], avoiding(purpose, subgraph)) };
  });
  for (const { subgraph, entry, inputs } of ways) {
    if (entry === undefined || presenceAt(scope.graph, place, subgraph) !== undefined) ensurePresence(scope, place, subgraph, purpose);
    else enterWithKey(scope, place, { subgraph, entry }, inputs);
  }
}

function enterByKey(scope: PlanningScope, place: Place, way: KeyedWay, purpose: Purpose): Presence {
  return enterWithKey(scope, place, way, provideInputs(scope, place, [way.entry.key], avoiding(purpose, way.subgraph)));
}

function enterWithKey(scope: PlanningScope, place: Place, { subgraph, entry }: KeyedWay, inputs: Inputs): Presence {
  const input = { subgraph, place, kind: 'query', type: entry.typename, ...inputs } as const;
  let fetch = joinFetch(scope, input);
  if (fetch === undefined) {
    fetch = createFetch(scope, input);
    place.whole?.entering.push(fetch);
  }
  return addPresence(place, presenceIn(fetch, place));
}

/** Finds a request with the same key for other types of the same position, which can also fetch these values. */
function joinFetch(
  scope: PlanningScope,
  { subgraph, place, type, fields = [], dependsOn = new Set() }: FetchInput,
): FetchBuilder | undefined {
  // An interface object fetches the same selections for all types.
  if (place.whole === undefined || type !== place.type.name) return undefined;
  const needed = neededFor(place, dependsOn, fields.length > 0);
  const found = place.whole.entering.find((fetch) => {
    if (fetch.subgraph !== subgraph || fetch.deferral !== scope.deferral || !isOwnType(fetch)) return false;
    if (fetch.dependsOn.size !== needed.size) return false;
    return [...needed].every((other) => fetch.dependsOn.has(other)) && haveEqualInputs(fetch.representation?.fields ?? [], fields);
  });
  found?.places.push(place);
  return found;
}

function haveEqualInputs(one: readonly RepresentationField[], other: readonly RepresentationField[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Returns the part of a request that selects from the values of the position where it enters. */
function presenceIn(fetch: FetchBuilder, { type, types }: Place): Presence {
  const { subgraph, selection } = fetch;
  const isByType = types !== undefined && fetch.representation !== undefined && isOwnType(fetch);
  if (!isByType) return { subgraph, fetch, selection, provides: [] };
  return { subgraph, fetch, selection: fragmentOn(selection, type.name, types), base: selection, provides: [] };
}

/** Whether representations have the object type, and not an interface that the subgraph defines as an object. */
function isOwnType({ place, representation }: FetchBuilder): boolean {
  return representation?.typename === place.type.name;
}

/** A subgraph that resolves one field with more inputs than a key. */
export interface RequiringPresence extends Presence {
  /** Printed arguments of the field, in addition to the client's arguments. */
  readonly given: readonly string[];
}

/**
 * Creates a request for a field that needs more inputs than a key. Joins an existing request for other such fields if it needs no more
 * inputs and is not sent later.
 */
export function enterWithRequirements(
  scope: PlanningScope,
  place: Place,
  { subgraph, field, key: dataKey }: PlacedField & { readonly subgraph: string },
  purpose: Purpose,
): RequiringPresence {
  const resolver = resolverOf(scope, place.type, field.name.value, plainSource(subgraph));
  const what = `${place.type.name}.${field.name.value}`;
  if (resolver === undefined) throw new NoWay(`fetch ${what} from subgraph "${subgraph}"`);
  const pending = scope.pending.get(place) ?? new Set();
  scope.pending.set(place, pending);
  if (pending.has(what)) throw new NoWay(`fetch ${what}, because it requires itself`);
  pending.add(what);
  const present = presenceAt(scope.graph, place, subgraph);
  const isPresent = present !== undefined;
  const keyPurpose = isPresent ? purpose : avoiding(purpose, subgraph);
  const context = planContextArguments(scope, place, resolver.contextArguments, purpose);
  const target = present === undefined ? [] : [...pathTo(place).slice(pathTo(present.fetch.place).length), { key: dataKey }];
  if (present !== undefined && resolver.requires === undefined && canTakeContext(scope, present, { context, target })) {
    pending.delete(what);
    present.fetch.contextArguments.push(...context.map(({ plan }) => ({ ...plan, target })));
    for (const needed of context.flatMap(({ dependsOn }) => [...dependsOn])) present.fetch.dependsOn.add(needed);
    return { ...present, given: context.map(({ printed }) => printed) };
  }
  const entry = entryInto(scope, place, subgraph, keyPurpose);
  const required = resolver.requires === undefined ? NO_INPUTS : provideInputs(scope, place, [resolver.requires], purpose);
  const key = provideInputs(scope, place, [entry.key], keyPurpose);
  pending.delete(what);
  const inputs = {
    fields: uniteFields([...key.fields, ...required.fields.map((input) => ({ ...input, for: [dataKey] }))]),
    dependsOn: new Set([...key.dependsOn, ...required.dependsOn, ...context.flatMap(({ dependsOn }) => [...dependsOn])]),
  };
  const fetch =
    (context.length > 0 ? undefined : place.requiring.find((other) => canJoin(other, subgraph, entry, inputs))) ??
    createFetch(scope, { subgraph, place, kind: 'query', type: entry.typename, ...inputs });
  fetch.contextArguments.push(...context.map(({ plan }) => plan));
  if (!place.requiring.includes(fetch)) place.requiring.push(fetch);
  for (const needed of inputs.dependsOn) fetch.dependsOn.add(needed);
  const fields = fetch.representation?.fields ?? [];
  fields.splice(0, fields.length, ...uniteFields([...fields, ...inputs.fields]));
  return { ...presenceIn(fetch, place), given: context.map(({ printed }) => printed) };
}

/**
 * Whether an existing request can also provide the values of contexts. The objects of the contexts must be at or above the position where
 * the request enters, and the request must come after the requests that fetch these values. A field that is already selected there with
 * context values cannot have others, because a response key has the same arguments in all selections (GraphQL specification, 5.3.2).
 *
 * @param target path from the entry position to the field that takes the values
 */
function canTakeContext(
  scope: PlanningScope,
  { fetch }: Presence,
  { context, target }: { readonly context: readonly PlannedContextArgument[]; readonly target: readonly PlanPathStep[] },
): boolean {
  if (fetch.representation === undefined || fetch.deferral !== scope.deferral) return false;
  const keysOf = (path: readonly PlanPathStep[]): string => path.map(({ key }) => key).join(' ');
  if (fetch.contextArguments.some((other) => other.target !== undefined && keysOf(other.target) === keysOf(target))) return false;
  const depth = pathTo(fetch.place).length;
  return context.every(({ plan, dependsOn }) => {
    return plan.depth <= depth && levelAbove(dependsOn) <= fetch.level && ![...dependsOn].some((needed) => doesDependOn(needed, fetch));
  });
}

function avoiding(purpose: Purpose, subgraph: string): Purpose {
  return { ...purpose, avoid: new Set([...purpose.avoid, subgraph]) };
}

function canJoin(other: FetchBuilder, subgraph: string, { typename }: EntryPoint, { fields, dependsOn }: Inputs): boolean {
  if (other.subgraph !== subgraph || other.representation?.typename !== typename || other.contextArguments.length > 0) return false;
  if (doFieldsConflict([...other.representation.fields, ...fields])) return false;
  return levelAbove(dependsOn) === other.level && ![...dependsOn].some((fetch) => doesDependOn(fetch, other));
}

function entryInto(scope: PlanningScope, place: Place, subgraph: string, { avoid }: Purpose): EntryPoint {
  const best = cheapestEntry(scope, place, entryPoints(scope.graph, place.type, subgraph), findRoutes(scope, place, avoid));
  if (best === undefined) throw new NoWay(`enter subgraph "${subgraph}" at ${place.type.name}`);
  return best.entry;
}

const NO_INPUTS: Inputs = { fields: [], dependsOn: new Set() };

interface Inputs {
  readonly fields: readonly RepresentationField[];
  readonly dependsOn: ReadonlySet<FetchBuilder>;
}

function provideInputs(scope: PlanningScope, place: Place, selectionSets: readonly SelectionSetNode[], purpose: Purpose): Inputs {
  const planned = scope.planSelection(place, selectionSets, { ...purpose, isInput: true });
  return { fields: representationFields(scope, place, selectionSets), dependsOn: planned };
}

interface FetchInput extends Partial<Inputs> {
  readonly subgraph: string;
  readonly place: Place;
  readonly kind: FetchBuilder['kind'];
  /** Type that the request enters as. */
  readonly type: string;
}

/** Creates a request. */
export function createFetch(scope: PlanningScope, { subgraph, place, kind, type, fields, dependsOn }: FetchInput): FetchBuilder {
  spend(scope);
  const needed = neededFor(place, dependsOn, (fields ?? []).length > 0);
  const isTold = fields !== undefined && place.types !== undefined && type === place.type.name;
  const fetch: FetchBuilder = {
    subgraph,
    kind,
    place,
    places: [place],
    selection: createSelectionBuilder(isTold ? ENTITIES : type),
    dependsOn: needed,
    level: levelAbove(needed),
    deferral: scope.deferral,
    representation: fields === undefined ? undefined : { typename: type, fields: [...fields] },
    contextArguments: [],
  };
  scope.fetches.push(fetch);
  if (fields !== undefined) scope.asked.add(subgraph);
  return fetch;
}

/** Placeholder for the type of entities that fragments distinguish. No type has this name. */
const ENTITIES = '';

/** Returns the fetches that must finish before a fetch for the values of a position can begin. */
function neededFor(place: Place, dependsOn: Iterable<FetchBuilder> = [], takesValues: boolean): Set<FetchBuilder> {
  const needed = new Set(dependsOn);
  // The path to the objects depends on the names of their types, so these must have been fetched.
  for (let around: Place | undefined = place; around !== undefined; around = around.parent) {
    const typed = around.whole?.placed.get('__typename');
    if (typed === undefined) continue;
    // Requests that wait for the same joint fetch share its list of dependencies.
    const isImplied = typed.members !== undefined && [...needed].some((fetch) => doesDependOn(fetch, typed));
    if (!isImplied) needed.add(typed);
  }
  // A request on the root type, or with a key of only `__typename`, takes no value of the position, but still has to wait for the position
  // itself.
  const bringing = takesValues || place.parent === undefined ? undefined : placedAt(place.parent, place.key);
  if (bringing !== undefined) needed.add(bringing);
  return needed;
}

/** Records that more fields can be requested from the subgraph here. Selects the type name if the values can have several types. */
export function addPresence(place: Place, presence: Presence): Presence {
  const { subgraph, selection, fetch } = presence;
  place.presences.set(subgraph, presence);
  if (place.type.kind !== 'object' && place.type.subgraphs.get(subgraph)?.isInterfaceObject !== true) {
    selectTypename(selection);
    if (!place.placed.has('__typename')) place.placed.set('__typename', fetch);
  }
  return presence;
}

/**
 * Selects the type name for values of an object type.
 *
 * @returns the fetch that provides it; undefined if no subgraph is queried for the values
 */
export function placeTypename({ presences, placed }: Place): FetchBuilder | undefined {
  const known = placed.get('__typename');
  if (known !== undefined) return known;
  let earliest: Presence | undefined;
  for (const presence of presences.values()) if (earliest === undefined || presence.fetch.level < earliest.fetch.level) earliest = presence;
  if (earliest === undefined) return undefined;
  selectTypename(earliest.selection);
  placed.set('__typename', earliest.fetch);
  return earliest.fetch;
}

/** A field with the data key of its value. */
interface PlacedField {
  readonly field: FieldNode;
  readonly key: string;
}

/** Adds a field to a request. @returns the position that the field leads to; undefined for leaves */
export function placeField(
  scope: PlanningScope,
  place: Place,
  presence: Presence & Partial<RequiringPresence>,
  { field, key }: PlacedField,
): Place | undefined {
  spend(scope);
  const { subgraph, selection, provides, fetch } = presence;
  const name = field.name.value;
  const resolver = resolverOf(scope, place.type, name, presence);
  const inside = scope.graph.types.get(place.type.fields.get(name)?.namedType ?? '');
  if (resolver === undefined) throw new NoWay(`fetch ${place.type.name}.${name} from subgraph "${subgraph}"`);
  let builder = selection.fields.get(key);
  if (builder === undefined) {
    builder = {
      name,
      key,
      arguments: printArguments(field.arguments, presence.given),
      directives: printDirectives(field),
      variables: variablesIn(field, scope.variables),
      selection: inside === undefined ? undefined : createSelectionBuilder(resolver.namedType),
    } satisfies FieldBuilder;
    selection.fields.set(key, builder);
  }
  if (!place.placed.has(key)) place.placed.set(key, fetch);
  if (!place.sources.has(key)) place.sources.set(key, presence);
  if (inside === undefined || builder.selection === undefined) return undefined;
  const child = childOf(place, inside, field, key);
  if (!child.presences.has(subgraph)) {
    const provided = [
      ...providedInside(scope.graph, place.type, name, provides),
      ...(resolver.provides === undefined ? [] : [resolver.provides]),
    ];
    addPresence(child, { subgraph, fetch, selection: builder.selection, provides: provided });
  }
  return child;
}
