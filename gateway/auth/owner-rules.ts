import type { AuthConfig, IntrospectionConfig } from '../config/sections/auth.ts';
import type { Logger } from '../platform/logger.ts';
import type { Principal } from '../platform/principal.ts';
import type { TokenRules } from './bearer/jwt-issuer.ts';
import type { IsOwner } from './to-principal.ts';

/** Issuer of tokens that are signed with the development key. */
export const DEVELOPMENT_ISSUER = 'gatefold-dev';
/** Default issuer of API keys whose file entry has no `issuer`. */
export const API_KEYS = 'urn:gatefold:api-keys';
/** Default issuer of Basic users whose file entry has no `issuer`. */
export const BASIC_USERS = 'urn:gatefold:basic-users';
/** Issuer of service tokens. */
export const SERVICES = 'urn:gatefold:services';

/** Audience of development tokens. */
export const DEVELOPMENT_AUDIENCE = 'gatefold';

/** Requirements for tokens that are signed with the development key. */
export const DEVELOPMENT_RULES: TokenRules = {
  issuer: DEVELOPMENT_ISSUER,
  audiences: [DEVELOPMENT_AUDIENCE],
  algorithms: ['HS256'],
  types: ['JWT'],
  requiredClaims: [],
  rolesClaims: ['roles'],
  scopesClaims: ['scope', 'scp'],
};

/**
 * Compiles `auth.owners`. Without `issuers`, callers of the only configured token issuer are owners. If several are configured, none are
 * owners, because the same subject may identify different users at different issuers.
 */
export function compileOwnerRules({ developmentKey, owners, providers }: AuthConfig, logger: Pick<Logger, 'warn'>): IsOwner {
  const configured = issuersIn(providers);
  if (owners.issuers === undefined && configured.length > 1) {
    logger.warn(
      { issuers: configured },
      'Several token issuers are configured, but auth.owners.issuers is not set. No caller is treated as the owner of an object.',
    );
  }
  const byDefault = [...(configured.length === 1 ? configured : []), ...(developmentKey === undefined ? [] : [DEVELOPMENT_ISSUER])];
  const issuers = new Set(owners.issuers ?? byDefault);
  const kinds = new Set<Principal['kind']>(owners.kinds);
  return (issuer, kind) => issuers.has(issuer) && kinds.has(kind);
}

/** Returns the issuer of introspected tokens whose introspection response has no `iss` (RFC 7662, section 2.2). */
export function issuerOf({ issuer, url }: Pick<IntrospectionConfig, 'issuer' | 'url'>): string {
  return issuer ?? url;
}

function issuersIn({ jwt, introspection }: AuthConfig['providers']): readonly string[] {
  return [...Object.values(jwt).map(({ issuer }) => issuer), ...(introspection === undefined ? [] : [issuerOf(introspection)])];
}
