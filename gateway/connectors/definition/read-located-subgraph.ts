import { type ConstDirectiveNode, type DocumentNode, Kind } from 'graphql';
import { argumentsOf, type DirectiveLocation, directiveLocationsIn, directivesOf } from '../../directives/directive-locations.ts';
import { directiveNameIn, featureOf, joinFeatureIn, type LinkedFeature, readFeatures } from '../../directives/read-features.ts';
import { type ConnectLink, isConnectFeature, readConnectLink } from './connect-link.ts';
import type { LocatedConnector, LocatedSource } from './located-connector.ts';
import { readConnector } from './read-connector.ts';
import { readSource } from './read-source.ts';
import type { NamedValue } from './read-values.ts';
import type { ReportProblem } from './report-problem.ts';

/** The connectors of a subgraph, with positions. */
export interface LocatedSubgraph {
  readonly link: ConnectLink;
  readonly sources: readonly LocatedSource[];
  readonly connectors: readonly LocatedConnector[];
}

/** A directive at an element, with its arguments in the subgraph. */
interface DirectiveUse {
  readonly coordinate: string;
  readonly node: ConstDirectiveNode;
  /** Name of the directive in the subgraph. */
  readonly name: string;
  readonly values: readonly NamedValue[];
}

/**
 * Reads the connectors of a subgraph from its schema.
 *
 * @returns undefined if it does not link the connect specification, or only an unknown version, which is reported
 */
export function readLocatedSubgraph(document: DocumentNode, report: ReportProblem): LocatedSubgraph | undefined {
  const feature = readFeatures(document, 'link').find(isConnectFeature);
  if (feature === undefined) return undefined;
  const locations = directiveLocationsIn(document);
  const link = linkOf(feature, report, linkNodeIn(locations, feature));
  const uses = locations.map(({ coordinate, node }) => ({ coordinate, node, name: node.name.value, values: node.arguments ?? [] }));
  return link === undefined ? undefined : readUses(uses, link, report);
}

/** Reads the connectors of all subgraphs of a supergraph, by the names of the subgraphs. */
export function readLocatedSubgraphs(document: DocumentNode, report: ReportProblem): ReadonlyMap<string, LocatedSubgraph> {
  const join = joinFeatureIn(readFeatures(document));
  const found = new Map<string, LocatedSubgraph>();
  if (join === undefined) return found;
  const uses = directiveLocationsIn(document).filter(({ node }) => node.name.value === directiveNameIn(join, 'directive'));
  for (const [graph, name] of namesOfGraphs(document, join)) {
    const own = uses.flatMap((location) => joinedUse(location, graph));
    const link = own
      .map(({ name: directive, node }) => (directive === 'link' ? joinedLink(node, report) : undefined))
      .find((one) => one !== undefined);
    if (link !== undefined) found.set(name, readUses(own, link, report));
  }
  return found;
}

function readUses(uses: readonly DirectiveUse[], link: ConnectLink, report: ReportProblem): LocatedSubgraph {
  const context = { version: link.version, report };
  const sources = uses
    .filter(({ coordinate, name }) => name === link.source && coordinate === 'schema')
    .map(({ node, values }) => readSource(node, values, link.source, context));
  const byName = new Map<string, LocatedSource>();
  for (const source of sources) {
    const first = byName.get(source.name);
    if (source.name === '') continue;
    if (first === undefined) byName.set(source.name, source);
    else
      report(
        'DUPLICATE_SOURCE_NAME',
        `Two sources have the name "${source.name}". Names of sources must be unique.`,
        first.node,
        source.node,
      );
  }
  const counts = new Map<string, number>();
  const connectors = uses
    .filter(({ coordinate, name }) => name === link.connect && coordinate !== 'schema' && !coordinate.includes('('))
    .map(({ coordinate, node, values }) => {
      const index = counts.get(coordinate) ?? 0;
      counts.set(coordinate, index + 1);
      const [type = '', field] = coordinate.split('.');
      const element = { type, ...(field === undefined ? {} : { field }), coordinate };
      return readConnector({ element, node, values, index }, { ...context, names: link, sources: byName });
    });
  return { link, sources, connectors };
}

function linkOf(feature: LinkedFeature, report: ReportProblem, node: ConstDirectiveNode | undefined): ConnectLink | undefined {
  const link = readConnectLink(feature);
  if (typeof link !== 'string') return link;
  report('UNKNOWN_CONNECTORS_VERSION', link, ...(node === undefined ? [] : [node]));
  return undefined;
}

/** Returns the `@link` of a feature. */
export function linkNodeIn(locations: readonly DirectiveLocation[], { url }: LinkedFeature): ConstDirectiveNode | undefined {
  return locations.find(({ coordinate, node }) => coordinate === 'schema' && argumentsOf(node)['url'] === url)?.node;
}

/** Reads the link of a subgraph, which composition copies as `@join__directive(name: "link", args: { url, import })`. */
function joinedLink(node: ConstDirectiveNode, report: ReportProblem): ConnectLink | undefined {
  const feature = featureOf((argumentsOf(node)['args'] ?? {}) as Readonly<Record<string, unknown>>);
  return feature !== undefined && isConnectFeature(feature) ? linkOf(feature, report, node) : undefined;
}

/** Reads a directive that composition copied for a subgraph (join specification v0.5, `@join__directive`). */
function joinedUse({ coordinate, node }: DirectiveLocation, graph: string): readonly DirectiveUse[] {
  const { graphs, name } = argumentsOf(node);
  if (typeof name !== 'string' || !Array.isArray(graphs) || !graphs.includes(graph)) return [];
  const args = node.arguments?.find((argument) => argument.name.value === 'args')?.value;
  return [{ coordinate, node, name, values: args?.kind === Kind.OBJECT ? args.fields : [] }];
}

/** Returns the names of the subgraphs by their values in the enum of graphs. */
function namesOfGraphs({ definitions }: DocumentNode, join: LinkedFeature): ReadonlyMap<string, string> {
  const directive = directiveNameIn(join, 'graph');
  return new Map(
    definitions.flatMap((definition) => {
      if (definition.kind !== Kind.ENUM_TYPE_DEFINITION || definition.name.value !== `${join.namespace}__Graph`) return [];
      return (definition.values ?? []).map((value) => {
        const { name } = argumentsOf(directivesOf(value, directive)[0]);
        return [value.name.value, typeof name === 'string' ? name : value.name.value] as const;
      });
    }),
  );
}
