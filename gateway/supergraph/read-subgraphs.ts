import { type DocumentNode, Kind, parse } from 'graphql';
import { argumentsOf, directivesOf } from '../directives/directive-locations.ts';
import { type LinkedFeature, directiveNameIn, joinFeatureIn, readFeatures } from '../directives/read-features.ts';

/** A subgraph as listed in the supergraph. */
export interface SubgraphAddress {
  readonly name: string;
  /** URL of the subgraph in the supergraph; may be empty if only the configuration defines the address. */
  readonly url: string;
}

/** Reads the subgraphs of a supergraph by their values in its enum of graphs (join specification, `@join__graph`). */
export function readSubgraphs({ definitions }: DocumentNode, join: LinkedFeature): ReadonlyMap<string, SubgraphAddress> {
  const directive = directiveNameIn(join, 'graph');
  const subgraphs = definitions.flatMap((definition) => {
    if (definition.kind !== Kind.ENUM_TYPE_DEFINITION || definition.name.value !== `${join.namespace}__Graph`) return [];
    return (definition.values ?? []).map((value) => {
      const { name, url } = argumentsOf(directivesOf(value, directive)[0]);
      const address = { name: typeof name === 'string' ? name : value.name.value, url: typeof url === 'string' ? url : '' };
      return [value.name.value, address] as const;
    });
  });
  return new Map(subgraphs);
}

/**
 * Reads the names of the subgraphs of a supergraph without loading it. Returns undefined for a text that is not a supergraph; loading it
 * reports the reason.
 */
export function readSubgraphNames(sdl: string): readonly string[] | undefined {
  const document = parseLeniently(sdl);
  const join = document === undefined ? undefined : joinFeatureIn(readFeatures(document));
  if (document === undefined || join === undefined) return undefined;
  return [...readSubgraphs(document, join).values()].map(({ name }) => name);
}

function parseLeniently(sdl: string): DocumentNode | undefined {
  try {
    return parse(sdl, { noLocation: true });
  } catch {
    return undefined;
  }
}
