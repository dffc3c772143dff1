import { join } from 'node:path';
import { packageRoot } from '../gateway/platform/package-root.ts';
import type { SubgraphDefinition, SubgraphSetup } from './kit/subgraph-definition.ts';
import { createOwnerDirectory } from './owner-directory.ts';
import { createResolvers } from './webhooks/create-resolvers.ts';
import { createWebhooks } from './webhooks/create-webhooks.ts';
import { readWebhookDocuments } from './webhooks/documents/read-webhook-documents.ts';
import type { WebhooksSettings } from './webhooks/settings.ts';

/** Directory with the event documents of the reference graph. */
export const REFERENCE_DOCUMENTS = join(packageRoot, 'schema/webhooks');

/** Settings of the webhooks of the reference graph; its documents and owners are fixed. */
export type ReferenceWebhooksSettings = Omit<WebhooksSettings, 'documents' | 'findOwner'>;

/** Creates the webhooks subgraph with the events and the users of the reference graph. */
export async function createReferenceWebhooks(setup: SubgraphSetup, settings: ReferenceWebhooksSettings): Promise<SubgraphDefinition> {
  const documents = await readWebhookDocuments(REFERENCE_DOCUMENTS);
  const webhooks = createWebhooks(setup, { ...settings, documents, findOwner: createOwnerDirectory(setup.database) });
  return { name: 'webhooks', resolvers: createResolvers(webhooks.dependencies), close: webhooks.stop };
}
