import type { Logger } from '../platform/logger.ts';
import { SupergraphInvalid } from './errors.ts';
import type { AuthorisationRules } from './read-authorisation-rules.ts';

/** Coordinates that a message names; the rest is counted. */
const SHOWN = 5;

/**
 * Keeps a supergraph from being served open that asks its gateway to guard it: `@authenticated`, `@requiresScopes` and
 * `@policy` are meant to be enforced by the gateway, and this one does not enforce them yet. `@auth` is not among them:
 * subgraphs enforce it.
 *
 * @param mode `refuse`, or `log` where the subgraphs enforce the rules themselves
 * @throws SupergraphInvalid that names the rules
 */
export function refuseUnenforcedRules(rules: AuthorisationRules, mode: 'refuse' | 'log', logger: Logger): void {
  const guarded = [...rules].filter(([, all]) => all.some(({ directive }) => directive !== 'auth'));
  if (guarded.length === 0) return;
  const directives = [...new Set(guarded.flatMap(([, all]) => all.map(({ directive }) => `@${directive}`)))].filter(
    (name) => name !== '@auth',
  );
  const coordinates = guarded.map(([coordinate]) => coordinate);
  if (mode === 'log') {
    logger.warn({ directives, coordinates: coordinates.slice(0, SHOWN), count: coordinates.length }, UNENFORCED);
    return;
  }
  const more = coordinates.length > SHOWN ? ` and ${coordinates.length - SHOWN} more` : '';
  throw new SupergraphInvalid(
    `The supergraph cannot be served: it guards ${coordinates.slice(0, SHOWN).join(', ')}${more} with ${directives.join(', ')}, ` +
      'which this gateway does not enforce, so that everybody could read them. ' +
      'Where the subgraphs enforce these rules themselves, say so with supergraph.unenforcedRules: log.',
  );
}

const UNENFORCED =
  'The supergraph has authorisation rules that the gateway does not enforce; the configuration says that its subgraphs do.';
