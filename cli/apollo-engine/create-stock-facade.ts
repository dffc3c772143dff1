import type { StockServer } from '../../gateway/apollo-server/create-stock-server.ts';
import type { Authenticator } from '../../gateway/auth/authenticator.ts';
import type { HealthReport } from '../../gateway/index.ts';
import type { Logger } from '../../gateway/platform/logger.ts';
import { type RestFacade, createRestFacade, fromApolloServer, readRestDocuments } from '../../rest-facade/index.ts';
import type { ProductConfig } from '../configuration.ts';
import { omitSubscriptions } from './omit-subscriptions.ts';

export interface StockFacadeDependencies {
  readonly stock: StockServer;
  readonly authenticate: Authenticator;
  readonly challenges: string;
  readonly health: () => HealthReport;
  readonly logger: Logger;
}

/**
 * Creates the REST facade for the stock gateway. Returns undefined if none is configured.
 *
 * @throws MappingInvalid if the documents do not fit the supergraph
 */
export function createStockFacade(
  { rest, engine, server, subgraphs }: ProductConfig,
  dependencies: StockFacadeDependencies,
): RestFacade | undefined {
  if (rest === undefined) return undefined;
  const { documents, webhooks, ...settings } = rest;
  const { stock, ...others } = dependencies;
  const isOmitting = engine.subscriptions === 'omit';
  const all = readRestDocuments(documents);
  const policies = [subgraphs, ...Object.values(subgraphs.override)];
  return createRestFacade({
    ...settings,
    ...others,
    documents: isOmitting ? omitSubscriptions(all) : all,
    ...(isOmitting || webhooks === undefined ? {} : { webhooks }),
    schema: stock.gateway,
    execute: fromApolloServer(stock.server, ({ principal, headers, correlationId }) => ({ principal, headers, correlationId })),
    // The subgraph client of the gateway has passed on the codes that the settings of each subgraph list.
    errorCodes: policies.flatMap(({ errorCodes }) => errorCodes ?? []),
    errorMessages: policies.some(({ errorMessages }) => errorMessages === 'all') ? 'all' : 'listed',
    maxBodyBytes: server.maxBodyBytes,
    maxUrlBytes: server.maxUrlBytes,
    compression: server.compression,
  });
}
