import { createServiceAuthenticator } from './auth/bearer/service-token.ts';
import type { StreamDoors } from './build-stream-doors.ts';
import type { ResolvedGatewayConfig } from './config/resolve-gateway-config.ts';
import { type GraphqlHandlerOptions, createGraphqlHandler } from './http/graphql-handler.ts';
import type { Maintenance } from './http/maintenance.ts';
import { type ServiceHandler, createServiceHandler } from './http/service-handler.ts';
import { createStreamHandler } from './http/stream-handler.ts';
import type { OperationRequest } from './pipeline/operation-request.ts';
import type { Pipeline } from './pipeline/run-operation.ts';
import type { Clock } from './platform/clock.ts';
import { createAdmission } from './subscriptions/admission.ts';
import { createRightsCheck } from './subscriptions/permissions.ts';
import { createStreamSender } from './subscriptions/stream-sender.ts';

/** Who reads by this door counts on it: what is set for clients may be an hour. @unit milliseconds */
const HEARTBEAT_INTERVAL_MS = 10_000;

export interface ServiceDoorParts {
  /** What all of `/graphql` has, of which the callers and what they may spend are others here. */
  readonly overHttp: Omit<GraphqlHandlerOptions, 'pipeline' | 'authenticate' | 'budgets' | 'targets' | 'stream'>;
  readonly pipeline: Pick<Pipeline, 'run' | 'kindOf'>;
  readonly streams: Pick<StreamDoors, 'overHttp' | 'sending'>;
  readonly maintenance: Maintenance;
  readonly clock: Clock;
}

/**
 * `POST /graphql` of the internal listener, for services that ask in the name of others: webhooks do. Undefined where no secret is shared
 * with any. Documents there are ours, so they need not stand in a manifest; rights, limits and costs are those of every operation. What it
 * costs is paid by a budget of the service for that owner, which is as large as the owner's, and is not the owner's.
 */
export function buildServiceDoor({ identity, subscriptions }: ResolvedGatewayConfig, parts: ServiceDoorParts): ServiceHandler | undefined {
  const { serviceSecret: secret } = identity;
  if (secret === undefined) return undefined;
  const { overHttp, pipeline, streams, maintenance, clock } = parts;
  const { logger, answerOnce = (request: OperationRequest) => pipeline.run(request, 'bytes') } = overHttp;
  const authenticate = createServiceAuthenticator({ secret, clock, logger });
  const common = { ...overHttp, authenticate };
  // One service holds the streams of all owners, from one address.
  const { maxConnections } = subscriptions;
  const admission = createAdmission({
    maxConnections,
    maxConnectionsPerAddress: maxConnections,
    maxConnectionsPerPrincipal: maxConnections,
    maxUnacknowledged: maxConnections,
  });
  const graphql = createGraphqlHandler({
    ...common,
    answerOnce: (request) => answerOnce(trusted(request)),
    pipeline: { run: pipeline.run, kindOf: (request) => pipeline.kindOf(trusted(request)) },
    stream: createStreamHandler({
      ...common,
      answer: (request, beforeStream) => streams.overHttp.answer({ ...trusted(request), wantsMarks: true }, beforeStream),
      sender: createStreamSender({
        networkOf: streams.sending.networkOf,
        admission,
        streams: { ...streams.sending.streams, checkRights: createRightsCheck(authenticate), heartbeatIntervalMs: HEARTBEAT_INTERVAL_MS },
      }),
    }),
  });
  return createServiceHandler(graphql, maintenance);
}

function trusted<Request extends OperationRequest>(request: Request): Request {
  return 'prepared' in request.document ? request : { ...request, document: { ...request.document, isTrusted: true } };
}
