export { type IdentityRejection, IdentityRejected } from './identity-rejected.ts';
export {
  createIdentityVerifier,
  type IdentityTrust,
  type IdentityVerifier,
  type IdentityVerifierOptions,
  type RequestWithHeaders,
  verifyIdentity,
} from './identity-verifier.ts';
export type { SubgraphIdentity } from './subgraph-identity.ts';
export type { IdentityKeySet } from './verification-keys.ts';
