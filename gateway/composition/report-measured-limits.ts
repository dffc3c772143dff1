import type { ResolvedGatewayConfig } from '../config/resolve-gateway-config.ts';
import type { Generation } from '../generation/generation.ts';
import type { Logger } from '../platform/logger.ts';

/** Called with each generation that was built. */
export type ReportMeasuredLimits = (generation: Pick<Generation, 'costMode'>) => void;

/**
 * Creates a report of the limits that are only measured, or off, because neither the configuration nor the supergraph has decided. It
 * writes one warning for the first supergraph, and another one only when a later supergraph changes the decision.
 */
export function createMeasuredLimitsReport({ limits, budget, profile }: ResolvedGatewayConfig, logger: Logger): ReportMeasuredLimits {
  const hasFreeCallers = profile === 'production' && budget.mode !== 'off' && budget.anonymous.mode === 'rejections';
  const isDecidedBySupergraph = limits.modes.cost === 'auto';
  let reported: string | undefined;

  function describe({ costMode }: Pick<Generation, 'costMode'>): readonly string[] {
    const isMeasured = isDecidedBySupergraph && costMode === 'measure';
    return [
      ...(isMeasured
        ? [
            `Operations above limits.maxCost (${limits.maxCost} points) are served and logged, because the supergraph uses neither @listSize nor @cost. To reject them, use @listSize, or set limits.maxCost or limits.modes.cost.`,
          ]
        : []),
      ...(hasFreeCallers
        ? [
            'Anonymous callers have no rate limit, except for failed logins and rejected documents. To set one, set budget.anonymous, and server.trustedProxies behind a proxy.',
          ]
        : []),
    ];
  }

  return (generation) => {
    const found = describe(generation);
    const key = found.join(' ');
    if (key === (reported ?? '')) return;
    reported = key;
    if (found.length > 0) logger.warn({ costMode: generation.costMode, anonymousBudget: budget.anonymous.mode }, key);
    else logger.info({ costMode: generation.costMode }, 'Operations above limits.maxCost are rejected from now on.');
  };
}
