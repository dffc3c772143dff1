import type { ApolloServerOptionsWithGateway, BaseContext } from '@apollo/server';

/** What Apollo Server asks of a gateway. */
export type GatewayInterface = ApolloServerOptionsWithGateway<BaseContext>['gateway'];

/** Runs one operation for Apollo Server. */
export type GatewayExecutor = NonNullable<Awaited<ReturnType<GatewayInterface['load']>>['executor']>;

/** One request as Apollo Server tells a gateway about it. */
export type IncomingRequest = Parameters<GatewayExecutor>[0];

/** The answer of a gateway to Apollo Server. */
export type IncomingResult = Awaited<ReturnType<GatewayExecutor>>;

/** Called with each schema that is served. */
export type SchemaCallback = Parameters<GatewayInterface['onSchemaLoadOrUpdate']>[0];
