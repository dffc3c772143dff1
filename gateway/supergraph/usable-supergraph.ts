import { type DefinitionNode, Kind, parse } from 'graphql';
import type { FederatedGraph } from './federated-graph.ts';
import type { LoadedSupergraph } from './load-supergraph.ts';
import { createOwnersOf } from './owners-of.ts';
import { parseSdlInSteps } from './parse-sdl.ts';
import { readFederatedGraph, readFederatedGraphInSteps } from './read-federated-graph.ts';
import { SchemaOnDemand } from './schema-on-demand.ts';
import type { SupergraphIndex } from './supergraph-index.ts';
import { createRangeTable, type TextRange } from './text-ranges.ts';

/** A supergraph that a gateway serves: read as a whole, or on demand. */
export interface UsableSupergraph extends Omit<LoadedSupergraph, 'graph'>, Partial<Pick<SupergraphIndex, 'listOwners' | 'overrideLabels'>> {
  /** Absent if the supergraph is read on demand. */
  readonly graph?: FederatedGraph;
  /** Returns the subgraphs that resolve a field themselves. Absent if `graph` is present. */
  readonly ownersOf?: ReturnType<typeof createOwnersOf>;
}

/** Reads a supergraph on demand. @param isWhole whether all types are created before it is served, in steps */
export function* serveIndexed(sdl: string, index: SupergraphIndex, isWhole: boolean): Generator<undefined, UsableSupergraph, undefined> {
  const schema = new SchemaOnDemand(sdl, index);
  yield;
  if (isWhole) yield* schema.createAll();
  const { id, subgraphs, authorization, creatorGrants, cacheHints, costRules, listOwners, overrideLabels } = index;
  return {
    id,
    sdl,
    schema,
    subgraphs,
    authorization,
    creatorGrants,
    cacheHints,
    costRules,
    listOwners,
    overrideLabels,
    ownersOf: createIndexedOwnersOf(sdl, index),
  };
}

/** Reads the whole graph of a supergraph in steps. */
export function* readGraphOf(sdl: string): Generator<undefined, FederatedGraph, undefined> {
  return yield* readFederatedGraphInSteps(yield* parseSdlInSteps(sdl));
}

/** Creates the function that returns the owners of a field. It reads the definition of a type when it is called for the type. */
function createIndexedOwnersOf(sdl: string, { types, subgraphDefinitions }: SupergraphIndex): ReturnType<typeof createOwnersOf> {
  const ranges = createRangeTable(types);
  const ofTypes = new Map<string, ReturnType<typeof createOwnersOf>>();
  let common: readonly DefinitionNode[] | undefined;
  const definitionsAt = ({ start, end }: TextRange): readonly DefinitionNode[] =>
    parse(sdl.slice(start, end), { noLocation: true }).definitions;

  function ownersIn(typeName: string): ReturnType<typeof createOwnersOf> {
    common ??= subgraphDefinitions.flatMap(definitionsAt);
    const range = ranges.find(typeName);
    const definitions = [...common, ...(range === undefined ? [] : definitionsAt(range))];
    return createOwnersOf(readFederatedGraph({ kind: Kind.DOCUMENT, definitions }));
  }

  return (typeName, fieldName) => {
    let owners = ofTypes.get(typeName);
    if (owners === undefined) {
      owners = ownersIn(typeName);
      ofTypes.set(typeName, owners);
    }
    return owners(typeName, fieldName);
  };
}
