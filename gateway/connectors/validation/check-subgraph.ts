import { type ConstDirectiveNode, type ConstValueNode, type DocumentNode, Kind } from 'graphql';
import { directiveLocationsIn } from '../../directives/directive-locations.ts';
import { directiveNameIn, type LinkedFeature, readFeatures } from '../../directives/read-features.ts';
import { isConnectFeature } from '../definition/connect-link.ts';
import { linkNodeIn, type LocatedSubgraph } from '../definition/read-located-subgraph.ts';
import type { ReportProblem } from '../definition/report-problem.ts';
import { FEDERATION_FEATURE } from './check-resolution.ts';
import type { SchemaTypes } from './schema-types.ts';

/** Directives whose values connectors do not receive. */
const UNSUPPORTED = ['@context', '@fromContext'];

/** Checks what does not belong to one connector: links, ids, abstract types and subscriptions. */
export function checkSubgraph(
  document: DocumentNode,
  { link, connectors }: LocatedSubgraph,
  schema: SchemaTypes,
  report: ReportProblem,
): void {
  checkLinks(document, readFeatures(document, 'link'), link.source, report);
  const ids = new Map<string, NonNullable<(typeof connectors)[number]['id']>>();
  for (const { id } of connectors) {
    if (id === undefined) continue;
    const first = ids.get(id.value);
    if (first === undefined) ids.set(id.value, id);
    else report('DUPLICATE_CONNECTOR_ID', `Two connectors have the id "${id.value}". Ids must be unique in a subgraph.`, id, first);
  }
  for (const type of schema.all) {
    if (link.version < '0.4' && (type.kind === 'interface' || type.kind === 'union')) {
      const message = `The ${type.kind} \`${type.name}\` is not possible with connect/v${link.version}. Link v0.4, or use object types.`;
      report('CONNECTORS_UNSUPPORTED_ABSTRACT_TYPE', message, type.node);
    }
    if (type.name === schema.roots.subscription && type.kind === 'object') {
      report(
        'SUBSCRIPTION_IN_CONNECTORS',
        'A subgraph with connectors cannot have subscriptions. Define them in another subgraph.',
        type.node,
      );
    }
  }
}

function checkLinks(document: DocumentNode, features: readonly LinkedFeature[], source: string, report: ReportProblem): void {
  const locations = directiveLocationsIn(document);
  const connect = features.find(isConnectFeature);
  const unimported = locations.find(({ coordinate, node }) => coordinate === 'schema' && node.name.value === 'source');
  if (connect !== undefined && unimported !== undefined && source !== 'source' && !connect.imports.has('@source')) {
    const message = `The schema uses @source, but does not import it. Add "@source" to the import of ${connect.url}.`;
    report('NO_SOURCE_IMPORT', message, unimported.node);
  }
  const federation = features.find(({ identity }) => identity === FEDERATION_FEATURE);
  if (federation === undefined) return;
  const node = linkNodeIn(locations, federation);
  for (const name of UNSUPPORTED) {
    const used = locations.find((location) => location.node.name.value === directiveNameIn(federation, name.slice(1)));
    if (!federation.imports.has(name) && used === undefined) continue;
    const at = used?.node ?? importIn(node, name) ?? node;
    const message = `${name} is not possible in a subgraph with connectors. Use it in another subgraph.`;
    report('CONNECTORS_UNSUPPORTED_FEDERATION_DIRECTIVE', message, ...(at === undefined ? [] : [at]));
  }
}

/** Returns the element of an import list that imports a directive. */
function importIn(link: ConstDirectiveNode | undefined, name: string): ConstValueNode | undefined {
  const imports = link?.arguments?.find((argument) => argument.name.value === 'import')?.value;
  if (imports?.kind !== Kind.LIST) return undefined;
  return imports.values.find((value) => value.kind === Kind.STRING && value.value === name);
}
