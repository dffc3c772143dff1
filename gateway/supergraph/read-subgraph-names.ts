import { type DocumentNode, Kind, parse } from 'graphql';
import { directiveNameIn, readArguments, readFeatures } from './read-features.ts';

const JOIN = 'https://specs.apollo.dev/join';

/**
 * The names of the subgraphs of a supergraph, without loading it: the values of its enum of graphs (join specification,
 * `@join__graph`). Undefined for a text that is no supergraph; loading it says why.
 */
export function readSubgraphNames(sdl: string): readonly string[] | undefined {
  const document = parseLeniently(sdl);
  const join = document === undefined ? undefined : readFeatures(document).find(({ identity }) => identity === JOIN);
  if (document === undefined || join === undefined) return undefined;
  const directive = directiveNameIn(join, 'graph');
  return document.definitions.flatMap((definition) => {
    if (definition.kind !== Kind.ENUM_TYPE_DEFINITION || definition.name.value !== `${join.namespace}__Graph`) return [];
    return (definition.values ?? []).flatMap(({ directives = [] }) =>
      directives.flatMap((use) => (use.name.value === directive ? textIn(readArguments(use)['name']) : [])),
    );
  });
}

function textIn(value: unknown): readonly string[] {
  return typeof value === 'string' ? [value] : [];
}

function parseLeniently(sdl: string): DocumentNode | undefined {
  try {
    return parse(sdl, { noLocation: true });
  } catch {
    return undefined;
  }
}
