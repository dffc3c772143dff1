export { createGateway } from './create-gateway.ts';
export type { Gateway, GatewayDependencies } from './create-gateway.ts';
