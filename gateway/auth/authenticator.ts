import type { AuthConfig } from '../config/sections/auth.ts';
import { clientAddressOf } from '../platform/http/request/client-address.ts';
import { ANONYMOUS, type Principal } from '../platform/principal.ts';
import { CORRELATION_ID_HEADER, type RequestHeaders } from '../platform/request-headers.ts';
import { severalCredentials } from './authentication-errors.ts';
import { isBasic } from './basic/verify-basic.ts';
import { openProviders, type ProviderDependencies } from './open-providers.ts';

/** Header for API keys. */
const API_KEY = 'x-api-key';

/** Scheme in the challenge for API keys. Schemes are case-insensitive (RFC 9110, section 11.1). */
const SCHEME = /^apikey(?: +|$)/i;

/** Whether a request has a header that can contain credentials. */
function hasCredentials({ authorization, [API_KEY]: header }: RequestHeaders): boolean {
  return authorization !== undefined || header !== undefined;
}

/**
 * Returns the API key of a request from `X-API-Key` or `Authorization: ApiKey`; undefined if it has no API key.
 *
 * @throws GatewayError `BAD_REQUEST` when the request also has other credentials, or two different keys
 */
function presentedKeyOf({ authorization, [API_KEY]: header }: RequestHeaders): string | undefined {
  const inScheme = authorization !== undefined && SCHEME.test(authorization) ? authorization.replace(SCHEME, '').trim() : undefined;
  if (header === undefined) return inScheme;
  if (authorization !== undefined && inScheme !== String(header)) throw severalCredentials();
  return String(header);
}

/**
 * Authenticates the credentials of one request and returns the principal; `ANONYMOUS` if there are no credentials.
 *
 * @param remoteAddress address of the peer; without it, failed passwords are counted only by user
 * @throws GatewayError `UNAUTHENTICATED` with a `WWW-Authenticate` challenge when the credentials are invalid, `BAD_REQUEST` when there are
 * several, `AUTH_UNAVAILABLE` when they cannot be checked, `RATE_LIMITED` after too many wrong passwords
 */
export type Authenticator = (headers: RequestHeaders, remoteAddress?: string) => Promise<Principal>;

/** Authenticator with its resources: key sources and credential files. */
export interface Authentication extends AsyncDisposable {
  readonly authenticate: Authenticator;
}

/**
 * Creates the authenticator for all configured providers. The kind of a credential selects the provider, so a provider never receives
 * credentials that are meant for another one.
 *
 * @throws ConfigurationInvalid when a configured file cannot be used
 */
export function createAuthentication(config: AuthConfig, dependencies: ProviderDependencies): Authentication {
  const { isProxy } = dependencies;
  const providers = openProviders(config, dependencies);
  const { bearer, apiKey, basic } = providers;

  async function prove(headers: RequestHeaders, remoteAddress?: string): Promise<Principal> {
    const { authorization } = headers;
    // Without configured API keys, the header may have another meaning and is ignored.
    const key = apiKey && presentedKeyOf(headers);
    if (apiKey !== undefined && key !== undefined) return apiKey(key);
    if (authorization === undefined) return ANONYMOUS;
    if (basic === undefined || !isBasic(authorization)) return bearer.authenticate(authorization, headers[CORRELATION_ID_HEADER]);
    return basic.authenticate(authorization, remoteAddress === undefined ? undefined : clientAddressOf(remoteAddress, headers, isProxy));
  }

  /** Requests without credentials share one promise. */
  const anonymous = Promise.resolve(ANONYMOUS);
  const authenticate: Authenticator = (headers, remoteAddress) => (hasCredentials(headers) ? prove(headers, remoteAddress) : anonymous);

  return { authenticate, [Symbol.asyncDispose]: () => providers[Symbol.asyncDispose]() };
}
