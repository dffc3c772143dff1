import type { Pipeline } from '../pipeline.ts';
import type { Subscribe, SubscriptionRequest } from './event-stream.ts';

/** Thrown to stop the stages of the pipeline before the external engine takes over. */
const HANDED_OVER = new Error('An external engine executes the subscription.');

/** Executes subscriptions with an engine of the embedding application, which charges and authorizes them itself. */
export function withExternalSubscriptions(pipeline: Pipeline, subscribe: Subscribe): Pipeline {
  return {
    ...pipeline,
    subscribe,
    async executeOrSubscribe(request, toSubscription) {
      let subscription: SubscriptionRequest | undefined;
      try {
        return await pipeline.executeOrSubscribe(request, (requested) => {
          subscription = toSubscription(requested);
          throw HANDED_OVER;
        });
      } catch (error) {
        if (error !== HANDED_OVER || subscription === undefined) throw error;
        return { stream: await subscribe(subscription) };
      }
    },
  };
}
