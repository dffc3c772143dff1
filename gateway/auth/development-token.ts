import type { TokenRules } from './jwt-issuer.ts';
import { DEVELOPMENT_ISSUER } from './owner-rules.ts';

/** Audience of development tokens. */
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
