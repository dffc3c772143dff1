import type { ApolloServerOptionsWithGateway, BaseContext } from '@apollo/server';

/** Interface that Apollo Server requires of a gateway. */
export type GatewayInterface = ApolloServerOptionsWithGateway<BaseContext>['gateway'];

/** Executes one operation for Apollo Server. */
export type GatewayExecutor = NonNullable<Awaited<ReturnType<GatewayInterface['load']>>['executor']>;

/** One request as Apollo Server passes it to a gateway. */
export type IncomingRequest = Parameters<GatewayExecutor>[0];

/** Result that a gateway returns to Apollo Server. */
export type IncomingResult = Awaited<ReturnType<GatewayExecutor>>;

/** Called with each schema that is served. */
export type SchemaCallback = Parameters<GatewayInterface['onSchemaLoadOrUpdate']>[0];
