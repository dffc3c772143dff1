import type { AuthConfig } from '../config/sections/auth.ts';
import { clientAddressOf } from '../platform/http/request/client-address.ts';
import { ANONYMOUS, type Principal } from '../platform/principal.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';
import { severalCredentials } from './authentication-errors.ts';
import { isBasic } from './basic/verify-basic.ts';
import { openProviders, type ProviderDependencies } from './open-providers.ts';

/** Header for API keys. */
const API_KEY = 'x-api-key';

/** The scheme that the challenge for API keys names; schemes have no case (RFC 9110, section 11.1). */
const SCHEME = /^apikey(?: +|$)/i;

/** Tells if a request has a header that can carry credentials. */
function hasCredentials({ authorization, [API_KEY]: header }: RequestHeaders): boolean {
  return authorization !== undefined || header !== undefined;
}

/**
 * The API key of a request, from `X-API-Key` or `Authorization: ApiKey`; undefined where it has none.
 *
 * @throws GatewayError `BAD_REQUEST` where the request has another credential as well, or two keys that are not equal
 */
function presentedKeyOf({ authorization, [API_KEY]: header }: RequestHeaders): string | undefined {
  const inScheme = authorization !== undefined && SCHEME.test(authorization) ? authorization.replace(SCHEME, '').trim() : undefined;
  if (header === undefined) return inScheme;
  if (authorization !== undefined && inScheme !== String(header)) throw severalCredentials();
  return String(header);
}

/**
 * Credentials of one request to the caller's principal; `ANONYMOUS` where there are none.
 *
 * @param remoteAddress of the other end of the connection; where it is absent, wrong passwords are counted by user alone
 * @throws GatewayError `UNAUTHENTICATED` with a `WWW-Authenticate` challenge when credentials were sent that are not good,
 *   `BAD_REQUEST` when there are two, `AUTH_UNAVAILABLE` when nobody can tell whether they are good, `RATE_LIMITED` after too
 *   many wrong passwords
 */
export type Authenticator = (headers: RequestHeaders, remoteAddress?: string) => Promise<Principal>;

/** An authenticator, with what it keeps open: looks at keys and files of credentials. */
export interface Authentication extends AsyncDisposable {
  readonly authenticate: Authenticator;
}

/**
 * Everything by which callers can prove who they are. The kind of a credential decides who looks at it, so no provider is
 * asked about what is meant for another.
 *
 * @throws ConfigurationInvalid when a file that is named cannot be used
 */
export function createAuthentication(config: AuthConfig, dependencies: ProviderDependencies): Authentication {
  const { isProxy } = dependencies;
  const providers = openProviders(config, dependencies);
  const { bearer, apiKey, basic } = providers;

  async function prove(headers: RequestHeaders, remoteAddress?: string): Promise<Principal> {
    const { authorization } = headers;
    // Where no keys are taken the header means something else, if anything.
    const key = apiKey && presentedKeyOf(headers);
    if (apiKey !== undefined && key !== undefined) return apiKey(key);
    if (authorization === undefined) return ANONYMOUS;
    if (basic === undefined || !isBasic(authorization)) return bearer.authenticate(authorization);
    return basic.authenticate(authorization, remoteAddress === undefined ? undefined : clientAddressOf(remoteAddress, headers, isProxy));
  }

  /** One promise for all requests without credentials. */
  const nobody = Promise.resolve(ANONYMOUS);
  const authenticate: Authenticator = (headers, remoteAddress) => (hasCredentials(headers) ? prove(headers, remoteAddress) : nobody);

  return { authenticate, [Symbol.asyncDispose]: () => providers[Symbol.asyncDispose]() };
}
