import type { ReferenceWebhooksSettings } from './reference-webhooks.ts';
import { LOOPBACK_HOSTS } from './webhooks/delivery/target-policy.ts';
import { DEFAULT_MAX_ENDPOINTS } from './webhooks/settings.ts';

/** Settings of webhooks; `keys` is empty when a development key must be generated. */
export interface WebhooksEnvironment extends Omit<ReferenceWebhooksSettings, 'gateway'> {
  /** Undefined when the parent process sends it later. */
  readonly gatewayUrl: string | undefined;
  readonly serviceSecret: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

const MIN_KEY_LENGTH = 32;

/**
 * Reads the settings of webhooks from environment variables:
 *
 * | variable | meaning | default |
 * |---|---|---|
 * | `GATEFOLD_WEBHOOKS_KEY` | encrypts the secrets of webhooks; older keys may follow, separated by commas, to decrypt older secrets |
 * `dev`: a key is generated and stored next to the data; otherwise none: required |
 * | `GATEFOLD_GATEWAY_URL` | internal listener of the gateway, from which events are read | sent by the parent process |
 * | `GATEFOLD_SERVICE_SECRET` | key of the tokens for it, the same as in the gateway; without one no events are read | none |
 * | `GATEFOLD_WEBHOOKS_MAX_ENDPOINTS` | webhooks of one owner, 1 to 10000 | 20 |
 * | `GATEFOLD_WEBHOOKS_PRIVATE_HOSTS` | hosts in private networks that may receive events, separated by commas; `dev` only | `dev`:
 * loopback, otherwise none |
 *
 * @throws Error that names the variable to set
 */
export function readWebhooksEnvironment(environment: Environment, profile: 'dev' | 'production'): WebhooksEnvironment {
  return {
    keys: readKeys(environment['GATEFOLD_WEBHOOKS_KEY'] ?? '', profile),
    maxEndpoints: readMaxEndpoints(environment['GATEFOLD_WEBHOOKS_MAX_ENDPOINTS'] ?? ''),
    targets: { allowedPrivateHosts: readPrivateHosts(environment['GATEFOLD_WEBHOOKS_PRIVATE_HOSTS'] ?? '', profile) },
    gatewayUrl: readGatewayUrl(environment['GATEFOLD_GATEWAY_URL'] ?? ''),
    serviceSecret: readServiceSecret(environment['GATEFOLD_SERVICE_SECRET'] ?? ''),
  };
}

function readKeys(text: string, profile: 'dev' | 'production'): readonly string[] {
  const keys = listed(text);
  if (keys.length === 0 && profile === 'dev') return [];
  if (keys.length > 0 && keys.every((key) => key.length >= MIN_KEY_LENGTH)) return keys;
  throw new Error(
    `GATEFOLD_WEBHOOKS_KEY is ${keys.length === 0 ? 'not set' : 'too short'}. It encrypts the secrets of webhooks in the database: set it to at least ` +
      `${MIN_KEY_LENGTH} characters, and do not lose it; \`openssl rand -hex 32\` generates one.`,
  );
}

function readGatewayUrl(text: string): string | undefined {
  if (text === '') return undefined;
  if (/^https?:/.test(text) && URL.canParse(text)) return text;
  throw new Error("GATEFOLD_GATEWAY_URL must be the address of the gateway's internal listener, such as http://gateway:4001.");
}

function readServiceSecret(text: string): string | undefined {
  if (text === '') return undefined;
  if (text.length >= MIN_KEY_LENGTH) return text;
  throw new Error(`GATEFOLD_SERVICE_SECRET is too short. Set it to the value of the gateway, with at least ${MIN_KEY_LENGTH} characters.`);
}

function readMaxEndpoints(text: string): number {
  if (text === '') return DEFAULT_MAX_ENDPOINTS;
  const maxEndpoints = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (maxEndpoints < 1 || maxEndpoints > 10_000) throw new Error('GATEFOLD_WEBHOOKS_MAX_ENDPOINTS must be an integer from 1 to 10000.');
  return maxEndpoints;
}

function readPrivateHosts(text: string, profile: 'dev' | 'production'): readonly string[] {
  const hosts = listed(text);
  if (profile === 'dev') return hosts.length === 0 ? LOOPBACK_HOSTS : hosts;
  if (hosts.length === 0) return [];
  throw new Error(
    'GATEFOLD_WEBHOOKS_PRIVATE_HOSTS is allowed only in the profile dev. In production, webhooks are sent only to public addresses.',
  );
}

function listed(text: string): readonly string[] {
  return text.split(',').flatMap((part) => part.trim() || []);
}
