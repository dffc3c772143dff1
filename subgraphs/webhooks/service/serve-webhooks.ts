import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GraphQLError, Kind, OperationTypeNode, parse } from 'graphql';
import type { AttemptRecorder } from '../../../gateway/platform/attempt-recorder.ts';
import { systemClock } from '../../../gateway/platform/clock.ts';
import { createLogger } from '../../../gateway/platform/logger.ts';
import { packageRoot } from '../../../gateway/platform/package-root.ts';
import type { IdentityTrust } from '../../../gateway/subgraph-identity/identity-verifier.ts';
import { readMigrations } from '../../kit/database/migrate.ts';
import { openDatabase } from '../../kit/storage/open-database.ts';
import { keepNewFilesPrivate } from '../../kit/storage/private-files.ts';
import { LOOPBACK_HOSTS } from '../delivery/target-policy.ts';
import { readWebhookDocuments } from '../documents/read-webhook-documents.ts';
import { createServiceTokens } from '../events/sign-service-token.ts';
import { createGatewayDirectory } from '../owners/read-owner-from-gateway.ts';
import { storeDevelopmentKey } from '../secrets/development-key.ts';
import { ServiceInvalid } from './service-invalid.ts';
import { startWebhooksService } from './start-webhooks-service.ts';
import type { OwnerEntity } from './webhooks-sdl.ts';
import type { WebhooksConfig } from './webhooks-sections.ts';

/** A running webhook service. */
export interface RunningWebhooks extends AsyncDisposable {
  readonly url: string;
  /** Names of the events, in alphabetical order. */
  readonly events: readonly string[];
  /** Location of the data, without a password. */
  readonly storage: string;
}

/** Names of the settings in messages of the storage. */
const SETTINGS = { url: 'database.url', directory: 'database.directory' };

const DEVELOPMENT_DIRECTORY = '.gatefold/webhooks';

/**
 * Opens the database and starts the service.
 *
 * @param recorder records delivery attempts for telemetry; by default, nothing is recorded
 * @throws ServiceInvalid for invalid documents; Error when the database or the address cannot be used
 */
export async function serveWebhooks(config: WebhooksConfig, recorder?: AttemptRecorder): Promise<RunningWebhooks> {
  const { profile, delivery, gateway, server, logging } = config;
  const isDev = profile === 'dev';
  const log = createLogger({ level: logging.level, format: logging.format ?? (isDev ? 'pretty' : 'json') });
  const documents = await readDocuments(config.documents);
  const query = config.owners.query === undefined ? undefined : await readOwnerQuery(config.owners.query);
  keepNewFilesPrivate();
  const { url } = config.database;
  const directory = config.database.directory ?? (url === undefined ? DEVELOPMENT_DIRECTORY : undefined);
  const storage = await openDatabase({ url, directory, migrations: await readWebhooksMigrations(), settings: SETTINGS, log });
  const access = { url: Promise.resolve(gateway.url), serviceSecret: gateway.serviceSecret };
  const directoryOfOwners =
    query === undefined
      ? undefined
      : createGatewayDirectory({
          gateway: access,
          sign: createServiceTokens(gateway.serviceSecret, systemClock),
          query,
          cacheMs: config.owners.cacheSeconds * 1_000,
        });
  try {
    const service = await startWebhooksService({
      database: storage.database,
      webhooks: {
        keys: [config.encryptionKey ?? (await storeDevelopmentKey(directory)), ...config.previousEncryptionKeys],
        documents,
        ...(directoryOfOwners === undefined ? {} : { findOwner: directoryOfOwners.find }),
        maxEndpoints: delivery.maxWebhooksPerOwner,
        targets: { allowedPrivateHosts: delivery.privateHosts ?? (isDev ? LOOPBACK_HOSTS : []) },
        gateway: access,
        timeoutMs: delivery.timeoutMs,
        leaseMs: delivery.leaseMs,
        recorder,
      },
      identity: toVerification(config),
      owner: ownerEntityOf(config),
      ...server,
      clock: systemClock,
      log,
    });
    return {
      url: service.url,
      events: [...documents.keys()].toSorted(),
      storage: storage.description,
      async [Symbol.asyncDispose]() {
        await service.stop();
        await directoryOfOwners?.[Symbol.asyncDispose]();
        await storage.close();
      },
    };
  } catch (error) {
    await directoryOfOwners?.[Symbol.asyncDispose]();
    await storage.close();
    throw error;
  }
}

/** Returns the entity that owns webhooks; undefined when none is configured. */
function ownerEntityOf({ owners }: Pick<WebhooksConfig, 'owners'>): OwnerEntity | undefined {
  return owners.type === undefined ? undefined : { type: owners.type, key: owners.key };
}

function toVerification({ name, identity, owners }: WebhooksConfig) {
  const { secret, jwksUrl, form, header, issuer } = identity;
  // The configuration has exactly one of both.
  const trust: IdentityTrust = jwksUrl === undefined ? { secret: secret ?? '' } : { jwksUrl };
  return { trust, audience: name, form, header, issuer, adminRole: owners.adminRole };
}

/** Reads the migrations of the tables that the service uses. */
async function readWebhooksMigrations() {
  return Promise.all(
    ['kit', 'webhooks'].map(async (schema) => readMigrations(schema, join(packageRoot, 'subgraphs', schema, 'migrations'))),
  );
}

/** @throws ServiceInvalid that names the file and the mistake */
async function readDocuments(directory: string) {
  try {
    const documents = await readWebhookDocuments(directory);
    if (documents.size > 0) return documents;
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    if (!isMissing) throw new ServiceInvalid(`An event document is invalid: ${messageOf(cause)}`, { cause });
  }
  throw new ServiceInvalid(
    `${directory} contains no event documents (.graphql files). Write one subscription with @webhook(event:) for each event, or set \`documents\` to another directory.`,
  );
}

/** @throws ServiceInvalid that names the file and the mistake */
async function readOwnerQuery(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new ServiceInvalid(`The owner query ${file} cannot be read: ${messageOf(cause)}`, { cause });
  });
  const problem = findQueryProblem(text);
  if (problem === undefined) return text;
  throw new ServiceInvalid(
    `The owner query ${file} ${problem}. Expected a query such as \`query ($id: ID!) { user(id: $id) { roles } }\`.`,
  );
}

function findQueryProblem(text: string): string | undefined {
  try {
    const operations = parse(text).definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
    const [operation] = operations;
    if (operation === undefined || operations.length > 1) return `contains ${operations.length} operations`;
    if (operation.operation !== OperationTypeNode.QUERY) return `is a ${operation.operation}`;
    const variables = (operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value);
    return variables.length === 1 && variables[0] === 'id' ? undefined : 'does not have exactly the variable $id';
  } catch (error) {
    if (error instanceof GraphQLError) return `is not valid GraphQL: ${error.message}`;
    throw error;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
