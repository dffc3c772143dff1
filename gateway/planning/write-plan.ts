import { textOfTypes } from './type-names.ts';
import type { FederatedGraph } from '../supergraph/federated-graph.ts';
import type {
  EntityLookup,
  PlanFragment,
  PlanPathStep,
  PlanSelection,
  PlannedFetch,
  RepresentationField,
  RepresentationPlan,
} from './operation-plan.ts';
import { type FetchBuilder, type Place, pathTo } from './places.ts';
import type { FetchGroup } from './schedule-fetches.ts';
import { doFieldsConflict, uniteFields } from './representation-fields.ts';
import { type FieldBuilder, type SelectionBuilder, uniteSelections } from './selection-builder.ts';
import { subgraphKnowledge } from './subgraph-knowledge.ts';
import { type SelectionWriter, type SelectionWriting, SharedSelections, createSelectionWriter } from './write-selections.ts';

/** Writes the requests down as data. */
export function writeFetches(graph: FederatedGraph, groups: readonly FetchGroup[]): readonly PlannedFetch[] {
  const numberPath = createPathNumbers();
  const shared = new SharedSelections();
  const needs = new Map<ReadonlySet<FetchGroup>, readonly number[]>();
  const indices = new Map(groups.map((group, index) => [group, index]));
  return groups.map(({ subgraph, kind, deferral, members, dependsOn }): PlannedFetch => {
    const writer = createSelectionWriter(createWriting(graph, subgraph), shared);
    let needed = needs.get(dependsOn);
    if (needed === undefined) {
      needed = [...dependsOn].flatMap((group) => indices.get(group) ?? []).sort((one, other) => one - other);
      needs.set(dependsOn, needed);
    }
    const entering = members.filter((member) => member.representation !== undefined);
    const [root] = members;
    const fetch = { subgraph, kind, dependsOn: needed, ...(deferral === 0 ? {} : { deferral }) };
    if (entering.length > 0) return { ...fetch, lookups: writeLookups(divideByType(entering, numberPath), writer) };
    const path = root === undefined ? [] : pathTo(root.place);
    return {
      ...fetch,
      selections: root === undefined ? [] : writer.write(root.selection),
      ...(path.length === 0 ? {} : { path }),
    };
  });
}

/** What is asked of the values of one place that are of one type, by their representations. */
interface TypedLookup {
  readonly path: readonly PlanPathStep[];
  /** Equal for equal paths: with many types in it, a path is too long to be compared for each of them. */
  readonly pathId: number;
  /** The place, or that of the abstract type of which it is a part; undefined where several of one path are united. */
  readonly whole: Place | undefined;
  /** Absent where the place has values of one type, or their type does not matter. */
  readonly type: string | undefined;
  readonly typename: string;
  readonly fields: readonly RepresentationField[];
  /** Together they are asked for. */
  readonly selections: readonly SelectionBuilder[];
  readonly contextArguments: FetchBuilder['contextArguments'];
}

/** Numbers paths: equal for equal paths. The last step of a path is without types, which lookups have by themselves. */
function createPathNumbers(): (place: Place) => Pick<TypedLookup, 'path' | 'pathId'> {
  const numbers = new Map<string, number>();
  const whole = new Map<Place, Pick<TypedLookup, 'path' | 'pathId'>>();
  const known = new Map<Place, Pick<TypedLookup, 'path' | 'pathId'>>();
  const numberOf = (text: string): number => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
  const extend = ({ parent, key }: Place, types: readonly string[] | undefined): Pick<TypedLookup, 'path' | 'pathId'> => {
    if (parent === undefined) return { path: [], pathId: -1 };
    const around = wholePathTo(parent);
    const step = types === undefined ? { key } : { key, types };
    return { path: [...around.path, step], pathId: numberOf(`${around.pathId} ${key} ${types === undefined ? '' : textOfTypes(types)}`) };
  };
  const wholePathTo = (place: Place): Pick<TypedLookup, 'path' | 'pathId'> => {
    let found = whole.get(place);
    if (found === undefined) whole.set(place, (found = extend(place, place.types)));
    return found;
  };
  return (place) => {
    let found = known.get(place);
    if (found === undefined) known.set(place, (found = extend(place, undefined)));
    return found;
  };
}

