import type { FieldNode, SelectionSetNode } from 'graphql';
import { type PlannedContextArgument, planContextArguments } from './context-arguments.ts';
import { printArguments, printDirectives } from './data-keys.ts';
import type { PlanPathStep, RepresentationField } from './operation-plan.ts';
import {
  type FetchBuilder,
  type Position,
  type Presence,
  childOf,
  doesDependOn,
  levelAbove,
  pathTo,
  fetchBuilderAt,
  presenceAt,
} from './positions.ts';
import { NoPath, type PlanningScope, type Purpose, spend } from './planning-scope.ts';
import { doFieldsConflict, representationFields, uniteFields } from './representation-fields.ts';
import { type EntryPoint, entryPoints, hasRequirements, plainSource, providedInside, resolverOf } from './resolvable.ts';
import { cheapestEntry, costOfSelection, findRoute, findRoutes } from './routes.ts';
import { type FieldBuilder, createSelectionBuilder, fragmentOn, selectTypename } from './selection-builder.ts';
import { variablesIn } from './operation-variables.ts';

/** Ensures that a subgraph is queried for the values of a position. @throws NoPath when no route leads to the subgraph */
export function ensurePresence(scope: PlanningScope, position: Position, subgraph: string, purpose: Purpose): Presence {
  const known = presenceAt(scope.graph, position, subgraph);
  if (known !== undefined) return known;
  const route = findRoute(scope, position, subgraph, purpose.avoid);
  if (route === undefined || route.by === 'presence') throw noPathInto(position, subgraph);
  if (route.by === 'root') {
    const kind = position.parent === undefined ? scope.kind : position.type.name === scope.graph.roots.mutation ? 'mutation' : 'query';
    const fetch = createFetch(scope, { subgraph, position, kind, type: position.type.name });
    return addPresence(position, { subgraph, fetch, selection: fetch.selection, provides: [] });
  }
  if (route.by !== 'parent') return enterByKey(scope, position, { subgraph, entry: route.by }, purpose);
  if (position.parent === undefined || position.field === undefined) throw noPathInto(position, subgraph);
  const { parent, field, key } = position;
  const resolver = resolverOf(scope, parent.type, field.name.value, presenceAt(scope.graph, parent, subgraph) ?? plainSource(subgraph));
  const around =
    resolver !== undefined && hasRequirements(resolver)
      ? enterWithRequirements(scope, parent, { subgraph, field, key }, purpose)
      : ensurePresence(scope, parent, subgraph, purpose);
  addField(scope, parent, around, { field, key });
  const presence = presenceAt(scope.graph, position, subgraph);
  if (presence === undefined) throw noPathInto(position, subgraph);
  return presence;
}

function noPathInto({ type }: Position, subgraph: string): NoPath {
  return new NoPath(`query subgraph "${subgraph}" for values of ${type.name}`);
}

/**
 * Ensures that a subgraph is queried for the values of a position by a separate request, so that fetches for earlier results do not wait
 * for it. If the subgraph cannot be entered there, the deferred fields are fetched with the rest.
 */
export function ensureDeferredPresence(
  scope: PlanningScope,
  position: Position,
  { subgraph, field }: { readonly subgraph: string; readonly field: FieldNode },
  purpose: Purpose,
): Presence {
  const early = ensurePresence(scope, position, subgraph, purpose);
  if (early.fetch.deferral === scope.deferral) return early;
  // A field that is only provided on the current route cannot be fetched by another request.
  if (resolverOf(scope, position.type, field.name.value, { subgraph, provides: [] }) === undefined) return early;
  const late = position.deferred.get(subgraph);
  if (late !== undefined && late.fetch.deferral === scope.deferral) return late;
  const fetch = createDeferredFetch(scope, position, early, purpose);
  if (fetch === undefined) return early;
  const presence = presenceIn(fetch, position);
  position.deferred.set(subgraph, presence);
  return presence;
}

