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

/** Sees to it that a subgraph is asked about the values of a place. @throws NoWay when it cannot be */
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
  return new NoWay(`ask subgraph "${subgraph}" about values of ${type.name}`);
}

/**
 * Sees to it that a subgraph is asked about the values of a place by a request that nobody waits for who wants the answers before it. Where the
 * subgraph cannot be entered there, what is deferred comes along with the rest.
 */
export function ensureDeferredPresence(
  scope: PlanningScope,
  place: Place,
  { subgraph, field }: { readonly subgraph: string; readonly field: FieldNode },
  purpose: Purpose,
): Presence {
  const early = ensurePresence(scope, place, subgraph, purpose);
  if (early.fetch.deferral === scope.deferral) return early;
  // What is only provided on the way that is taken already cannot be had by another.
  if (resolverOf(scope, place.type, field.name.value, { subgraph, provides: [] }) === undefined) return early;
  const late = place.deferred.get(subgraph);
  if (late !== undefined && late.fetch.deferral === scope.deferral) return late;
  const fetch = createDeferredFetch(scope, place, early, purpose);
  if (fetch === undefined) return early;
  const presence = presenceIn(fetch, place);
  place.deferred.set(subgraph, presence);
  return presence;
}

/** A second request to a subgraph; undefined where it cannot be entered again. */
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

/** Tells whether somebody who is asked already resolves a key. */
function provides(scope: PlanningScope, place: Place, { subgraph }: Presence): (entry: EntryPoint) => boolean {
  const routes = new Map([[subgraph, { cost: 0, by: 'presence' as const }]]);
  return ({ key }) => costOfSelection(scope, place, key, { routes }) < 1;
}

interface KeyedWay {
  readonly subgraph: string;
  readonly entry: EntryPoint;
}

/**
 * Sees to it that several subgraphs are asked about the values of a place: keys are provided for all of them before any of them is entered, so
 * that none waits for another. @throws NoWay when one cannot be asked
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

/** A request by the same key for values of other types of the same place, which can be for these values as well. */
function joinFetch(
  scope: PlanningScope,
  { subgraph, place, type, fields = [], dependsOn = new Set() }: FetchInput,
): FetchBuilder | undefined {
  // As an interface object, values of all types are asked for the same.
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

/** What of a request is about the values of a place where it enters. */
function presenceIn(fetch: FetchBuilder, { type, types }: Place): Presence {
  const { subgraph, selection } = fetch;
  const isByType = types !== undefined && fetch.representation !== undefined && isOwnType(fetch);
  if (!isByType) return { subgraph, fetch, selection, provides: [] };
  return { subgraph, fetch, selection: fragmentOn(selection, type.name, types), base: selection, provides: [] };
}

/** Whether values are sent as what they are, rather than as an interface that the subgraph knows as an object. */
function isOwnType({ place, representation }: FetchBuilder): boolean {
  return representation?.typename === place.type.name;
}

/** A subgraph that is asked for one field with more than a key. */
export interface RequiringPresence extends Presence {
  /** Arguments that the field has beside the client's, printed. */
  readonly given: readonly string[];
}

/** A request for one field that needs more than a key, or joins one for others that need no more and come no later. */
export function enterWithRequirements(
  scope: PlanningScope,
  place: Place,
  { subgraph, field, key: dataKey }: PlacedField & { readonly subgraph: string },
  purpose: Purpose,
): RequiringPresence {
  const resolver = resolverOf(scope, place.type, field.name.value, plainSource(subgraph));
  const what = `${place.type.name}.${field.name.value}`;
  if (resolver === undefined) throw new NoWay(`get ${what} from subgraph "${subgraph}"`);
  const pending = scope.pending.get(place) ?? new Set();
  scope.pending.set(place, pending);
  if (pending.has(what)) throw new NoWay(`get ${what} before itself`);
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
 * Whether a request that asks about the values anyway can bring the values of contexts along: the objects of the contexts stand at
 * or around the place at which it enters, and it comes after the requests that bring their values. A field that is selected there already with values
 * of contexts cannot have others: one response key has the same arguments wherever it is selected (GraphQL specification, 5.3.2).
 *
 * @param target path from where it enters to the field that takes the values
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
  /** What it enters as. */
  readonly type: string;
}

/** A new request. */
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

/** Stands for the type of entities that are told apart by fragments: no type has this name. */
const ENTITIES = '';

/** The fetches that must be over before one about the values of a place can begin. */
function neededFor(place: Place, dependsOn: Iterable<FetchBuilder> = [], takesValues: boolean): Set<FetchBuilder> {
  const needed = new Set(dependsOn);
  // The path to the objects is followed by the names of their types: those must have arrived.
  for (let around: Place | undefined = place; around !== undefined; around = around.parent) {
    const typed = around.whole?.placed.get('__typename');
    if (typed === undefined) continue;
    // Requests that wait for the same joint fetch share the list of what they wait for.
    const isImplied = typed.members !== undefined && [...needed].some((fetch) => doesDependOn(fetch, typed));
    if (!isImplied) needed.add(typed);
  }
  // A request about the root type, or by a key of `__typename` alone, takes no value of the place: it still has to wait for the place.
  const bringing = takesValues || place.parent === undefined ? undefined : placedAt(place.parent, place.key);
  if (bringing !== undefined) needed.add(bringing);
  return needed;
}

/** From now on more can be asked of the subgraph here. Where values can be of several types, it is asked for the name. */
export function addPresence(place: Place, presence: Presence): Presence {
  const { subgraph, selection, fetch } = presence;
  place.presences.set(subgraph, presence);
  if (place.type.kind !== 'object' && place.type.subgraphs.get(subgraph)?.isInterfaceObject !== true) {
    selectTypename(selection);
    if (!place.placed.has('__typename')) place.placed.set('__typename', fetch);
  }
  return presence;
}

/** Asks for the name of the type of values of an object type. @returns the fetch that brings it; undefined where no subgraph is asked about the values */
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

/** Asks a subgraph for a field. @returns the place that the field leads to; undefined for leaves */
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
  if (resolver === undefined) throw new NoWay(`get ${place.type.name}.${name} from subgraph "${subgraph}"`);
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
