/** Whether a request that exceeds a limit is rejected (`enforce`), or served and logged (`measure`). */
export type LimitMode = 'enforce' | 'measure';

/** Name of a limit in the section `limits.modes` of the configuration. */
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

/** A mode for all limits, with overrides. */
export interface LimitModes {
  readonly mode: LimitMode;
  /** Modes of the limits that differ from `mode`. @defaultValue `mode` for each */
  readonly modes?: { readonly [Name in LimitName]?: LimitMode | undefined };
}

export function modeOf({ mode, modes }: LimitModes, limit: LimitName): LimitMode {
  return modes?.[limit] ?? mode;
}
