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
import { type FetchBuilder, type Position, pathTo } from './positions.ts';
import type { FetchGroup } from './schedule-fetches.ts';
import { doFieldsConflict, uniteFields } from './representation-fields.ts';
import { type FieldBuilder, type SelectionBuilder, uniteSelections } from './selection-builder.ts';
import { subgraphKnowledge } from './subgraph-knowledge.ts';
import { type SelectionWriter, type SelectionWriting, SharedSelections, createSelectionWriter } from './write-selections.ts';

/** Converts requests to plain data. */
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
    const path = root === undefined ? [] : pathTo(root.position);
    return {
      ...fetch,
      selections: root === undefined ? [] : writer.write(root.selection),
      ...(path.length === 0 ? {} : { path }),
    };
  });
}

/** Selections for the values of one position and one type, fetched by representations. */
interface TypedLookup {
  readonly path: readonly PlanPathStep[];
  /** Number that is equal for equal paths. A path with many types is too long to be compared for each of them. */
  readonly pathId: number;
  /** Position, or the abstract position that it is a part of; undefined if several positions with one path are united. */
  readonly whole: Position | undefined;
  /** Object type of the values. Absent if the position has values of one type, or if the type is irrelevant. */
  readonly type: string | undefined;
  readonly typename: string;
  readonly fields: readonly RepresentationField[];
  /** Selections that are fetched together. */
  readonly selections: readonly SelectionBuilder[];
  readonly contextArguments: FetchBuilder['contextArguments'];
}

/**
 * Creates a function that assigns numbers to paths. Equal paths have equal numbers. The last step of a path has no types, because lookups
 * store them separately.
 */
function createPathNumbers(): (position: Position) => Pick<TypedLookup, 'path' | 'pathId'> {
  const numbers = new Map<string, number>();
  const whole = new Map<Position, Pick<TypedLookup, 'path' | 'pathId'>>();
  const known = new Map<Position, Pick<TypedLookup, 'path' | 'pathId'>>();
  const numberOf = (text: string): number => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
  const extend = ({ parent, key }: Position, types: readonly string[] | undefined): Pick<TypedLookup, 'path' | 'pathId'> => {
    if (parent === undefined) return { path: [], pathId: -1 };
    const around = wholePathTo(parent);
    const step = types === undefined ? { key } : { key, types };
    return { path: [...around.path, step], pathId: numberOf(`${around.pathId} ${key} ${types === undefined ? '' : textOfTypes(types)}`) };
  };
  const wholePathTo = (position: Position): Pick<TypedLookup, 'path' | 'pathId'> => {
    let found = whole.get(position);
    if (found === undefined) whole.set(position, (found = extend(position, position.types)));
    return found;
  };
  return (position) => {
    let found = known.get(position);
    if (found === undefined) known.set(position, (found = extend(position, undefined)));
    return found;
  };
}

/** Divides fetches by the types of the values. */
function divideByType(members: readonly FetchBuilder[], numberPath: ReturnType<typeof createPathNumbers>): readonly TypedLookup[] {
  return members.flatMap(({ position: first, positions, selection, representation, contextArguments }) => {
    if (representation === undefined) return [];
    const { typename, fields } = representation;
    const byType = typename === first.type.name ? fragmentsByType(selection) : undefined;
    return positions.flatMap((position): readonly TypedLookup[] => {
      const { path, pathId } = numberPath(position);
      const lookupOf = (type: string | undefined, name: string, selections: readonly SelectionBuilder[]): TypedLookup => {
        // A variable that no field of the lookup uses would make the request invalid.
        const isUsed = ({ variable }: FetchBuilder['contextArguments'][number]): boolean =>
          selections.some((each) => doesTake(each, variable));
        const taken = contextArguments.length === 0 ? contextArguments : contextArguments.filter(isUsed);
        return { path, pathId, whole: position.whole ?? position, fields, type, typename: name, selections, contextArguments: taken };
      };
      if (position.types === undefined) return [lookupOf(undefined, typename, [selection])];
      return position.types.map((type): TypedLookup => {
        return byType === undefined ? lookupOf(type, typename, [selection]) : lookupOf(type, type, byType.get(type) ?? []);
      });
    });
  });
}

