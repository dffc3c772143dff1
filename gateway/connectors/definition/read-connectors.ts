import type { DocumentNode } from 'graphql';
import type { ConnectorDefinition, ConnectorErrors, ConnectorHttp, ConnectorSource } from './connector-definition.ts';
import type { LocatedConnector, LocatedErrors, LocatedRequest, LocatedSource } from './located-connector.ts';
import { type LocatedSubgraph, readLocatedSubgraph, readLocatedSubgraphs } from './read-located-subgraph.ts';
import { throwProblem } from './report-problem.ts';

/**
 * Reads the connectors of all subgraphs of a supergraph, in schema order for each subgraph.
 *
 * @throws ConnectorInvalid that names the coordinate, the argument and what was expected
 */
export function readConnectors(document: DocumentNode): readonly ConnectorDefinition[] {
  return [...readLocatedSubgraphs(document, throwProblem)].flatMap(([name, subgraph]) => definitionsOf(name, subgraph));
}

/**
 * Reads the connectors of one subgraph from its own schema. Returns an empty list if it does not link the connect specification.
 *
 * @throws ConnectorInvalid that names the coordinate, the argument and what was expected
 */
export function readConnectorsOfSubgraph(name: string, document: DocumentNode): readonly ConnectorDefinition[] {
  const subgraph = readLocatedSubgraph(document, throwProblem);
  return subgraph === undefined ? [] : definitionsOf(name, subgraph);
}

function definitionsOf(subgraph: string, { link, sources, connectors }: LocatedSubgraph): readonly ConnectorDefinition[] {
  const known = new Map(sources.map((source) => [source, sourceOf(source)]));
  return connectors.flatMap((connector) => {
    const source = connector.source === undefined ? undefined : known.get(connector.source);
    const http = httpOf(connector);
    if (http === undefined || connector.selection === undefined) return [];
    const { element, id, entity, batchMaxSize } = connector;
    const isSuccess = connector.isSuccess?.mapping ?? source?.isSuccess;
    const errors = { ...source?.errors, ...errorsOf(connector.errors) };
    return [
      {
        subgraph,
        version: link.version,
        type: element.type,
        ...(element.field === undefined ? {} : { field: element.field }),
        index: connector.index,
        ...(id === undefined ? {} : { id: id.value }),
        ...(source === undefined ? {} : { source }),
        http,
        selection: connector.selection.mapping,
        isEntity: element.field === undefined || entity?.isEntity === true,
        ...(isSuccess === undefined ? {} : { isSuccess }),
        ...(Object.keys(errors).length === 0 ? {} : { errors }),
        ...(batchMaxSize === undefined ? {} : { batchMaxSize }),
      },
    ];
  });
}

function sourceOf({ name, baseUrl, request, isSuccess, errors }: LocatedSource): ConnectorSource | undefined {
  if (baseUrl === undefined) return undefined;
  const mappings = errorsOf(errors);
  return {
    name,
    baseUrl: baseUrl.url,
    ...requestOf(request),
    ...(isSuccess === undefined ? {} : { isSuccess: isSuccess.mapping }),
    ...(Object.keys(mappings).length === 0 ? {} : { errors: mappings }),
  };
}

function httpOf({ method, url, request, body }: LocatedConnector): ConnectorHttp | undefined {
  if (method === undefined || url === undefined) return undefined;
  return { method, url: url.url, ...requestOf(request), ...(body === undefined ? {} : { body: body.mapping }) };
}

function requestOf({ headers, path, queryParams }: LocatedRequest) {
  return {
    headers: headers.map(({ rule }) => rule),
    ...(path === undefined ? {} : { path: path.mapping }),
    ...(queryParams === undefined ? {} : { queryParams: queryParams.mapping }),
  };
}

function errorsOf({ message, extensions }: LocatedErrors): ConnectorErrors {
  return {
    ...(message === undefined ? {} : { message: message.mapping }),
    ...(extensions === undefined ? {} : { extensions: extensions.mapping }),
  };
}
