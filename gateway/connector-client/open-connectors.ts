import type { DocumentNode } from 'graphql';
import type { EntityAccess } from '../authorization/entity-access.ts';
import type { SubgraphsConfig } from '../config/sections/subgraphs.ts';
import type { Logger } from '../platform/logger.ts';
import { resolvePolicies } from '../subgraph-client/resolve-targets.ts';
import type { SubgraphExecutor } from '../supergraph/subgraph-executor.ts';
import { createConnectorExecutor } from './create-connector-executor.ts';
import type { ResolvedConnectors } from './resolve-connectors.ts';
import { readValueTypes } from './value-types.ts';
import { variableReadsOf } from './variable-reads.ts';

export interface OpenConnectorsOptions {
  /** Supergraph with the connectors. */
  readonly document: DocumentNode;
  /** Settings of requests to subgraphs, which decide about the errors that clients can see. */
  readonly settings: SubgraphsConfig;
  /** Sends requests to subgraphs, and HTTP requests to the sources of subgraphs with connectors. */
  readonly send: SubgraphExecutor;
  readonly logger: Logger;
  /** Access of callers to entities. @defaultValue no field is denied */
  readonly access?: EntityAccess | undefined;
}

/** Creates the executor of a supergraph with connectors: requests to their virtual subgraphs become HTTP requests. */
export function openConnectors({ connectors }: ResolvedConnectors, options: OpenConnectorsOptions): SubgraphExecutor {
  const { document, settings, send, logger, access } = options;
  const types = readValueTypes(document);
  const executors = new Map<string, SubgraphExecutor>();
  for (const [name, { virtual, source, fixed, limit }] of connectors) {
    const { subgraph } = virtual.connector;
    const { errorCodes, errorMessages } = resolvePolicies(settings, settings.override[subgraph]);
    const errorRules = { subgraph, errorCodes, errorMessages };
    executors.set(name, createConnectorExecutor(virtual, { send, source, types, fixed, limit, errorRules, logger, access }));
  }
  return (request, signal) => (executors.get(request.subgraph) ?? send)(request, signal);
}

/** Request headers of clients that connectors read, and connectors whose responses depend on data that no cache key contains. */
export interface ClientDependence {
  /** Names in lower case. */
  readonly headers: readonly string[];
  /** Coordinates of the fields and types whose values must not be cached. */
  readonly uncacheable: readonly string[];
}

/** Determines how the responses of connectors depend on the client's request. */
export function clientDependenceOf({ connectors }: ResolvedConnectors): ClientDependence {
  const headers = new Set<string>();
  const uncacheable: string[] = [];
  for (const { virtual } of connectors.values()) {
    const { type, field, http, source } = virtual.connector;
    for (const rule of [...(source?.headers ?? []), ...http.headers]) if ('from' in rule) headers.add(rule.from);
    let isUnknown = false;
    for (const { variable, path } of variableReadsOf(virtual.connector)) {
      const [part, name] = path;
      if (variable === '$request' && part === 'headers' && name !== undefined) headers.add(name.toLowerCase());
      else if (variable === '$request' || variable === '$context') isUnknown = true;
    }
    if (isUnknown) uncacheable.push(field === undefined ? type : `${type}.${field}`);
  }
  return { headers: [...headers].sort(), uncacheable };
}
