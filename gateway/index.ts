export { createGateway } from './create-gateway.ts';
export type { Gateway, GatewayDependencies } from './create-gateway.ts';
export type { GenerationBound, GenerationHandle, GenerationView } from './generation/generation.ts';
export type { PreparedDocument } from './generation/prepared-document.ts';
export type { ObjectResult, OperationError, OperationRequest } from './pipeline/operation-request.ts';
