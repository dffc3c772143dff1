import { SupergraphInvalid } from './errors.ts';
import type { AuthorisationRules } from './read-authorisation-rules.ts';

/** Coordinates that a message names; the rest is counted. */
const SHOWN = 5;

/**
 * Keeps a supergraph from being served that asks its gateway to guard it, where nobody tells the gateway who its callers are: to
 * all of them everything that `@authenticated`, `@requiresScopes` and `@policy` guard would be denied. `@auth` is not among them:
 * other gateways do not know it either, and leave it to the subgraphs.
 *
 * @param instead what to do about it
 * @throws SupergraphInvalid that names the rules
 */
export function refuseRulesWithoutCallers(rules: AuthorisationRules, instead: string): void {
  const guarded = [...rules].filter(([, all]) => all.some(({ directive }) => directive !== 'auth'));
  if (guarded.length === 0) return;
  const directives = new Set(guarded.flatMap(([, all]) => all.map(({ directive }) => `@${directive}`)));
  directives.delete('@auth');
  const coordinates = guarded.map(([coordinate]) => coordinate);
  const more = coordinates.length > SHOWN ? ` and ${coordinates.length - SHOWN} more` : '';
  throw new SupergraphInvalid(
    `The supergraph cannot be served: it guards ${coordinates.slice(0, SHOWN).join(', ')}${more} with ${[...directives].join(', ')}, ` +
      `and nobody tells who the callers are. ${instead}`,
  );
}