/** Whether an argument of a field in a selection uses a variable. */
function doesTake(selection: SelectionBuilder, variable: string): boolean {
  const reference = new RegExp(`\\$${variable}(?![_0-9A-Za-z])`);
  const visited = new Set<SelectionBuilder>();
  const isUsed = ({ arguments: given, selection: inside }: FieldBuilder): boolean => {
    return (given !== undefined && reference.test(given)) || (inside !== undefined && takes(inside));
  };
  const takes = (builder: SelectionBuilder): boolean => {
    if (visited.has(builder)) return false;
    visited.add(builder);
    return [...builder.fields.values()].some(isUsed) || [...builder.fragments.values()].some((fragment) => takes(fragment.selection));
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

/** Merges the lookups of each object: the fields that need only its key, and those that need more inputs. */
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
 * Whether all objects of two lookups can be sent with the fields of both. Joint positions with one path have different objects: those of
 * one position lack the key for the lookup of the other.
 */
function canUnite(one: TypedLookup, other: TypedLookup): boolean {
  if (one.fields === other.fields || JSON.stringify(one.fields) === JSON.stringify(other.fields)) return true;
  return one.whole !== undefined && one.whole === other.whole && !doFieldsConflict([...one.fields, ...other.fields]);
}

/**
 * Returns the names of the context variables. Lookups of one fetch with the same values have equal texts, because no two fetches share a
 * variable.
 */
function variablesOf({ contextArguments }: Pick<TypedLookup, 'contextArguments'>): string {
  return contextArguments.map(({ variable }) => variable).join(' ');
}

/** Unites selections. Equal selections, which values of several types have, become one object. */
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

/** A lookup under construction, with the data to decide what can be joined to it. */
interface Draft {
  readonly path: readonly PlanPathStep[];
  /** Representations, by the text of their type name and fields. */
  readonly representations: Map<string, RepresentationPlan & { readonly types?: string[] }>;
  /** Types of all representations; undefined if one is for values of any type. */
  readonly types: Set<string> | undefined;
  /** Fragments by type condition. */
  readonly selections: Map<string, PlanFragment>;
  readonly contextArguments: FetchBuilder['contextArguments'];
}

function writeLookups(lookups: readonly TypedLookup[], writer: SelectionWriter): readonly EntityLookup[] {
  const drafts = new Map<string, Draft[]>();
  const texts = new Map<readonly RepresentationField[], string>();
  for (const lookup of uniteLookups(lookups)) {
    const { path, type, typename, fields, selections: builders, contextArguments } = lookup;
    const requested: PlanFragment = { kind: 'fragment', type: builders[0]?.type || typename, selections: writer.writeTogether(builders) };
    const selection = type !== undefined && typename === type ? { ...requested, type } : requested;
    // Values of contexts belong to selections that take all of them, so no other selections are joined with these.
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

/** Whether values of another type at the same position can be added to the list of representations. */
function canJoin({ types, selections }: Draft, type: string | undefined, selection: PlanFragment): boolean {
  if (type === undefined || types === undefined || types.has(type)) return false;
  const same = selections.get(selection.type);
  return same === undefined || same.selections === selection.selections;
}

/** Merges lookups that have the same representations and selections at several paths. */
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
    const requested = selections.map(({ type, selections: inside }) => [type, numberOf(inside)]);
    const id = contextArguments.length > 0 ? `alone ${lookups.size}` : JSON.stringify([representations, requested]);
    const known = lookups.get(id);
    if (known !== undefined) known.paths.push(path);
    else lookups.set(id, { paths: [path], representations, selections, ...(contextArguments.length === 0 ? {} : { contextArguments }) });
  }
  return [...lookups.values()];
}

/** Moves the types of a single kind of representation to the path, so that equal representations can be merged. */
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
