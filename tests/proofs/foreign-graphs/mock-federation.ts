import { ObjectType, ROUTER_SUPPORTED_SUPERGRAPH_FEATURES, type Subgraph, Supergraph } from '@apollo/federation-internals';
import { type DefinitionNode, Kind, parse, print } from 'graphql';
import { addMocks, type RandomFederation } from '../../differential/random-federation/build-random-federation.ts';
import type { SubgraphText } from '../../differential/random-federation/read-facts.ts';

/**
 * Creates subgraphs for a composed supergraph, and a single schema with the same data: each value is a hash of type, identity, field and
 * arguments.
 *
 * @throws Error when no subgraphs can be read from the supergraph, or when no data fit it
 */
export function mockFederation(supergraphSdl: string, seed: number): RandomFederation {
  const supportedFeatures = ROUTER_SUPPORTED_SUPERGRAPH_FEATURES;
  const supergraph = Supergraph.build(supergraphSdl, { supportedFeatures, validateSupergraph: false });
  const subgraphs = [...supergraph.subgraphs()].map((subgraph): SubgraphText => {
    return { name: subgraph.name, sdl: withoutExtensions(withPlainNames(subgraph.toString(), rootsOf(subgraph, supergraph))) };
  });
  return addMocks(subgraphs, supergraphSdl, seed);
}

/** Returns the same SDL with the extensions of each type merged into its definition, as the mocks read it. */
function withoutExtensions(sdl: string): string {
  const definitions = new Map<string, DefinitionNode>();
  for (const node of parse(sdl).definitions) {
    if (node.kind !== Kind.OBJECT_TYPE_DEFINITION && node.kind !== Kind.OBJECT_TYPE_EXTENSION) {
      definitions.set(`other ${definitions.size}`, node);
      continue;
    }
    const known = definitions.get(node.name.value);
    const before = known?.kind === Kind.OBJECT_TYPE_DEFINITION ? known : undefined;
    definitions.set(node.name.value, {
      kind: Kind.OBJECT_TYPE_DEFINITION,
      name: node.name,
      interfaces: [...(before?.interfaces ?? []), ...(node.interfaces ?? [])],
      directives: [...(before?.directives ?? []), ...(node.directives ?? [])],
      fields: [...(before?.fields ?? []), ...(node.fields ?? [])],
    });
  }
  return print({ kind: Kind.DOCUMENT, definitions: [...definitions.values()] });
}

const LINK = `schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: [
  "@key" "@requires" "@provides" "@external" "@tag" "@extends" "@shareable" "@inaccessible" "@override" "@composeDirective"
  "@interfaceObject" "@context" "@fromContext" "@authenticated" "@requiresScopes" "@policy" "@cost" "@listSize"
]) {`;

/** Returns the SDL as the mocks read it: federation directives without their namespace, and no root type without fields. */
function withPlainNames(sdl: string, roots: readonly string[]): string {
  const head = roots.length === 0 ? LINK.replace(/^schema/, 'extend schema').slice(0, -1) : `${LINK} ${roots.join(' ')} }`;
  return sdl
    .replace(/^schema\b[^{]*\{[^}]*\}/m, head)
    .replaceAll('@federation__', '@')
    .replaceAll(/(field: "\$\w+)\s+/g, '$1 ');
}

/** Lists definitions of the root types that have fields in a subgraph, with their names in the supergraph. */
function rootsOf({ schema }: Subgraph, supergraph: Supergraph): readonly string[] {
  return [...supergraph.schema.schemaDefinition.roots()].flatMap(({ rootKind, type: { name: root } }) => {
    const type = schema.type(root);
    const isUsed = type instanceof ObjectType && type.fields().some(({ name }) => !name.startsWith('_'));
    return isUsed ? [`${rootKind}: ${root}`] : [];
  });
}
