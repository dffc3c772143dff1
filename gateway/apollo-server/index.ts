export { createApolloGateway } from './create-apollo-gateway.ts';
export type { ApolloGatewayOptions, TextLogger } from './apollo-gateway-options.ts';
export { stringifyResult } from './serialized-data.ts';
