import { composeServices } from '@apollo/composition';
import { parse } from 'graphql';
import type { SubgraphText } from '../../differential/random-federation/read-facts.ts';
import type { ForeignSupergraph } from './find-supergraphs.ts';
import type { SubgraphSets } from './read-subgraph-sets.ts';
import { type Report, count } from './report.ts';

/** Composes the subgraph sets that Apollo composes: unchanged, or with a link that imports the Federation 2 directives. */
export function composeSets({ sets, unread }: SubgraphSets, report: Report): readonly ForeignSupergraph[] {
  const counts = new Map<string, number>();
  if (unread > 0) counts.set('test calls that compose anything other than constants', unread);
  const supergraphs = new Map<string, ForeignSupergraph>();
  for (const { name, subgraphs } of sets) {
    const sdl = compose(subgraphs) ?? compose(subgraphs.map(withLink));
    count(counts, sdl === undefined ? 'sets that Apollo does not compose' : 'sets composed');
    if (sdl !== undefined && !supergraphs.has(sdl)) supergraphs.set(sdl, { file: name, sdl });
  }
  counts.set('distinct supergraphs of them', supergraphs.size);
  report.table('Subgraph sets', counts);
  return [...supergraphs.values()];
}

/** Composes subgraphs. Returns undefined when they do not compose: they use features that Apollo does not know, or do not fit together. */
function compose(subgraphs: readonly SubgraphText[]): string | undefined {
  try {
    const services = subgraphs.map(({ name, sdl }) => ({ name, url: `http://${name}.test`, typeDefs: parse(sdl) }));
    return composeServices(services).supergraphSdl;
  } catch {
    return undefined;
  }
}

const LINK = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: [
  "@key" "@requires" "@provides" "@external" "@tag" "@extends" "@shareable" "@inaccessible" "@override" "@composeDirective"
  "@interfaceObject" "@context" "@fromContext" "@authenticated" "@requiresScopes" "@policy" "@cost" "@listSize" "FieldSet"
])`;

function withLink({ name, sdl }: SubgraphText): SubgraphText {
  return { name, sdl: `${LINK}\n${sdl}` };
}
