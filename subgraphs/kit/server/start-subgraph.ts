import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginInlineTraceDisabled, ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { type GraphQLSchema, NoSchemaIntrospectionCustomRule, type ValidationRule } from 'graphql';
import type { Clock } from '../../../gateway/platform/clock.ts';
import type { Logger } from '../../../gateway/platform/logger.ts';
import type { Database } from '../database/database.ts';
import { toLoggableError } from '../database/loggable-error.ts';
import type { EventBus } from '../events/event-bus.ts';
import { createCallerVerifier, type TrustedGateways } from '../identity/verify-caller.ts';
import { createLoaders } from '../loaders.ts';
import type { Caller, RequestContext, StreamPosition } from '../request-context.ts';
import type { SubgraphDefinition } from '../subgraph-definition.ts';
import { executeWithApollo } from './execute-with-apollo.ts';
import { formatError, isWrittenForClients } from './format-error.ts';
import { createRequestHandler } from './handle-request.ts';
import { listen } from './listen.ts';
import { noServiceFieldRule } from './no-service-field-rule.ts';
import { createStreamServer } from './serve-streams.ts';
import { readSubgraphSdl } from './read-sdl.ts';

/** Dependencies that all subgraphs of a process share. */
export interface SubgraphRuntime {
  readonly database: Database;
  readonly events: EventBus;
  readonly wakeRelay: () => void;
  readonly clock: Clock;
  readonly log: Logger;
  /** Trusted gateways. Requests without an identity that one of them has signed are rejected with 401. */
  readonly identity: TrustedGateways;
  /** Profile. `dev` allows `_service` and introspection. */
  readonly profile: 'dev' | 'production';
}

export interface ListenOptions {
  /** @defaultValue '127.0.0.1' */
  readonly host?: string;
  /** @defaultValue 0, a free port */
  readonly port?: number;
  /** Time for running requests to finish at `stop`. @unit milliseconds @defaultValue 10000 */
  readonly drainTimeoutMs?: number;
}

export interface RunningSubgraph {
  readonly name: string;
  readonly url: string;
  readonly schema: GraphQLSchema;
  /** Creates the context of resolvers, for streams and for tests. */
  readonly createContext: (principal: Caller, correlationId: string, stream?: StreamPosition) => RequestContext;
  /** Ends all streams and accepts no further ones. Call it before the event bus is closed. */
  endStreams(): void;
  /** Accepts no more requests, waits for the running ones, and closes the server. */
  stop(): Promise<void>;
}

/**
 * Serves one subgraph over HTTP.
 *
 * @throws Error when the SDL and the resolvers do not match, or the port is already in use
 */
export async function startSubgraph(
  definition: SubgraphDefinition,
  runtime: SubgraphRuntime,
  options: ListenOptions = {},
): Promise<RunningSubgraph> {
  const { name } = definition;
  const { clock, profile, identity } = runtime;
  // The resolvers have the generated types of the subgraph, but the builder accepts only maps of functions.
  const resolvers = definition.resolvers as Record<string, never>;
  const schema = buildSubgraphSchema({ typeDefs: [...readSubgraphSdl(name)], resolvers });
  const apollo = new ApolloServer<RequestContext>({
    schema,
    introspection: profile === 'dev',
    validationRules: profile === 'dev' ? [] : [noServiceFieldRule],
    includeStacktraceInErrorResponses: false,
    allowBatchedHttpRequests: false,
    persistedQueries: false,
    stopOnTerminationSignals: false,
    formatError,
    logger: runtime.log,
    plugins: [ApolloServerPluginLandingPageDisabled(), ApolloServerPluginInlineTraceDisabled(), logUnexpectedErrors],
  });
  await apollo.start();

  const createContext = (principal: Caller, correlationId: string, stream?: StreamPosition): RequestContext => ({
    ...(stream === undefined ? {} : { stream }),
    subgraph: name,
    principal,
    database: runtime.database,
    loaders: createLoaders(runtime.database.sql),
    events: runtime.events,
    wakeRelay: runtime.wakeRelay,
    clock,
    correlationId,
    log: runtime.log,
  });
  const verifyCaller = createCallerVerifier({ trust: identity, audience: name, clock });
  const streamDependencies = { schema, rules: streamRules(profile), verifyCaller, createContext, log: runtime.log };
  const streams = schema.getSubscriptionType() ? createStreamServer(streamDependencies) : undefined;
  const handler = createRequestHandler({
    execute: executeWithApollo(apollo),
    createContext,
    verifyCaller,
    database: runtime.database,
    log: runtime.log,
  });
  const listener = await listen(handler, { name, ...options, ...(streams === undefined ? {} : { onUpgrade: streams.upgrade }) });
  return {
    name,
    url: listener.url,
    schema,
    createContext,
    endStreams: () => streams?.stop(),
    async stop() {
      streams?.stop();
      await listener.stop();
      await apollo.stop();
      await definition.close?.();
    },
  };
}

/** Returns additional validation rules for subscriptions, which bypass Apollo Server and its built-in rules. */
function streamRules(profile: SubgraphRuntime['profile']): readonly ValidationRule[] {
  return profile === 'dev' ? [] : [noServiceFieldRule, NoSchemaIntrospectionCustomRule];
}

const logUnexpectedErrors = {
  async requestDidStart() {
    return {
      async didEncounterErrors({ errors, contextValue }: { errors: readonly Error[]; contextValue: RequestContext }) {
        for (const error of errors) {
          if (isWrittenForClients(error)) continue;
          const { subgraph, correlationId } = contextValue;
          contextValue.log.error({ err: toLoggableError(error), subgraph, correlationId }, 'A resolver failed with an unexpected error.');
        }
      },
    };
  },
};
