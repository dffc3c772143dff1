/** Whether what goes beyond a limit is refused, or reported in the log and served. */
export type LimitMode = 'enforce' | 'measure';

/** What is limited, as the section `limits.modes` of the configuration names it. */
export type LimitName =
  | 'tokens'
  | 'depth'
  | 'aliases'
  | 'rootFields'
  | 'selections'
  | 'directives'
  | 'operations'
  | 'singleUse'
  | 'pageSize'
  | 'cost';

/** One mode for all limits, and those that differ. */
export interface LimitModes {
  readonly mode: LimitMode;
  /** @defaultValue `mode` for each */
  readonly modes?: { readonly [Name in LimitName]?: LimitMode | undefined };
}

export function modeOf({ mode, modes }: LimitModes, limit: LimitName): LimitMode {
  return modes?.[limit] ?? mode;
}
