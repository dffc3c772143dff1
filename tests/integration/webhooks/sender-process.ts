import { systemClock } from '../../../gateway/platform/clock.ts';
import { createLogger } from '../../../gateway/platform/logger.ts';
import { createOwnerDirectory } from '../../../subgraphs/owner-directory.ts';
import { REFERENCE_DOCUMENTS } from '../../../subgraphs/reference-webhooks.ts';
import { openServerDatabase } from '../../../subgraphs/kit/database/open-server-database.ts';
import { readWebhookDocuments } from '../../../subgraphs/webhooks/documents/read-webhook-documents.ts';
import { readSigningSecrets } from '../../../subgraphs/webhooks/secrets/endpoint-secrets.ts';
import { createSecretBox } from '../../../subgraphs/webhooks/secrets/secret-box.ts';
import { startWebhooksWorker } from '../../../subgraphs/webhooks/start-worker.ts';

/** Settings of the process that sends webhooks. The parent kills it. */
export interface SenderSettings {
  readonly databaseUrl: string;
  readonly gatewayUrl: string;
  readonly serviceSecret: string;
  readonly key: string;
  readonly timeoutMs: number;
  readonly leaseMs: number;
}

const { databaseUrl, gatewayUrl, serviceSecret, key, ...times } = JSON.parse(process.env['SENDER'] ?? '') as SenderSettings;
const log = createLogger({ level: 'error' });
const database = openServerDatabase({ url: databaseUrl, log });
const box = createSecretBox([key]);
startWebhooksWorker({
  database,
  gateway: { url: Promise.resolve(gatewayUrl), serviceSecret },
  documents: await readWebhookDocuments(REFERENCE_DOCUMENTS),
  targets: { allowedPrivateHosts: ['127.0.0.1'] },
  readSecrets: (endpoint) => readSigningSecrets(database.sql, box, endpoint, new Date()),
  findOwner: createOwnerDirectory(database),
  clock: systemClock,
  log,
  ...times,
});
// The timers do not hold the process open, but the channel to the parent does. It runs until it is killed or the parent disconnects.
process.once('disconnect', () => process.exit(0));
