import type { ResolvedGatewayConfig } from '../config/resolve-gateway-config.ts';
import type { Generation } from '../generation/generation.ts';
import type { Logger } from '../platform/logger.ts';

/** Report of limits that are only measured, or off, because neither the configuration nor the supergraph has decided. */
export interface MeasuredLimitsReport {
  /** Reports a generation that was built. */
  report(generation: Pick<Generation, 'costMode'>): void;
  /** Reports the limits of callers on the network. Called before the gateway accepts their requests. */
  serve(): void;
}

/**
 * Creates the report. It writes one warning for the first supergraph, and another one only when a later supergraph changes the decision. The
 * rate limit of anonymous callers is reported only when callers on the network can send requests.
 */
export function createMeasuredLimitsReport(settings: { readonly current: ResolvedGatewayConfig }, logger: Logger): MeasuredLimitsReport {
  let isServing = false;
  let latest: Pick<Generation, 'costMode'> | undefined;
  let reported: readonly string[] = [];

  function describe({ costMode }: Pick<Generation, 'costMode'>): readonly string[] {
    const { limits, budget, profile } = settings.current;
    const hasFreeCallers = profile === 'production' && budget.mode !== 'off' && budget.anonymous.mode === 'rejections';
    const isMeasured = limits.modes.cost === 'auto' && costMode === 'measure';
    return [
      ...(isMeasured
        ? [
            `Operations above limits.maxCost (${limits.maxCost} points) are served and logged, because the supergraph uses neither @listSize nor @cost. To reject them, use @listSize, or set limits.maxCost or limits.modes.cost.`,
          ]
        : []),
      ...(hasFreeCallers && isServing
        ? [
            'Anonymous callers have no rate limit, except for failed logins and rejected documents. To set one, set budget.anonymous, and server.trustedProxies behind a proxy.',
          ]
        : []),
    ];
  }

  function write(): void {
    if (latest === undefined) return;
    const { costMode } = latest;
    const found = describe(latest);
    const added = found.filter((sentence) => !reported.includes(sentence));
    if (added.length > 0) logger.warn({ costMode, anonymousBudget: settings.current.budget.anonymous.mode }, added.join(' '));
    else if (found.length < reported.length) logger.info({ costMode }, 'Operations above limits.maxCost are rejected from now on.');
    reported = found;
  }

  return {
    report(generation) {
      latest = generation;
      write();
    },
    serve() {
      if (isServing) return;
      isServing = true;
      write();
    },
  };
}