/** Creates a second request to a subgraph. Returns undefined if the subgraph cannot be entered again. */
function createDeferredFetch(scope: PlanningScope, position: Position, early: Presence, purpose: Purpose): FetchBuilder | undefined {
  const { subgraph } = early;
  if (position.parent === undefined && scope.kind === 'query') {
    return createFetch(scope, { subgraph, position, kind: scope.kind, type: position.type.name });
  }
  const entry = entryPoints(scope.graph, position.type, subgraph).find(provides(scope, position, early));
  if (entry === undefined) return undefined;
  const inputs = provideInputs(scope, position, [entry.key], purpose);
  return createFetch(scope, { subgraph, position, kind: 'query', type: entry.typename, ...inputs });
}

/** Whether a subgraph that is already queried resolves a key. */
function provides(scope: PlanningScope, position: Position, { subgraph }: Presence): (entry: EntryPoint) => boolean {
  const routes = new Map([[subgraph, { cost: 0, by: 'presence' as const }]]);
  return ({ key }) => costOfSelection(scope, position, key, { routes }) < 1;
}

interface KeyedPath {
  readonly subgraph: string;
  readonly entry: EntryPoint;
}

/**
 * Ensures that several subgraphs are queried for the values of a position. Keys are provided for all of them before any of them is entered,
 * so that they do not wait for each other.
 *
 * @throws NoPath when no route leads to one of them
 */
export function enterTogether(scope: PlanningScope, position: Position, subgraphs: readonly string[], purpose: Purpose): void {
  const routes = findRoutes(scope, position, purpose.avoid);
  const paths = subgraphs.map((subgraph) => {
    const entry = routes.get(subgraph)?.by;
    if (entry === undefined || typeof entry === 'string') return { subgraph };
    return { subgraph, entry, inputs: provideInputs(scope, position, [entry.key], avoiding(purpose, subgraph)) };
  });
  for (const { subgraph, entry, inputs } of paths) {
    if (entry === undefined || presenceAt(scope.graph, position, subgraph) !== undefined)
      ensurePresence(scope, position, subgraph, purpose);
    else enterWithKey(scope, position, { subgraph, entry }, inputs);
  }
}

function enterByKey(scope: PlanningScope, position: Position, path: KeyedPath, purpose: Purpose): Presence {
  return enterWithKey(scope, position, path, provideInputs(scope, position, [path.entry.key], avoiding(purpose, path.subgraph)));
}

function enterWithKey(scope: PlanningScope, position: Position, { subgraph, entry }: KeyedPath, inputs: Inputs): Presence {
  const input = { subgraph, position, kind: 'query', type: entry.typename, ...inputs } as const;
  let fetch = joinFetch(scope, input);
  if (fetch === undefined) {
    fetch = createFetch(scope, input);
    position.whole?.entering.push(fetch);
  }
  return addPresence(position, presenceIn(fetch, position));
}

/** Finds a request with the same key for other types of the same position, which can also fetch these values. */
function joinFetch(
  scope: PlanningScope,
  { subgraph, position, type, fields = [], dependsOn = new Set() }: FetchInput,
): FetchBuilder | undefined {
  // An interface object fetches the same selections for all types.
  if (position.whole === undefined || type !== position.type.name) return undefined;
  const needed = neededFor(position, dependsOn, fields.length > 0);
  const found = position.whole.entering.find((fetch) => {
    if (fetch.subgraph !== subgraph || fetch.deferral !== scope.deferral || !isOwnType(fetch)) return false;
    if (fetch.dependsOn.size !== needed.size) return false;
    return [...needed].every((other) => fetch.dependsOn.has(other)) && haveEqualInputs(fetch.representation?.fields ?? [], fields);
  });
  found?.positions.push(position);
  return found;
}