/** Divides fetches by the types of the values. */
function divideByType(members: readonly FetchBuilder[], numberPath: ReturnType<typeof createPathNumbers>): readonly TypedLookup[] {
  return members.flatMap(({ place: first, places, selection, representation, contextArguments }) => {
    if (representation === undefined) return [];
    const { typename, fields } = representation;
    const byType = typename === first.type.name ? fragmentsByType(selection) : undefined;
    return places.flatMap((place): readonly TypedLookup[] => {
      const { path, pathId } = numberPath(place);
      const lookupOf = (type: string | undefined, name: string, selections: readonly SelectionBuilder[]): TypedLookup => {
        // A variable that no field of the lookup takes would make the request invalid.
        const isTaken = ({ variable }: FetchBuilder['contextArguments'][number]): boolean =>
          selections.some((each) => doesTake(each, variable));
        const taken = contextArguments.length === 0 ? contextArguments : contextArguments.filter(isTaken);
        return { path, pathId, whole: place.whole ?? place, fields, type, typename: name, selections, contextArguments: taken };
      };
      if (place.types === undefined) return [lookupOf(undefined, typename, [selection])];
      return place.types.map((type): TypedLookup => {
        return byType === undefined ? lookupOf(type, typename, [selection]) : lookupOf(type, type, byType.get(type) ?? []);
      });
    });
  });
}

/** Tells if an argument of a field in a selection takes a variable. */
function doesTake(selection: SelectionBuilder, variable: string): boolean {
  const reference = new RegExp(`\\$${variable}(?![_0-9A-Za-z])`);
  const visited = new Set<SelectionBuilder>();
  const isTaken = ({ arguments: given, selection: inside }: FieldBuilder): boolean => {
    return (given !== undefined && reference.test(given)) || (inside !== undefined && takes(inside));
  };
  const takes = (builder: SelectionBuilder): boolean => {
    if (visited.has(builder)) return false;
    visited.add(builder);
    return [...builder.fields.values()].some(isTaken) || [...builder.fragments.values()].some((fragment) => takes(fragment.selection));
  };
  return takes(selection);
}

function fragmentsByType({ fragments }: SelectionBuilder): ReadonlyMap<string, readonly SelectionBuilder[]> {
  const byType = new Map<string, SelectionBuilder[]>();
  for (const { types, selection } of fragments.values()) {
    for (const type of types) {
      const known = byType.get(type);
      if (known === undefined) byType.set(type, [selection]);
      else known.push(selection);
    }
  }
  return byType;
}

/** Asks for each object once: what is wanted of it by its key, and what is wanted with more than that. */
function uniteLookups(lookups: readonly TypedLookup[]): readonly TypedLookup[] {
  const united = new Map<string, TypedLookup[]>();
  const unions = new Map<string, SelectionBuilder>();
  for (const lookup of lookups) {
    const id = `${lookup.pathId} ${lookup.type ?? ''} ${lookup.typename} ${variablesOf(lookup)}`;
    let others = united.get(id);
    if (others === undefined) united.set(id, (others = []));
    const index = others.findIndex((other) => canUnite(other, lookup));
    const known = others[index];
    if (known === undefined) {
      others.push(lookup);
      continue;
    }
    const selections = [...new Set([...known.selections, ...lookup.selections])];
    const isSame = selections.length === known.selections.length;
    others[index] = {
      ...known,
      whole: known.whole === lookup.whole ? known.whole : undefined,
      selections: isSame ? known.selections : [uniteAll(selections, unions)],
      fields: uniteFields([...known.fields, ...lookup.fields]),
    };
  }
  return [...united.values()].flat();
}

/**
 * Tells if all objects of two lookups can be sent with what both send. Joint places with one path have objects of their own: those of one place lack the
 * key by which the subgraph is asked about those of another.
 */
function canUnite(one: TypedLookup, other: TypedLookup): boolean {
  if (one.fields === other.fields || JSON.stringify(one.fields) === JSON.stringify(other.fields)) return true;
  return one.whole !== undefined && one.whole === other.whole && !doFieldsConflict([...one.fields, ...other.fields]);
}

/** Names the variables of contexts: equal for lookups of one fetch that take the same values, since no two fetches have a variable in common. */
function variablesOf({ contextArguments }: Pick<TypedLookup, 'contextArguments'>): string {
  return contextArguments.map(({ variable }) => variable).join(' ');
}

/** Unites selections. The same ones, which values of several types have, become one. */
function uniteAll(selections: readonly SelectionBuilder[], known: Map<string, SelectionBuilder>): SelectionBuilder {
  const id = selections.map(identifyBuilder).join();
  let union = known.get(id);
  if (union === undefined) known.set(id, (union = selections.reduce(uniteSelections)));
  return union;
}

const builderNumbers = new WeakMap<SelectionBuilder, number>();
let countedBuilders = 0;

function identifyBuilder(builder: SelectionBuilder): number {
  const known = builderNumbers.get(builder);
  if (known !== undefined) return known;
  countedBuilders += 1;
  builderNumbers.set(builder, countedBuilders);
  return countedBuilders;
}

/** A lookup with what it may be joined by. */
interface Draft {
  readonly path: readonly PlanPathStep[];
  /** Representations, by type name and fields, as text. */
  readonly representations: Map<string, RepresentationPlan & { readonly types?: string[] }>;
  /** Types of all representations; undefined where one is for values of any type. */
  readonly types: Set<string> | undefined;
  /** Fragments, by the type that they are on. */
  readonly selections: Map<string, PlanFragment>;
  readonly contextArguments: FetchBuilder['contextArguments'];
}

