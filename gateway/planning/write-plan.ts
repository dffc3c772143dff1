import type { FederatedGraph } from '../supergraph/federated-graph.ts';
import type { EntityLookup, PlanPathStep, PlanSelection, PlannedFetch, RepresentationPlan } from './operation-plan.ts';
import { type FetchBuilder, pathTo } from './places.ts';
import type { FetchGroup } from './schedule-fetches.ts';
import { doFieldsConflict, uniteFields } from './representation-fields.ts';
import { type SelectionWriting, createSelectionBuilder, mergeSelections, writeSelections } from './selection-builder.ts';

/** Writes the requests down as data. */
export function writeFetches(graph: FederatedGraph, groups: readonly FetchGroup[]): readonly PlannedFetch[] {
  const indices = new Map(groups.map((group, index) => [group, index]));
  return groups.map(({ subgraph, kind, deferral, members, dependsOn }): PlannedFetch => {
    const writing = createWriting(graph, subgraph);
    const needed = [...dependsOn].flatMap((group) => indices.get(group) ?? []).sort((one, other) => one - other);
    const entering = members.filter((member) => member.representation !== undefined);
    const [root] = members;
    const fetch = { subgraph, kind, dependsOn: needed, ...(deferral === 0 ? {} : { deferral }) };
    if (entering.length > 0) return { ...fetch, lookups: writeLookups(entering, writing) };
    const path = root === undefined ? [] : pathTo(root.place);
    return {
      ...fetch,
      selections: root === undefined ? [] : writeSelections(root.selection, writing),
      ...(path.length === 0 ? {} : { path }),
    };
  });
}

/** A fetch by representations. */
type EnteringFetch = Pick<FetchBuilder, 'place' | 'selection' | 'contextArguments'> & {
  readonly representation: NonNullable<FetchBuilder['representation']>;
};

/** Asks for each object once: what is wanted of it by its key, and what is wanted with more than that. */
function uniteMembers(members: readonly FetchBuilder[]): readonly EnteringFetch[] {
  const united: EnteringFetch[] = [];
  for (const { place, selection, representation, contextArguments } of members) {
    if (representation === undefined) continue;
    const { typename, fields } = representation;
    const index = united.findIndex((other) => {
      if (other.place !== place || other.representation.typename !== typename) return false;
      if (contextArguments.length > 0 || other.contextArguments.length > 0) return false;
      return !doFieldsConflict([...other.representation.fields, ...fields]);
    });
    const known = united[index];
    if (known === undefined) {
      united.push({ place, selection, contextArguments, representation });
      continue;
    }
    const all = createSelectionBuilder(selection.type);
    mergeSelections(all, known.selection);
    mergeSelections(all, selection);
    united[index] = {
      ...known,
      selection: all,
      representation: { typename, fields: [...uniteFields([...known.representation.fields, ...fields])] },
    };
  }
  return united;
}

/** A lookup with what it may be joined by. */
interface Draft {
  readonly path: readonly PlanPathStep[];
  readonly representations: RepresentationPlan[];
  readonly selections: PlanSelection[];
  readonly contextArguments: FetchBuilder['contextArguments'];
}

function writeLookups(members: readonly FetchBuilder[], writing: SelectionWriting): readonly EntityLookup[] {
  const drafts = new Map<string, Draft>();
  for (const { place, selection, representation, contextArguments } of uniteMembers(members)) {
    const { path, types } = splitPath(pathTo(place));
    const { typename, fields } = representation;
    const representations = [{ ...(types === undefined ? {} : { types }), typename, fields }];
    const selections: PlanSelection[] = [{ kind: 'fragment', type: selection.type, selections: writeSelections(selection, writing) }];
    const id = JSON.stringify(path);
    // Values of contexts belong to one selection: nothing else joins it.
    const draft = contextArguments.length > 0 ? undefined : drafts.get(id);
    if (draft !== undefined && canJoin(draft, representations[0] as RepresentationPlan, selections[0] as PlanSelection)) {
      join(draft, representations[0] as RepresentationPlan, selections[0] as PlanSelection);
    } else {
      drafts.set(draft === undefined && contextArguments.length === 0 ? id : `${id} ${drafts.size}`, {
        path,
        representations,
        selections,
        contextArguments,
      });
    }
  }
  return joinPaths([...drafts.values()]);
}

/** The types of the last step decide how a representation is made. */
function splitPath(path: readonly PlanPathStep[]): {
  readonly path: readonly PlanPathStep[];
  readonly types: readonly string[] | undefined;
} {
  const last = path.at(-1);
  if (last?.types === undefined) return { path, types: undefined };
  return { path: [...path.slice(0, -1), { key: last.key }], types: last.types };
}

/** Whether values of other types at the same place can go into one list of representations. */
function canJoin({ representations, selections }: Draft, representation: RepresentationPlan, selection: PlanSelection): boolean {
  if (representation.types === undefined || representations.some(({ types }) => types === undefined)) return false;
  if (representations.some(({ types }) => types?.some((type) => representation.types?.includes(type) === true))) return false;
  const same = selections.find((other) => isOfType(other, selection));
  return same === undefined || JSON.stringify(same) === JSON.stringify(selection);
}

function join({ representations, selections }: Draft, representation: RepresentationPlan, selection: PlanSelection): void {
  const same = representations.findIndex(({ typename, fields }) => {
    return typename === representation.typename && JSON.stringify(fields) === JSON.stringify(representation.fields);
  });
  const known = representations[same];
  if (known === undefined) representations.push(representation);
  else representations[same] = { ...known, types: [...(known.types ?? []), ...(representation.types ?? [])] };
  if (!selections.some((other) => isOfType(other, selection))) selections.push(selection);
}

function isOfType(one: PlanSelection, other: PlanSelection): boolean {
  return one.kind === 'fragment' && other.kind === 'fragment' && one.type === other.type;
}

/** The same asked in several places is asked once. */
function joinPaths(drafts: readonly Draft[]): readonly EntityLookup[] {
  const lookups = new Map<string, EntityLookup & { readonly paths: (readonly PlanPathStep[])[] }>();
  for (const draft of drafts) {
    const { path, representations } = withTypesInPath(draft);
    const { selections, contextArguments } = draft;
    const id = contextArguments.length > 0 ? `alone ${lookups.size}` : JSON.stringify([representations, selections]);
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
