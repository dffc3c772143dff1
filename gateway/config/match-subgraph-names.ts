import type { OriginOf } from './check-sections.ts';
import { type ConfigurationProblem, originField } from './configuration-invalid.ts';
import { nearestKey } from '../platform/nearest-key.ts';

/**
 * Matches the settings of single subgraphs to the subgraph names in the supergraph. Environment variables can contain only capitals and
 * underscores, so `SUBGRAPH_ORDER_HISTORY_URL` matches `order-history`, `order.history` and `orderHistory`. An exact match takes
 * precedence.
 */
export function matchSubgraphNames<Settings>(
  override: Readonly<Record<string, Settings>>,
  names: readonly string[],
  originOf: OriginOf,
): { readonly override: Readonly<Record<string, Settings>> } | { readonly problems: readonly ConfigurationProblem[] } {
  const matched = new Map<string, Settings>();
  const problems: ConfigurationProblem[] = [];
  for (const [written, settings] of Object.entries(override)) {
    const name = names.find((known) => known === written) ?? names.find((known) => bare(known) === bare(written));
    if (name !== undefined && !matched.has(name)) {
      matched.set(name, settings);
      continue;
    }
    const path = ['subgraphs', 'override', written];
    const near = nearestKey(written, names);
    problems.push({
      path: path.join('.'),
      ...originField(originOf(path, 'key')),
      message: name === undefined ? 'the supergraph has no subgraph of this name' : `the settings of subgraph ${name} are defined twice`,
      hint: name === undefined && near !== undefined ? `Did you mean ${near}?` : `The supergraph has these subgraphs: ${names.join(', ')}.`,
    });
  }
  return problems.length > 0 ? { problems } : { override: Object.fromEntries(matched) };
}

function bare(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();
}
