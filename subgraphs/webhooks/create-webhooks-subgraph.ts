import type { SubgraphDefinition, SubgraphSetup } from '../kit/subgraph-definition.ts';
import { createResolvers } from './create-resolvers.ts';
import { readWebhookDocuments } from './documents/read-webhook-documents.ts';
import { createOwnerDirectory } from './endpoints/owner-directory.ts';
import { createSecretBox } from './secrets/secret-box.ts';
import { readSigningSecrets } from './secrets/endpoint-secrets.ts';
import { DEFAULT_MAX_ENDPOINTS, type WebhooksSettings } from './settings.ts';
import { startWebhooksWorker } from './start-worker.ts';

/** Creates the subgraph of webhooks and their deliveries. It sends deliveries when a gateway is configured. */
export async function createWebhooksSubgraph(setup: SubgraphSetup, settings: WebhooksSettings): Promise<SubgraphDefinition> {
  const { keys, maxEndpoints = DEFAULT_MAX_ENDPOINTS, targets = {}, gateway, timeoutMs, leaseMs } = settings;
  const { database, clock, log } = setup;
  const box = createSecretBox(keys);
  const documents = await readWebhookDocuments();
  const worker =
    gateway &&
    startWebhooksWorker({
      database,
      gateway,
      documents,
      targets,
      readSecrets: (endpoint) => readSigningSecrets(database.sql, box, endpoint, new Date(clock.now())),
      readOwnerRoles: createOwnerDirectory(database),
      clock,
      log,
      timeoutMs,
      leaseMs,
    });
  const dependencies = { box, events: new Set(documents.keys()), targets, maxEndpoints, wake: () => worker?.wake() };
  return { name: 'webhooks', resolvers: createResolvers(dependencies), close: async () => worker?.stop() };
}
