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
import { type FetchBuilder, pathTo } from './places.ts';
import type { FetchGroup } from './schedule-fetches.ts';
import { doFieldsConflict, uniteFields } from './representation-fields.ts';
import { type SelectionBuilder, uniteSelections } from './selection-builder.ts';
import { type SelectionWriter, type SelectionWriting, createSelectionWriter } from './write-selections.ts';

/** Writes the requests down as data. */
export function writeFetches(graph: FederatedGraph, groups: readonly FetchGroup[]): readonly PlannedFetch[] {
  const indices = new Map(groups.map((group, index) => [group, index]));
  return groups.map(({ subgraph, kind, deferral, members, dependsOn }): PlannedFetch => {
    const writer = createSelectionWriter(createWriting(graph, subgraph));
    const needed = [...dependsOn].flatMap((group) => indices.get(group) ?? []).sort((one, other) => one - other);
    const entering = members.filter((member) => member.representation !== undefined);
    const [root] = members;
    const fetch = { subgraph, kind, dependsOn: needed, ...(deferral === 0 ? {} : { deferral }) };
    if (entering.length > 0) return { ...fetch, lookups: writeLookups(entering, writer) };
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
  /** Absent where the place has values of one type, or their type does not matter. */
  readonly type: string | undefined;
  readonly typename: string;
  readonly fields: readonly RepresentationField[];
  /** Together they are asked for. */
  readonly selections: readonly SelectionBuilder[];
  readonly contextArguments: FetchBuilder['contextArguments'];
}

/** Divides fetches by the types of the values. */
function divideByType(members: readonly FetchBuilder[]): readonly TypedLookup[] {
  const paths = new Map<string, number>();
  const identifyPath = (path: readonly PlanPathStep[]): number => {
    const text = JSON.stringify(path);
    const known = paths.get(text) ?? paths.size;
    paths.set(text, known);
    return known;
  };
  return members.flatMap(({ place: first, places, selection, representation, contextArguments }) => {
    if (representation === undefined) return [];
    const { typename, fields } = representation;
    return places.flatMap((place): readonly TypedLookup[] => {
      const path = pathTo(place).map((step, index, steps) => (index === steps.length - 1 ? { key: step.key } : step));
      const lookup = { path, pathId: identifyPath(path), fields, contextArguments };
      if (place.types === undefined) return [{ ...lookup, type: undefined, typename, selections: [selection] }];
      return place.types.map((type): TypedLookup => {
        if (typename !== first.type.name) return { ...lookup, type, typename, selections: [selection] };
        const own = [...selection.fragments.values()].filter(({ types }) => types.includes(type));
        return { ...lookup, type, typename: type, selections: own.map((fragment) => fragment.selection) };
      });
    });
  });
}

/** Asks for each object once: what is wanted of it by its key, and what is wanted with more than that. */
function uniteLookups(lookups: readonly TypedLookup[]): readonly TypedLookup[] {
  const united = new Map<string, TypedLookup[]>();
  const unions = new Map<string, SelectionBuilder>();
  for (const lookup of lookups) {
    const id = JSON.stringify([lookup.pathId, lookup.type ?? null, lookup.typename]);
    const others = united.get(id) ?? [];
    united.set(id, others);
    const index = others.findIndex((other) => {
      if (lookup.contextArguments.length > 0 || other.contextArguments.length > 0) return false;
      return !doFieldsConflict([...other.fields, ...lookup.fields]);
    });
    const known = others[index];
    if (known === undefined) {
      others.push(lookup);
      continue;
    }
    const selections = [...new Set([...known.selections, ...lookup.selections])];
    const isSame = selections.length === known.selections.length;
    others[index] = {
      ...known,
      selections: isSame ? known.selections : [uniteAll(selections, unions)],
      fields: uniteFields([...known.fields, ...lookup.fields]),
    };
  }
  return [...united.values()].flat();
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
  readonly representations: RepresentationPlan[];
  readonly selections: PlanFragment[];
  readonly contextArguments: FetchBuilder['contextArguments'];
}

function writeLookups(members: readonly FetchBuilder[], writer: SelectionWriter): readonly EntityLookup[] {
  const drafts = new Map<string, Draft>();
  for (const { path, pathId, type, typename, fields, selections: builders, contextArguments } of uniteLookups(divideByType(members))) {
    const representation: RepresentationPlan = { ...(type === undefined ? {} : { types: [type] }), typename, fields };
    const asked: PlanFragment = { kind: 'fragment', type: builders[0]?.type || typename, selections: writer.writeTogether(builders) };
    const selection = type !== undefined && typename === type ? { ...asked, type } : asked;
    const id = String(pathId);
    // Values of contexts belong to one selection: nothing else joins it.
    const draft = contextArguments.length > 0 ? undefined : drafts.get(id);
    if (draft !== undefined && canJoin(draft, representation, selection)) {
      join(draft, representation, selection);
    } else {
      const draftId = draft === undefined && contextArguments.length === 0 ? id : `${id} ${drafts.size}`;
      drafts.set(draftId, { path, representations: [representation], selections: [selection], contextArguments });
    }
  }
  return joinPaths([...drafts.values()]);
}

/** Whether values of other types at the same place can go into one list of representations. */
function canJoin({ representations, selections }: Draft, representation: RepresentationPlan, selection: PlanFragment): boolean {
  if (representation.types === undefined || representations.some(({ types }) => types === undefined)) return false;
  if (representations.some(({ types }) => types?.some((type) => representation.types?.includes(type) === true))) return false;
  const same = selections.find((other) => isOfType(other, selection));
  return same === undefined || same.selections === selection.selections;
}

function join({ representations, selections }: Draft, representation: RepresentationPlan, selection: PlanFragment): void {
  const same = representations.findIndex(({ typename, fields }) => {
    return typename === representation.typename && JSON.stringify(fields) === JSON.stringify(representation.fields);
  });
  const known = representations[same];
  if (known === undefined) representations.push(representation);
  else representations[same] = { ...known, types: [...(known.types ?? []), ...(representation.types ?? [])] };
  if (!selections.some((other) => isOfType(other, selection))) selections.push(selection);
}

function isOfType(one: PlanFragment, other: PlanFragment): boolean {
  return one.type === other.type;
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
    const { selections, contextArguments } = draft;
    const asked = selections.map(({ type, selections: inside }) => [type, numberOf(inside)]);
    const id = contextArguments.length > 0 ? `alone ${lookups.size}` : JSON.stringify([representations, asked]);
    const known = lookups.get(id);
    if (known !== undefined) known.paths.push(path);
    else lookups.set(id, { paths: [path], representations, selections, ...(contextArguments.length === 0 ? {} : { contextArguments }) });
  }
  return [...lookups.values()];
}

/** With one kind of representation only, the path can say which objects it is made of: then equal ones meet. */
function withTypesInPath({ path, representations }: Draft): Pick<Draft, 'path' | 'representations'> {
  const [only, ...others] = representations;
  const last = path.at(-1);
  if (only?.types === undefined || last === undefined || others.length > 0) return { path, representations };
  const { types, ...representation } = only;
  return { path: [...path.slice(0, -1), { key: last.key, types }], representations: [representation] };
}

function createWriting(graph: FederatedGraph, subgraph: string): SelectionWriting {
  return {
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
