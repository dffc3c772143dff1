import { dateTimeScalar } from '../kit/date-time-scalar.ts';
import { endpointOf, readDelivery } from './deliveries/delivery-access.ts';
import { deliveriesOfEndpoint } from './deliveries/delivery-lists.ts';
import { redeliver } from './deliveries/redeliver.ts';
import { deleteEndpoint, updateEndpoint } from './endpoints/change-endpoint.ts';
import { type NewSecret, createEndpoint } from './endpoints/create-endpoint.ts';
import { readEndpoint } from './endpoints/endpoint-access.ts';
import { listEndpoints } from './endpoints/endpoint-lists.ts';
import type { Resolvers } from './generated/resolver-types.ts';
import { openSecret } from './secrets/endpoint-secrets.ts';
import { rotateSecret } from './secrets/rotate-secret.ts';
import type { WebhooksDependencies } from './webhooks-dependencies.ts';

export function createResolvers(dependencies: WebhooksDependencies): Resolvers {
  const { box } = dependencies;
  const shown = (made: NewSecret | null) => ({
    webhook: made && made.endpoint,
    secret: made && openSecret(box, made.endpoint, made.sealed),
  });
  return {
    DateTime: dateTimeScalar,
    Query: {
      webhook: (_root, { id }, context) => readEndpoint(context, id),
      webhooks: (_root, args, context) => listEndpoints(context, args),
      webhookDelivery: (_root, { id }, context) => readDelivery(context, id),
    },
    Mutation: {
      async createWebhook(_root, { input, idempotencyKey }, context) {
        const { value, errors } = await createEndpoint(
          dependencies,
          context,
          { ...input, isOrdered: input.isOrdered ?? false },
          idempotencyKey,
        );
        return { ...shown(value), errors };
      },
      async updateWebhook(_root, { id, expectedVersion, patch }, context) {
        const { value, errors } = await updateEndpoint(dependencies, context, { id, expectedVersion }, patch);
        return { webhook: value, errors };
      },
      async deleteWebhook(_root, { id, expectedVersion }, context) {
        const { value, errors } = await deleteEndpoint(context, { id, expectedVersion });
        return { webhook: value, errors };
      },
      async rotateWebhookSecret(_root, { id, expectedVersion, idempotencyKey }, context) {
        const { value, errors } = await rotateSecret(box, context, { id, expectedVersion }, idempotencyKey);
        return { ...shown(value), previousExpiresAt: value && value.previousExpiresAt, errors };
      },
      async redeliverWebhook(_root, { id, input: { deliveryId }, idempotencyKey }, context) {
        const { value, errors } = await redeliver(dependencies, context, { endpointId: id, deliveryId }, idempotencyKey);
        return { delivery: value, errors };
      },
    },
    Webhook: {
      __resolveReference: ({ id }, context) => readEndpoint(context, id),
      owner: ({ ownerId }) => ({ id: ownerId }),
      deliveries: ({ id }, args, context) => deliveriesOfEndpoint.listOf(context, id, args),
    },
    WebhookDelivery: {
      __resolveReference: ({ id }, context) => readDelivery(context, id),
      webhookId: ({ endpointId }) => endpointId,
      webhook: (delivery, _args, context) => endpointOf(context, delivery),
      ownerId: async (delivery, _args, context) => (await endpointOf(context, delivery)).ownerId,
      nextAttemptAt: ({ state, nextAttemptAt }) => (state === 'PENDING' ? nextAttemptAt : null),
    },
  };
}