function writeLookups(lookups: readonly TypedLookup[], writer: SelectionWriter): readonly EntityLookup[] {
  const drafts = new Map<string, Draft[]>();
  const texts = new Map<readonly RepresentationField[], string>();
  for (const lookup of uniteLookups(lookups)) {
    const { path, type, typename, fields, selections: builders, contextArguments } = lookup;
    const asked: PlanFragment = { kind: 'fragment', type: builders[0]?.type || typename, selections: writer.writeTogether(builders) };
    const selection = type !== undefined && typename === type ? { ...asked, type } : asked;
    // Values of contexts belong to the selections that take all of them: nothing else joins these.
    const id = `${lookup.pathId} ${variablesOf(lookup)}`;
    let alike = drafts.get(id);
    if (alike === undefined) drafts.set(id, (alike = []));
    let draft = alike.find((other) => canJoin(other, type, selection));
    if (draft === undefined) {
      const types = type === undefined ? undefined : new Set<string>();
      draft = { path, representations: new Map(), types, selections: new Map(), contextArguments };
      alike.push(draft);
    }
    let text = texts.get(fields);
    if (text === undefined) texts.set(fields, (text = JSON.stringify(fields)));
    const represented = `${typename} ${text}`;
    const known = draft.representations.get(represented);
    if (type === undefined) draft.representations.set(represented, { typename, fields });
    else if (known?.types === undefined) draft.representations.set(represented, { types: [type], typename, fields });
    else known.types.push(type);
    if (type !== undefined) draft.types?.add(type);
    if (!draft.selections.has(selection.type)) draft.selections.set(selection.type, selection);
  }
  return joinPaths([...drafts.values()].flat());
}

/** Tells if values of another type at the same place can go into the list of representations. */
function canJoin({ types, selections }: Draft, type: string | undefined, selection: PlanFragment): boolean {
  if (type === undefined || types === undefined || types.has(type)) return false;
  const same = selections.get(selection.type);
  return same === undefined || same.selections === selection.selections;
}

/** The same asked in several places is asked once. */
function joinPaths(drafts: readonly Draft[]): readonly EntityLookup[] {
  const lookups = new Map<string, EntityLookup & { readonly paths: (readonly PlanPathStep[])[] }>();
  const numbers = new Map<readonly PlanSelection[], number>();
  const numberOf = (selections: readonly PlanSelection[]): number => {
    if (!numbers.has(selections)) numbers.set(selections, numbers.size);
    return numbers.get(selections) ?? -1;
  };
  for (const draft of drafts) {
    const { path, representations } = withTypesInPath(draft);
    const { contextArguments } = draft;
    const selections = [...draft.selections.values()];
    const asked = selections.map(({ type, selections: inside }) => [type, numberOf(inside)]);
    const id = contextArguments.length > 0 ? `alone ${lookups.size}` : JSON.stringify([representations, asked]);
    const known = lookups.get(id);
    if (known !== undefined) known.paths.push(path);
    else lookups.set(id, { paths: [path], representations, selections, ...(contextArguments.length === 0 ? {} : { contextArguments }) });
  }
  return [...lookups.values()];
}

/** With one kind of representation only, the path can say which objects it is made of: then equal ones meet. */
function withTypesInPath({ path, representations }: Draft): Pick<EntityLookup, 'representations'> & Pick<Draft, 'path'> {
  const [only, ...others] = representations.values();
  const last = path.at(-1);
  if (only?.types === undefined || last === undefined || others.length > 0) return { path, representations: [...representations.values()] };
  const { types, ...representation } = only;
  return { path: [...path.slice(0, -1), { key: last.key, types }], representations: [representation] };
}

function createWriting(graph: FederatedGraph, subgraph: string): SelectionWriting {
  return {
    canBeOf(type, objectType) {
      if (type === objectType) return true;
      const declared = graph.types.get(type);
      return (declared?.subgraphs.get(subgraph)?.possibleTypes ?? declared?.possibleTypes)?.has(objectType) === true;
    },
    knowledgeOf: (type) => subgraphKnowledge(graph, subgraph, type),
    isInterfaceObject: (type) => graph.types.get(type)?.subgraphs.get(subgraph)?.isInterfaceObject === true,
    mayJoin(abstractType, types, fields) {
      const type = graph.types.get(abstractType);
      const here = type?.subgraphs.get(subgraph);
      if (type?.kind !== 'interface' || here === undefined) return false;
      for (const name of here.possibleTypes) if (!types.has(name) && type.publicTypes.has(name)) return false;
      return fields.every((name) => {
        const declared = type.fields.get(name)?.subgraphs.get(subgraph);
        if (declared === undefined || declared.isExternal) return false;
        return [...types].every((possible) => graph.types.get(possible)?.fields.get(name)?.subgraphs.get(subgraph)?.type === declared.type);
      });
    },
  };
}
