import type { Principal } from '../platform/principal.ts';
import type { SubgraphContext } from '../supergraph/subgraph-executor.ts';

/** Whom a subgraph is told: an anonymous writer has a session in place of the subject. */
export function signedPrincipalOf({ principal, session }: SubgraphContext): Principal {
  return session === undefined ? principal : { ...principal, id: session };
}
