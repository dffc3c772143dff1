import { resolve } from 'node:path';
import { withSecretFiles } from '../gateway/platform/secret-file.ts';
import { type IdentityKeySet, readIdentityKeySet } from '../gateway/subgraph-identity/verification-keys.ts';
import type { TrustedGateways } from './kit/identity/verify-caller.ts';
import { SERVER_NAMES, type ServerName } from './start-subgraphs.ts';
import { type WebhooksEnvironment, readWebhooksEnvironment } from './read-webhooks-environment.ts';

/** Settings of the process that hosts the subgraphs. */
export interface SubgraphsEnvironment {
  readonly identity: TrustedGateways;
  readonly profile: 'dev' | 'production';
  readonly databaseUrl: string | undefined;
  /** Undefined: events are not shared with other processes. */
  readonly redisUrl: string | undefined;
  /** Undefined: the data is stored in memory. */
  readonly directory: string | undefined;
  readonly host: string;
  readonly ports: Readonly<Partial<Record<ServerName, number>>>;
  readonly webhooks: WebhooksEnvironment;
}

const MIN_SECRET_LENGTH = 32;

/** Variables whose value can be in a file. */
const SECRETS = [
  'GATEFOLD_IDENTITY_SECRET',
  'GATEFOLD_REFERENCE_DATABASE_URL',
  'GATEFOLD_SERVICE_SECRET',
  'GATEFOLD_WEBHOOKS_KEY',
  'REDIS_URL',
] as const;

/**
 * Reads the settings of the subgraphs from environment variables:
 *
 * | variable | meaning | default |
 * |---|---|---|
 * | `GATEFOLD_IDENTITY_SECRET` | key of the identity of callers, the same as in the gateway | none: required, or |
 * | `GATEFOLD_IDENTITY_KEYS` | JWK Set of gateways that sign with a private key | none |
 * | `GATEFOLD_PROFILE` | `dev` allows `_service` and introspection | `production` |
 * | `GATEFOLD_REFERENCE_DATABASE_URL` | PostgreSQL server. `DATABASE_URL`, which other programs use, is never read | embedded database |
 * | `REDIS_URL` | Redis whose streams carry events between processes | events stay in this process |
 * | `GATEFOLD_DATA_DIR` | data directory of an embedded database; `memory` stores nothing on disk | `.gatefold/data` |
 * | `SUBGRAPHS_HOST` | address to bind | `127.0.0.1` |
 * | `SUBGRAPH_<NAME>_PORT` | port of one subgraph, or of the back end behind its connectors | a free port |
 *
 * The variables of `readWebhooksEnvironment` are read as well. `GATEFOLD_IDENTITY_SECRET_FILE` names a file with the value of
 * `GATEFOLD_IDENTITY_SECRET`, and so do the variables of the other secrets with the suffix `_FILE`.
 *
 * @throws Error that names the variable to set
 */
export function readEnvironment(given: Readonly<Record<string, string | undefined>>): SubgraphsEnvironment {
  const environment = withSecretFiles(given, SECRETS);
  const profile = environment['GATEFOLD_PROFILE'] ?? 'production';
  if (profile !== 'dev' && profile !== 'production') throw new Error('GATEFOLD_PROFILE must be dev or production.');
  const directory = environment['GATEFOLD_DATA_DIR'] || '.gatefold/data';
  return {
    identity: readTrust(environment),
    profile,
    databaseUrl: environment['GATEFOLD_REFERENCE_DATABASE_URL'] || undefined,
    redisUrl: environment['REDIS_URL'] || undefined,
    directory: directory === 'memory' ? undefined : resolve(directory),
    host: environment['SUBGRAPHS_HOST'] || '127.0.0.1',
    ports: Object.fromEntries(SERVER_NAMES.flatMap((name) => readPort(name, environment))),
    webhooks: readWebhooksEnvironment(environment, profile),
  };
}

function readTrust(environment: Readonly<Record<string, string | undefined>>): TrustedGateways {
  const secret = environment['GATEFOLD_IDENTITY_SECRET'] || undefined;
  const keys = environment['GATEFOLD_IDENTITY_KEYS'] || undefined;
  if (secret !== undefined && keys !== undefined)
    throw new Error('Set either GATEFOLD_IDENTITY_SECRET or GATEFOLD_IDENTITY_KEYS, not both.');
  if (keys !== undefined) return { keys: readKeys(keys) };
  if (secret !== undefined && secret.length >= MIN_SECRET_LENGTH) return { secret };
  throw new Error(
    `GATEFOLD_IDENTITY_SECRET is ${secret === undefined ? 'not set' : 'too short'}. Set it to the value of the gateway, with at least ${MIN_SECRET_LENGTH} characters; ` +
      '`openssl rand -hex 32` generates one. `npm start` does this automatically.',
  );
}

function readKeys(text: string): IdentityKeySet {
  try {
    const set = parseJson(text);
    readIdentityKeySet(set);
    return set as IdentityKeySet;
  } catch (cause) {
    throw new Error(
      `GATEFOLD_IDENTITY_KEYS ${(cause as Error).message}. Set it to the JWK Set that the gateway serves at /identity/keys of its internal listener.`,
      { cause },
    );
  }
}

/** Returns undefined for a text that is not JSON, which is not a JWK Set either. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readPort(name: ServerName, environment: Readonly<Record<string, string | undefined>>): readonly (readonly [string, number])[] {
  const variable = `SUBGRAPH_${name.toUpperCase()}_PORT`;
  const text = environment[variable];
  if (text === undefined || text === '') return [];
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65_535)) throw new Error(`${variable} must be a port number from 0 to 65535.`);
  return [[name, port]];
}
