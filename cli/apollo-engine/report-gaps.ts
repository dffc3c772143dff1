import type { Logger } from '../../gateway/platform/logger.ts';
import type { LoadedSupergraph } from '../../gateway/supergraph/load-supergraph.ts';
import type { ProductConfig } from '../configuration.ts';
import { listOf, rulesIn } from './rules-in-graph.ts';
import { SETTING_SUPPORT } from './setting-support.ts';

/**
 * Logs the features that this engine omits and may omit: one warning about the rules of the supergraph, one about subscriptions, and one
 * with the settings whose defaults have no effect.
 */
export function reportGaps(
  { engine, rest, budget }: Pick<ProductConfig, 'engine' | 'rest' | 'budget'>,
  loaded: LoadedSupergraph,
  logger: Logger,
): void {
  const rules = rulesIn(loaded);
  if (rules.length > 0) {
    logger.warn(
      { rules },
      `The engine "apollo" does not enforce the rules of the supergraph (${listOf(rules)}). According to engine.rules, each subgraph enforces them.`,
    );
  }
  const fields = Object.keys(loaded.schema.getSubscriptionType()?.getFields() ?? {});
  if (engine.subscriptions === 'omit' && (fields.length > 0 || rest?.webhooks !== undefined)) {
    logger.warn(
      { fields },
      'The engine "apollo" serves no subscriptions and sends no webhooks. The setting engine.subscriptions omits them.',
    );
  }
  const absent = SETTING_SUPPORT.flatMap(([pattern, support]) => (support.kind === 'absent' ? [pattern] : []));
  // `measure` is the default in the dev profile. In other profiles it is rejected.
  const settings = budget.mode === 'measure' ? ['budget.mode', ...absent] : absent;
  logger.warn({ settings }, 'The engine "apollo" does not support the features of these settings. Their defaults have no effect.');
}
