import type { AuthConfig } from '../config/sections/auth.ts';
import { clientAddressOf } from '../platform/http/client-address.ts';
import { ANONYMOUS, type Principal } from '../platform/principal.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';
import { isBasic } from './basic-credentials.ts';
import { openProviders, type ProviderDependencies } from './open-providers.ts';
import { hasCredentials, presentedKeyOf } from './presented-key.ts';

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
