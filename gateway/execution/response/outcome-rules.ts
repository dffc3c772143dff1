import type { OpeningsCache } from './openings.ts';
import type { ValueShape } from './response-shape.ts';

/** How the answer to an operation is made. */
export interface OutcomeRules {
  readonly shape: ValueShape;
  readonly openings: OpeningsCache;
  readonly maxErrors: number;
  /** Whether something of the answer may come later. */
  readonly isDeferring: boolean;
}
