import type { SubgraphSetup } from '../kit/subgraph-definition.ts';
import { credentialsOnly } from './owners/owner-directory.ts';
import { readSigningSecrets } from './secrets/endpoint-secrets.ts';
import { createSecretBox } from './secrets/secret-box.ts';
import { DEFAULT_MAX_ENDPOINTS, type WebhooksSettings } from './settings.ts';
import { startWebhooksWorker } from './start-worker.ts';
import type { WebhooksDependencies } from './webhooks-dependencies.ts';

/** Registration and delivery of webhooks. */
export interface Webhooks {
  /** Dependencies of the resolvers. */
  readonly dependencies: WebhooksDependencies;
  /** Stops the worker. */
  stop(): Promise<void>;
}

/**
 * Creates webhooks and starts their worker when a gateway is configured.
 *
 * @throws Error when a lease could end before its attempt
 */
export function createWebhooks({ database, clock, log }: Omit<SubgraphSetup, 'events'>, settings: WebhooksSettings): Webhooks {
  const { keys, documents, maxEndpoints = DEFAULT_MAX_ENDPOINTS, targets = {}, gateway, timeoutMs, leaseMs } = settings;
  const { findOwner = credentialsOnly, recorder } = settings;
  const box = createSecretBox(keys);
  const worker =
    gateway &&
    startWebhooksWorker({
      database,
      gateway,
      documents,
      targets,
      readSecrets: (endpoint) => readSigningSecrets(database.sql, box, endpoint, new Date(clock.now())),
      findOwner,
      clock,
      log,
      recorder,
      timeoutMs,
      leaseMs,
    });
  return {
    dependencies: { box, events: new Set(documents.keys()), targets, maxEndpoints, findOwner, wake: () => worker?.wake() },
    stop: async () => worker?.stop(),
  };
}
