import { ROUTER_SUPPORTED_SUPERGRAPH_FEATURES, Supergraph } from '@apollo/federation-internals';
import { addMocks, type RandomFederation } from '../../differential/random-federation/build-random-federation.ts';
import type { SubgraphText } from '../../differential/random-federation/read-facts.ts';

/**
 * Makes subgraphs of a composed supergraph, and one schema with the same data: each value is a hash of type, identity, field
 * and arguments.
 *
 * @throws Error when no subgraphs can be read from the supergraph, or when no data fit it
 */
export function mockFederation(supergraphSdl: string, seed: number): RandomFederation {
  const supportedFeatures = ROUTER_SUPPORTED_SUPERGRAPH_FEATURES;
  const supergraph = Supergraph.build(supergraphSdl, { supportedFeatures, validateSupergraph: false });
  const subgraphs = [...supergraph.subgraphs()].map((subgraph): SubgraphText => {
    return { name: subgraph.name, sdl: withPlainNames(subgraph.toString()) };
  });
  return addMocks(subgraphs, supergraphSdl, seed);
}

const LINK = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: [
  "@key" "@requires" "@provides" "@external" "@tag" "@extends" "@shareable" "@inaccessible" "@override" "@composeDirective"
  "@interfaceObject" "@context" "@fromContext" "@authenticated" "@requiresScopes" "@policy" "@cost" "@listSize"
])\n`;

/** The SDL as the mocks read it: federation's directives without their namespace, and no root type without fields. */
function withPlainNames(sdl: string): string {
  const body = sdl.replace(/^schema\b[^{]*\{[^}]*\}/m, '');
  return (
    LINK +
    body
      .replaceAll('@federation__', '@')
      .replaceAll(/(field: "\$\w+)\s+/g, '$1 ')
      .replaceAll(/^(?:"""[^"]*"""\n)?(?:scalar|enum) federation__\w+.*\n/gm, '')
  );
}