function haveEqualInputs(one: readonly RepresentationField[], other: readonly RepresentationField[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Returns the part of a request that selects from the values of the position where it enters. */
function presenceIn(fetch: FetchBuilder, { type, types }: Position): Presence {
  const { subgraph, selection } = fetch;
  const isByType = types !== undefined && fetch.representation !== undefined && isOwnType(fetch);
  if (!isByType) return { subgraph, fetch, selection, provides: [] };
  return { subgraph, fetch, selection: fragmentOn(selection, type.name, types), base: selection, provides: [] };
}

/** Whether representations have the object type, and not an interface that the subgraph defines as an object. */
function isOwnType({ position, representation }: FetchBuilder): boolean {
  return representation?.typename === position.type.name;
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
  position: Position,
  { subgraph, field, key: dataKey }: AddedField & { readonly subgraph: string },
  purpose: Purpose,
): RequiringPresence {
  const resolver = resolverOf(scope, position.type, field.name.value, plainSource(subgraph));
  const what = `${position.type.name}.${field.name.value}`;
  if (resolver === undefined) throw new NoPath(`fetch ${what} from subgraph "${subgraph}"`);
  const pending = scope.pending.get(position) ?? new Set();
  scope.pending.set(position, pending);
  if (pending.has(field.name.value)) throw new NoPath(`fetch ${what}, because it requires itself`);
  pending.add(field.name.value);
  const present = presenceAt(scope.graph, position, subgraph);
  const isPresent = present !== undefined;
  const keyPurpose = isPresent ? purpose : avoiding(purpose, subgraph);
  const context = planContextArguments(scope, position, resolver.contextArguments, purpose);
  const target = present === undefined ? [] : [...pathTo(position).slice(pathTo(present.fetch.position).length), { key: dataKey }];
  if (present !== undefined && resolver.requires === undefined && canTakeContext(scope, present, { context, target })) {
    pending.delete(field.name.value);
    present.fetch.contextArguments.push(...context.map(({ plan }) => ({ ...plan, target })));
    for (const needed of context.flatMap(({ dependsOn }) => [...dependsOn])) present.fetch.dependsOn.add(needed);
    return { ...present, given: context.map(({ printed }) => printed) };
  }
  const entry = entryInto(scope, position, subgraph, keyPurpose);
  const required = resolver.requires === undefined ? NO_INPUTS : provideInputs(scope, position, [resolver.requires], purpose);
  const key = provideInputs(scope, position, [entry.key], keyPurpose);
  pending.delete(field.name.value);
  const inputs = {
    fields: uniteFields([...key.fields, ...required.fields.map((input) => ({ ...input, for: [dataKey] }))]),
    dependsOn: new Set([...key.dependsOn, ...required.dependsOn, ...context.flatMap(({ dependsOn }) => [...dependsOn])]),
  };
  const fetch =
    (context.length > 0 ? undefined : position.requiring.find((other) => canJoin(other, subgraph, entry, inputs))) ??
    createFetch(scope, { subgraph, position, kind: 'query', type: entry.typename, ...inputs });
  fetch.contextArguments.push(...context.map(({ plan }) => plan));
  if (!position.requiring.includes(fetch)) position.requiring.push(fetch);
  for (const needed of inputs.dependsOn) fetch.dependsOn.add(needed);
  const fields = fetch.representation?.fields ?? [];
  fields.splice(0, fields.length, ...uniteFields([...fields, ...inputs.fields]));
  return { ...presenceIn(fetch, position), given: context.map(({ printed }) => printed) };
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
  const depth = pathTo(fetch.position).length;
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

function entryInto(scope: PlanningScope, position: Position, subgraph: string, { avoid }: Purpose): EntryPoint {
  const best = cheapestEntry(scope, position, entryPoints(scope.graph, position.type, subgraph), findRoutes(scope, position, avoid));
  if (best === undefined) throw new NoPath(`enter subgraph "${subgraph}" at ${position.type.name}`);
  return best.entry;
}

const NO_INPUTS: Inputs = { fields: [], dependsOn: new Set() };

interface Inputs {
  readonly fields: readonly RepresentationField[];
  readonly dependsOn: ReadonlySet<FetchBuilder>;
}

function provideInputs(scope: PlanningScope, position: Position, selectionSets: readonly SelectionSetNode[], purpose: Purpose): Inputs {
  const planned = scope.planSelection(position, selectionSets, { ...purpose, isInput: true });
  return { fields: representationFields(scope, position, selectionSets), dependsOn: planned };
}

interface FetchInput extends Partial<Inputs> {
  readonly subgraph: string;
  readonly position: Position;
  readonly kind: FetchBuilder['kind'];
  /** Type that the request enters as. */
  readonly type: string;
}

/** Creates a request. */
export function createFetch(scope: PlanningScope, { subgraph, position, kind, type, fields, dependsOn }: FetchInput): FetchBuilder {
  spend(scope);
  const needed = neededFor(position, dependsOn, (fields ?? []).length > 0);
  const isReported = fields !== undefined && position.types !== undefined && type === position.type.name;
  const fetch: FetchBuilder = {
    subgraph,
    kind,
    position,
    positions: [position],
    selection: createSelectionBuilder(isReported ? ENTITIES : type),
    dependsOn: needed,
    level: levelAbove(needed),
    deferral: scope.deferral,
    representation: fields === undefined ? undefined : { typename: type, fields: [...fields] },
    contextArguments: [],
  };
  scope.fetches.push(fetch);
  if (fields !== undefined) scope.requested.add(subgraph);
  return fetch;
}

/** Placeholder for the type of entities that fragments distinguish. No type has this name. */
const ENTITIES = '';

/** Returns the fetches that must finish before a fetch for the values of a position can begin. */
function neededFor(position: Position, dependsOn: Iterable<FetchBuilder> = [], takesValues: boolean): Set<FetchBuilder> {
  const needed = new Set(dependsOn);
  // The path to the objects depends on the names of their types, so these must have been fetched.
  for (let around: Position | undefined = position; around !== undefined; around = around.parent) {
    const typed = around.whole?.builders.get('__typename');
    if (typed === undefined) continue;
    // Requests that wait for the same joint fetch share its list of dependencies.
    const isImplied = typed.members !== undefined && [...needed].some((fetch) => doesDependOn(fetch, typed));
    if (!isImplied) needed.add(typed);
  }
  // A request on the root type, or with a key of only `__typename`, takes no value of the position, but still has to wait for the position
  // itself.
  const bringing = takesValues || position.parent === undefined ? undefined : fetchBuilderAt(position.parent, position.key);
  if (bringing !== undefined) needed.add(bringing);
  return needed;
}

/** Records that more fields can be requested from the subgraph here. Selects the type name if the values can have several types. */
export function addPresence(position: Position, presence: Presence): Presence {
  const { subgraph, selection, fetch } = presence;
  position.presences.set(subgraph, presence);
  if (position.type.kind !== 'object' && position.type.subgraphs.get(subgraph)?.isInterfaceObject !== true) {
    selectTypename(selection);
    if (!position.builders.has('__typename')) position.builders.set('__typename', fetch);
  }
  return presence;
}

/**
 * Selects the type name for values of an object type.
 *
 * @returns the fetch that provides it; undefined if no subgraph is queried for the values
 */
export function addTypename({ presences, builders }: Position): FetchBuilder | undefined {
  const known = builders.get('__typename');
  if (known !== undefined) return known;
  let earliest: Presence | undefined;
  for (const presence of presences.values()) if (earliest === undefined || presence.fetch.level < earliest.fetch.level) earliest = presence;
  if (earliest === undefined) return undefined;
  selectTypename(earliest.selection);
  builders.set('__typename', earliest.fetch);
  return earliest.fetch;
}

/** A field with the data key of its value. */
interface AddedField {
  readonly field: FieldNode;
  readonly key: string;
}

/** Adds a field to a request. @returns the position that the field leads to; undefined for leaves */
export function addField(
  scope: PlanningScope,
  position: Position,
  presence: Presence & Partial<RequiringPresence>,
  { field, key }: AddedField,
): Position | undefined {
  spend(scope);
  const { subgraph, selection, provides, fetch } = presence;
  const name = field.name.value;
  const resolver = resolverOf(scope, position.type, name, presence);
  const inside = scope.graph.types.get(position.type.fields.get(name)?.namedType ?? '');
  if (resolver === undefined) throw new NoPath(`fetch ${position.type.name}.${name} from subgraph "${subgraph}"`);
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
  if (!position.builders.has(key)) position.builders.set(key, fetch);
  if (!position.sources.has(key)) position.sources.set(key, presence);
  if (inside === undefined || builder.selection === undefined) return undefined;
  const child = childOf(position, inside, field, key);
  if (!child.presences.has(subgraph)) {
    const provided = [
      ...providedInside(scope.graph, position.type, name, provides),
      ...(resolver.provides === undefined ? [] : [resolver.provides]),
    ];
    addPresence(child, { subgraph, fetch, selection: builder.selection, provides: provided });
  }
  return child;
}
