import type { Logger } from '../../gateway/platform/logger.ts';
import type { LoadedSupergraph } from '../../gateway/supergraph/load-supergraph.ts';
import type { ProductConfig } from '../configuration.ts';
import { listOf, rulesIn } from './rules-in-graph.ts';
import { SETTING_SUPPORT } from './setting-support.ts';

/**
 * Logs what this engine leaves out and was allowed to leave out: one warning about the rules of the supergraph, one about subscriptions, and
 * one that names the settings whose defaults have no effect.
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
      `The engine "apollo" enforces no rules of the supergraph (${listOf(rules)}): engine.rules says that each subgraph does.`,
    );
  }
  const fields = Object.keys(loaded.schema.getSubscriptionType()?.getFields() ?? {});
  if (engine.subscriptions === 'omit' && (fields.length > 0 || rest?.webhooks !== undefined)) {
    logger.warn({ fields }, 'The engine "apollo" serves no subscriptions and sends no webhooks: engine.subscriptions omits them.');
  }
  const absent = SETTING_SUPPORT.flatMap(([pattern, support]) => (support.kind === 'absent' ? [pattern] : []));
  // The default of the dev profile; anywhere else it is refused.
  const settings = budget.mode === 'measure' ? ['budget.mode', ...absent] : absent;
  logger.warn({ settings }, 'The engine "apollo" does without what these settings are about; their defaults have no effect.');
}
