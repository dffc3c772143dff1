import type { CostRules } from '../../supergraph/read-cost-rules.ts';

/** Whether a request that exceeds a limit is rejected (`enforce`), or served and logged (`measure`). */
export type LimitMode = 'enforce' | 'measure';

/** Name of a limit in the section `limits.modes` of the configuration, except the cost limit. */
export type LimitName =
  | 'tokens'
  | 'depth'
  | 'aliases'
  | 'rootFields'
  | 'selections'
  | 'directives'
  | 'operations'
  | 'singleUse'
  | 'pageSize';

/** Mode of the cost limit. `auto` enforces it for a supergraph that defines costs or list sizes, and measures it for others. */
export type CostLimitMode = LimitMode | 'auto';

/** A mode for all limits, with overrides. */
export interface LimitModes {
  /** @defaultValue 'enforce' */
  readonly mode?: LimitMode | undefined;
  /** Modes of the limits that differ from `mode`. @defaultValue `mode` for each */
  readonly modes?: { readonly [Name in LimitName]?: LimitMode | undefined } & { readonly cost?: CostLimitMode | undefined };
}

export function modeOf({ mode, modes }: LimitModes, limit: LimitName): LimitMode {
  return modes?.[limit] ?? mode ?? 'enforce';
}

/** Returns the mode of the cost limit for a supergraph. */
export function costModeFor({ weights, listSizes }: CostRules, { mode, modes }: LimitModes): LimitMode {
  const configured = modes?.cost ?? mode ?? 'auto';
  if (configured !== 'auto') return configured;
  return weights.size > 0 || listSizes.size > 0 ? 'enforce' : 'measure';
}
