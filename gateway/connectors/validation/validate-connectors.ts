import type { DocumentNode } from 'graphql';
import { readFeatures } from '../../directives/read-features.ts';
import type { ConnectorProblem } from '../definition/connector-problem.ts';
import type { LocatedConnector } from '../definition/located-connector.ts';
import { type LocatedSubgraph, readLocatedSubgraph } from '../definition/read-located-subgraph.ts';
import { collectProblems, type ReportProblem } from '../definition/report-problem.ts';
import { checkEntity } from './check-entity.ts';
import { checkReads, type ReadableTypes } from './check-reads.ts';
import { checkResult } from './check-result.ts';
import { checkResolution, readFederationNames } from './check-resolution.ts';
import { checkSelection } from './check-selection.ts';
import { checkSubgraph } from './check-subgraph.ts';
import { mappingsOfRequest, mappingsOfResponse, mappingsOfSource, type PositionedMapping } from './connector-mappings.ts';
import { variablesOfConnector, variablesOfSource } from './connector-variables.ts';
import { indexSchemaTypes, type SchemaTypes } from './schema-types.ts';

/**
 * Finds all mistakes in the connectors of a subgraph. Fields and keys without a connector are reported only if nothing else is wrong,
 * because other mistakes are often their cause.
 *
 * @param name name of the subgraph, with which each message begins
 * @param document the files of the subgraph, with locations
 * @returns an empty list if the subgraph does not link the connect specification
 */
export function validateConnectors(name: string, document: DocumentNode): readonly ConnectorProblem[] {
  const { report, problems } = collectProblems(name);
  const subgraph = readLocatedSubgraph(document, report);
  if (subgraph === undefined) return problems;
  const features = readFeatures(document, 'link');
  const schema = indexSchemaTypes(document);
  const { link, sources, connectors } = subgraph;
  const directive = `@${link.connect}`;
  checkSubgraph(document, subgraph, schema, report);
  for (const source of sources) {
    for (const mapping of mappingsOfSource(source, link.source))
      checkMapping(mapping, variablesOfSource(mapping.position), { schema }, report);
  }
  const connected = coordinatesOf(connectors);
  const resolved = new Set(connected);
  for (const connector of connectors) {
    checkMappings(connector, subgraph, schema, report);
    checkEntity(connector, schema, directive, report);
    checkSelection(connector, { schema, directive, connected, resolved, report });
  }
  if (problems.length === 0) checkResolution({ schema, names: readFederationNames(features), directive, connectors, resolved, report });
  return problems;
}

function coordinatesOf(connectors: readonly LocatedConnector[]): ReadonlySet<string> {
  return new Set(connectors.flatMap(({ element }) => (element.field === undefined ? [] : [element.coordinate])));
}

function checkMappings(connector: LocatedConnector, { link }: LocatedSubgraph, schema: SchemaTypes, report: ReportProblem): void {
  const parent = schema.get(connector.element.type);
  const field = connector.element.field === undefined ? undefined : parent?.fields.get(connector.element.field);
  const types = { schema, ...(parent === undefined ? {} : { parent }), ...(field === undefined ? {} : { field }) };
  for (const mapping of [...mappingsOfRequest(connector, link.connect), ...mappingsOfResponse(connector, link.connect)]) {
    checkMapping(mapping, variablesOfConnector(connector, mapping.position, schema), types, report);
  }
}

function checkMapping(mapping: PositionedMapping, variables: readonly string[], types: ReadableTypes, report: ReportProblem): void {
  const positions = new Set<number>();
  // Both checks can find a property that does not exist. The first one knows which name was probably meant.
  const reportOnce: ReportProblem = (code, message, ...nodes) => {
    const [at] = nodes;
    if (at !== undefined && 'offset' in at) {
      if (positions.has(at.offset)) return;
      positions.add(at.offset);
    }
    report(code, message, ...nodes);
  };
  checkReads(mapping, variables, types, reportOnce);
  checkResult(mapping, types, reportOnce);
}
