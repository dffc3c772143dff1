import { DEFAULT_MAX_ENDPOINTS, type WebhooksSettings } from './settings.ts';

/** What the environment says of webhooks; `keys` is empty where a development key is to be made. */
export interface WebhooksEnvironment extends Omit<WebhooksSettings, 'gateway'> {
  /** Undefined where it is told later, by whoever started this process. */
  readonly gatewayUrl: string | undefined;
  readonly serviceSecret: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

const MIN_KEY_LENGTH = 32;

/** Receivers that somebody tries things out with. As a URL spells them. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * | variable | meaning | default |
 * |---|---|---|
 * | `GATEFOLD_WEBHOOKS_KEY` | seals the secrets of webhooks in the database; older ones behind it, with commas, open what they sealed | in `dev` one is made and kept beside the data; else none: required |
 * | `GATEFOLD_GATEWAY_URL` | internal listener of the gateway, by which events are read | told by the process that starts this one |
 * | `GATEFOLD_SERVICE_SECRET` | key of the tokens for it, the same as the gateway's; without one no events are read | none |
 * | `GATEFOLD_WEBHOOKS_MAX_ENDPOINTS` | webhooks of one owner, 1 to 10000 | 20 |
 * | `GATEFOLD_WEBHOOKS_PRIVATE_HOSTS` | hosts in private networks that may be told of events, with commas; `dev` only | the loopback in `dev`, else none |
 *
 * @throws Error with a sentence that says what to set
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
    `GATEFOLD_WEBHOOKS_KEY is ${keys.length === 0 ? 'not set' : 'too short'}. It seals the secrets of webhooks in the database: set it to at least ` +
      `${MIN_KEY_LENGTH} characters, and keep it; \`openssl rand -hex 32\` makes one.`,
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
  throw new Error(
    `GATEFOLD_SERVICE_SECRET is too short. Set it to the same value as the gateway's, at least ${MIN_KEY_LENGTH} characters.`,
  );
}

function readMaxEndpoints(text: string): number {
  if (text === '') return DEFAULT_MAX_ENDPOINTS;
  const maxEndpoints = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (maxEndpoints < 1 || maxEndpoints > 10_000) throw new Error('GATEFOLD_WEBHOOKS_MAX_ENDPOINTS must be 1 to 10000.');
  return maxEndpoints;
}

function readPrivateHosts(text: string, profile: 'dev' | 'production'): readonly string[] {
  const hosts = listed(text);
  if (profile === 'dev') return hosts.length === 0 ? LOOPBACK : hosts;
  if (hosts.length === 0) return [];
  throw new Error('GATEFOLD_WEBHOOKS_PRIVATE_HOSTS is for the profile dev: in production, webhooks are sent to public addresses alone.');
}

function listed(text: string): readonly string[] {
  return text.split(',').flatMap((part) => part.trim() || []);
}
