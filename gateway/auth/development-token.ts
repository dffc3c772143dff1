import type { TokenRules } from './jwt-issuer.ts';

/** What a development token says of its origin and of whom it is for. */
export const DEVELOPMENT_ISSUER = 'gatefold-dev';
export const DEVELOPMENT_AUDIENCE = 'gatefold';

/** What is asked of tokens signed with the development key. */
export const DEVELOPMENT_RULES: TokenRules = {
  issuer: DEVELOPMENT_ISSUER,
  audiences: [DEVELOPMENT_AUDIENCE],
  algorithms: ['HS256'],
  types: ['JWT'],
  requiredClaims: [],
  rolesClaims: ['roles'],
  scopesClaims: ['scope', 'scp'],
};
