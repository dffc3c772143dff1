import { createServiceAuthenticator } from '../auth/bearer/service-token.ts';
import type { Budgets } from '../budget/budgets.ts';
import type { ResolvedGatewayConfig } from '../config/resolve-gateway-config.ts';
import { createGraphqlHandler, type GraphqlHandlerOptions } from '../http/graphql/graphql-handler.ts';
import { NO_REQUEST_MEMOS } from '../http/graphql/request-memos.ts';
import { createServiceHandler, type ServiceHandler } from '../http/internal/internal-handler.ts';
import type { Maintenance } from '../http/internal/maintenance.ts';
import type { OperationRequest } from '../pipeline/operation-request.ts';
import type { IdempotentPipeline } from '../pipeline/with-idempotency.ts';
import type { Clock } from '../platform/clock.ts';
import { createConnectionAdmission } from '../subscriptions/admission.ts';
import { createPermissionCheck } from '../subscriptions/permissions.ts';
import { createStreamSender } from '../subscriptions/stream-sender.ts';
import type { StreamTransports } from './stream-transports.ts';

/** Heartbeat interval of service streams. Services depend on heartbeats, and the interval for clients may be an hour. @unit milliseconds */
const HEARTBEAT_INTERVAL_MS = 10_000;

export interface ServiceEndpointDependencies {
  /** Settings of `/graphql`. */
  readonly endpoint: Omit<GraphqlHandlerOptions, 'pipeline' | 'authenticate' | 'budgets' | 'targets' | 'sender'>;
  readonly pipeline: IdempotentPipeline;
  readonly budgets: Budgets;
  readonly senderOptions: StreamTransports['senderOptions'];
  readonly maintenance: Maintenance;
  readonly clock: Clock;
}

/**
 * Builds `POST /graphql` of the internal listener, for services that act on behalf of callers, such as webhooks. Undefined when no service
 * secret is configured. Documents of services are trusted, so they need not be in a manifest. Permissions, limits and costs are those of
 * every operation. A service has a separate budget for each owner, as large as the budget of the owner.
 */
export function buildServiceEndpoint(
  { identity, subscriptions }: ResolvedGatewayConfig,
  { endpoint, pipeline, budgets, senderOptions, maintenance, clock }: ServiceEndpointDependencies,
): ServiceHandler | undefined {
  const { serviceSecret: secret } = identity;
  if (secret === undefined) return undefined;
  const authenticate = createServiceAuthenticator({ secret, clock, logger: endpoint.logger });
  // One service holds the streams of all owners, from one address.
  const { maxConnections } = subscriptions;
  const admission = createConnectionAdmission({
    maxConnections,
    maxConnectionsPerAddress: maxConnections,
    maxConnectionsPerPrincipal: maxConnections,
    maxUnacknowledged: maxConnections,
  });
  const graphql = createGraphqlHandler({
    ...endpoint,
    maxBatchedOperations: 0,
    pipeline: withTrustedDocuments(pipeline),
    authenticate,
    budgets,
    targets: NO_REQUEST_MEMOS,
    sender: createStreamSender({
      networkOf: senderOptions.networkOf,
      admission,
      streams: {
        ...senderOptions.streams,
        checkPermissions: createPermissionCheck(authenticate),
        heartbeatIntervalMs: HEARTBEAT_INTERVAL_MS,
      },
    }),
  });
  return createServiceHandler(graphql, maintenance);
}

/** Trusts the documents of all requests, and sends bookmarks in streams. */
function withTrustedDocuments(pipeline: IdempotentPipeline): IdempotentPipeline {
  return {
    ...pipeline,
    execute: (request) => pipeline.execute(trusted(request)),
    executeOrSubscribe: (request, toSubscription) =>
      pipeline.executeOrSubscribe(trusted(request), (operation) => ({ ...toSubscription(operation), wantsBookmarks: true })),
  };
}

function trusted(request: OperationRequest): OperationRequest {
  return 'prepared' in request.document ? request : { ...request, document: { ...request.document, isTrusted: true } };
}
