export type { WholeAccess, WholeGrant } from './authorization/operation-authorization.ts';
export { createGateway } from './composition/create-gateway.ts';
export type { Gateway, GatewayDependencies, OperationInput, OperationOutput, ReloadReport } from './gateway.ts';
export type { EmbeddedHandler } from './http/server/embedded-handler.ts';
export { ConfigurationInvalid } from './config/configuration-invalid.ts';
export type { GatewayConfig, GatewayConfigInput } from './config/sections.ts';
export type { PerGeneration, GenerationHandle, GenerationView } from './generation/generation.ts';
export type { PreparedDocument } from './generation/prepared-document.ts';
export type { Idempotency } from './idempotency/idempotency.ts';
export type {
  EventChanges,
  EventHookContext,
  HeaderChanges,
  HookResult,
  Hooks,
  HookSubgraphError,
  OperationChanges,
  OperationHookContext,
  PlanHookContext,
  PlanHookFetch,
  RequestChanges,
  ResponseChanges,
  ResponseHookContext,
  SubgraphRequestChanges,
  SubgraphRequestHookContext,
  SubgraphResponseChanges,
  SubgraphResponseHookContext,
} from './hooks/hooks.ts';
export type { HookedRequest, ReportedCost } from './hooks/hooked-request.ts';
export type { HealthReport } from './http/internal/health.ts';
export { createLocalIdempotency } from './idempotency/open-idempotency.ts';
export type { StoredResponse } from './idempotency/record.ts';
export { OperationRejected } from './operation/operation-rejected.ts';
export type { RequestError } from './operation/operation-rejected.ts';
export type { OperationRequest } from './pipeline/operation-request.ts';
export type { BytesResult, ObjectResult, OperationError, ResultFacts } from './pipeline/operation-result.ts';
export type { PoliciesHook, PolicyResult } from './pipeline/stages/authorize.ts';
export { GatewayError } from './platform/errors.ts';
export type { ErrorCode } from './platform/errors.ts';
export { ListenFailure } from './platform/http/server/listen-failure.ts';
export type { LimitReached, LimitScope, EdgeEvents, UnreadResponse } from './platform/http/limits/edge-events.ts';
export { ANONYMOUS } from './platform/principal.ts';
export type { Principal } from './platform/principal.ts';
export type { RequestHeaders } from './platform/request-headers.ts';
export { SupergraphInvalid } from './supergraph/supergraph-invalid.ts';
export type { EventEnvelope, SubscriptionRequest } from './pipeline/streams/event-stream.ts';
export type { StreamDelivery } from './subscriptions/stream-sender.ts';
export type { StreamFormat } from './subscriptions/stream-formats.ts';
