import type { AuthConfig } from '../config/sections/auth.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import { ANONYMOUS, type Principal } from '../platform/principal.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';
import { DEVELOPMENT_RULES } from './development-token.ts';
import { createJwtIssuer } from './jwt-issuer.ts';
import { openIssuer } from './open-issuer.ts';
import { rememberTokens } from './remember-tokens.ts';
import { verifyByIssuer } from './verify-bearer.ts';
import type { VerifyToken } from './verified-token.ts';

/**
 * Credentials of one request to the caller's principal; `ANONYMOUS` where there are none.
 *
 * @throws GatewayError `UNAUTHENTICATED` with a `WWW-Authenticate` challenge when credentials were sent that are not good,
 *   `AUTH_UNAVAILABLE` when nobody can tell whether they are
 */
export type Authenticator = (headers: RequestHeaders) => Promise<Principal>;

/** An authenticator, with what it keeps open: looks at keys and files of credentials. */
export interface Authentication extends AsyncDisposable {
  readonly authenticate: Authenticator;
}

export interface AuthenticationDependencies {
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Everything by which callers can prove who they are. The kind of a credential decides who looks at it, so no provider is
 * asked about what is meant for another.
 *
 * @throws ConfigurationInvalid when a file that is named cannot be used
 */
export function createAuthentication(config: AuthConfig, { clock, logger }: AuthenticationDependencies): Authentication {
  const issuers = new Map<string, VerifyToken>();
  const opened: AsyncDisposable[] = [];
  const bearer = rememberTokens(verifyByIssuer(issuers), { clock, logger });
  const { developmentKey, clockToleranceMs, providers } = config;
  const closeAll = async (): Promise<void> => void (await Promise.all(opened.map((one) => one[Symbol.asyncDispose]())));

  function keep<Opened extends AsyncDisposable>(one: Opened): Opened {
    opened.push(one);
    return one;
  }

  if (developmentKey !== undefined) {
    const key = new TextEncoder().encode(developmentKey);
    issuers.set(
      DEVELOPMENT_RULES.issuer,
      createJwtIssuer(DEVELOPMENT_RULES, () => key, { clock, clockToleranceMs }),
    );
  }
  try {
    for (const [name, issuer] of Object.entries(providers.jwt)) {
      const setting = `auth.providers.jwt.${name}`;
      issuers.set(issuer.issuer, keep(openIssuer(issuer, { setting, clock, logger, clockToleranceMs, onKeysLost: bearer.forget })).verify);
    }
  } catch (error) {
    void closeAll();
    throw error;
  }

  async function authenticate({ authorization }: RequestHeaders): Promise<Principal> {
    return authorization === undefined ? ANONYMOUS : bearer.authenticate(authorization);
  }

  return { authenticate, [Symbol.asyncDispose]: closeAll };
}
