/** Header with the identity of the caller, unless `identity.header` names another one. In lower case. */
export const IDENTITY_HEADER = 'gatefold-identity';

/** Claim `iss` of identity tokens, unless `identity.issuer` is set. */
export const IDENTITY_ISSUER = 'gatefold';

/** Lifetime of a token. Permissions that were removed are not used longer than this. @unit seconds */
export const TOKEN_LIFETIME_SECONDS = 60;

/**
 * Header parameter `typ` of a token that is valid only together with a proof over the request body. It differs from `JWT`, so that a token
 * whose proof was removed is not accepted as a plain token.
 */
export const BOUND_TOKEN_TYPE = 'bound+jwt';

/** Kinds of callers. An anonymous caller has sent no credentials, and a service acts on behalf of a user. */
export const CALLER_KINDS = ['anonymous', 'user', 'service'] as const;
