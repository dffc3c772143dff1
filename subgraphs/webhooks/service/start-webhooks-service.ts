import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';
import type { Clock } from '../../../gateway/platform/clock.ts';
import type { Logger } from '../../../gateway/platform/logger.ts';
import type { Database } from '../../kit/database/database.ts';
import { createMemoryEventBus } from '../../kit/events/memory-event-bus.ts';
import { type CallerVerifierOptions, createCallerVerifier } from '../../kit/identity/verify-caller.ts';
import { createLoaders } from '../../kit/loaders.ts';
import type { Caller, RequestContext } from '../../kit/request-context.ts';
import { createRequestHandler } from '../../kit/server/handle-request.ts';
import { type Listener, listen } from '../../kit/server/listen.ts';
import { createResolvers } from '../create-resolvers.ts';
import { createWebhooks } from '../create-webhooks.ts';
import type { WebhooksSettings } from '../settings.ts';
import type { WebhooksDependencies } from '../webhooks-dependencies.ts';
import { executeWithGraphql, serveSdl } from './execute-with-graphql.ts';
import { type OwnerEntity, readWebhooksSdl } from './webhooks-sdl.ts';

export interface WebhooksServiceOptions {
  readonly database: Database;
  /** Events, owners, keys, and the gateway from which events are read. */
  readonly webhooks: WebhooksSettings;
  /** Verification of the identities that the gateway sends. `audience` is the name of the subgraph in the supergraph. */
  readonly identity: Omit<CallerVerifierOptions, 'clock'>;
  /** Entity that owns webhooks. @defaultValue none: `Webhook` has only `ownerId` */
  readonly owner?: OwnerEntity | undefined;
  readonly host: string;
  readonly port: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Starts the webhook service: a subgraph for any supergraph, and the sender of its messages.
 *
 * @throws Error when the address cannot be used, or a lease could end before its attempt
 */
export async function startWebhooksService(options: WebhooksServiceOptions): Promise<Listener> {
  const { database, identity, owner, clock, log, host, port } = options;
  const { audience: name } = identity;
  const sdl = await readWebhooksSdl(owner);
  const webhooks = createWebhooks({ database, clock, log }, options.webhooks);
  // The builder accepts only maps of functions.
  const schema = buildSubgraphSchema({
    typeDefs: parse(sdl),
    resolvers: resolversFor(webhooks.dependencies, owner) as Record<string, never>,
  });
  const events = createMemoryEventBus();
  const createContext = (principal: Caller, correlationId: string): RequestContext => ({
    subgraph: name,
    principal,
    database,
    loaders: createLoaders(database.sql),
    events,
    wakeRelay: () => undefined,
    clock,
    correlationId,
    log,
  });
  const handler = createRequestHandler({
    execute: executeWithGraphql(schema, log),
    executePublic: serveSdl(sdl),
    ...(identity.header === undefined ? {} : { identityHeader: identity.header.toLowerCase() }),
    verifyCaller: createCallerVerifier({ ...identity, clock }),
    createContext,
    database,
    log,
  });
  try {
    const listener = await listen(handler, { name, host, port });
    return {
      url: listener.url,
      async stop() {
        await listener.stop();
        await webhooks.stop();
      },
    };
  } catch (error) {
    await webhooks.stop();
    throw error;
  }
}

/** Returns the resolvers for the SDL with or without an owner. */
function resolversFor(dependencies: WebhooksDependencies, owner: OwnerEntity | undefined): object {
  const { Webhook, ...others } = createResolvers(dependencies);
  const { owner: _referenceOwner, ...fields } = Webhook ?? {};
  const ownerField = owner === undefined ? {} : { owner: ({ ownerId }: { readonly ownerId: string }) => ({ [owner.key]: ownerId }) };
  return { ...others, Webhook: { ...fields, ...ownerField } };
}
