import { once } from 'node:events';
import { requirePackages } from '../../gateway/platform/require-packages.ts';
import type { Terminal } from '../terminal.ts';
import { type WebhooksOptions, readWebhooksConfiguration } from '../webhooks/read-webhooks-configuration.ts';

/**
 * Serves webhooks until the process receives a stop signal.
 *
 * @throws ConfigurationInvalid, ServiceInvalid, PackagesMissing, and any error of the start
 */
export async function webhooksServe(options: WebhooksOptions, terminal: Terminal): Promise<void> {
  const stop = terminal.stopSignal();
  const config = await readWebhooksConfiguration(options, terminal.env);
  const drivers = config.database.url === undefined ? ['@electric-sql/pglite', 'fs-native-extensions'] : ['pg'];
  requirePackages(['@apollo/subgraph', 'drizzle-orm', ...drivers], '`gatefold webhooks serve`');
  const { serveWebhooks } = await import('../../subgraphs/webhooks/service/serve-webhooks.ts');
  await using service = await serveWebhooks(config);
  terminal.print(
    `The webhook service listens on ${service.url}/graphql, with the data in ${service.storage}. Events: ${service.events.join(', ')}.`,
  );
  if (!stop.aborted) await once(stop, 'abort');
}
