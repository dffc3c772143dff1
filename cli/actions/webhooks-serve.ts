import { once } from 'node:events';
import { systemClock } from '../../gateway/platform/clock.ts';
import { createDisposalStack, type DisposalStack } from '../../gateway/platform/disposal-stack.ts';
import { requirePackages } from '../../gateway/platform/require-packages.ts';
import type { WebhooksConfig } from '../../subgraphs/webhooks/service/webhooks-sections.ts';
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
  await using resources = createDisposalStack();
  const recorder = await openRecorder(config, resources);
  const { serveWebhooks } = await import('../../subgraphs/webhooks/service/serve-webhooks.ts');
  await using service = await serveWebhooks(config, recorder);
  terminal.print(
    `The webhook service listens on ${service.url}/graphql, with the data in ${service.storage}. Events: ${service.events.join(', ')}.`,
  );
  if (!stop.aborted) await once(stop, 'abort');
}

/** Loads telemetry only if it is switched on. */
async function openRecorder({ telemetry }: WebhooksConfig, resources: DisposalStack) {
  if (telemetry.metrics.url === undefined && telemetry.traces.url === undefined) return undefined;
  const { openAttemptRecorder } = await import('../../gateway/telemetry/webhooks/open-attempt-recorder.ts');
  return openAttemptRecorder(telemetry, resources, { clock: systemClock });
}
