import { isErrorCode, statusOf } from '../platform/errors.ts';

/** What an execution came to, as far as it decides whether the request is done. */
export interface Outcome {
  /** Codes of all that went wrong; none where all went well. */
  readonly errorCodes: readonly string[];
  /** Whether what was asked for may have happened in spite of them. */
  readonly mayHaveEffect: boolean;
  /** Whether the answer tells the client what has happened. */
  readonly isTelling: boolean;
  /** Whether it was refused by a condition that is no part of what makes requests equal, such as `If-Match`. @defaultValue false */
  readonly isByCondition?: boolean;
}

export interface AttemptFacts {
  /** Whether the key goes down to whoever has the effect, so that to ask again is safe. */
  readonly isPassedDown: boolean;
  /** Whether it is certain that nobody was asked to do anything. */
  readonly isUnsent: boolean;
}

/**
 * - `keep`: it is done, and whoever repeats it hears the same.
 * - `release`: nothing was done, or to do it again is safe.
 * - `unknown`: nobody can tell whether it was done.
 */
export type Verdict = 'keep' | 'release' | 'unknown';

/** What was looked at and decided against: it stays so for the same request. */
const LASTING: ReadonlySet<number> = new Set([200, 400, 404, 409, 412]);

export function judge(outcome: Outcome, { isPassedDown, isUnsent }: AttemptFacts): Verdict {
  const { errorCodes, mayHaveEffect, isTelling, isByCondition = false } = outcome;
  // Whoever looks at what is there now and sends the same over that, has not had its effect.
  if (isByCondition && !mayHaveEffect) return 'release';
  const statuses = errorCodes.map(statusOfCode);
  if (statuses.every((status) => LASTING.has(status))) return 'keep';
  if (isPassedDown || isUnsent) return 'release';
  const isOurFailure = statuses.some((status) => status >= 500);
  if (!isOurFailure && !mayHaveEffect) return 'release';
  return isTelling && mayHaveEffect ? 'keep' : 'unknown';
}

/** A code that is none of ours was set on purpose by a subgraph, for its callers. */
function statusOfCode(code: string): number {
  return isErrorCode(code) ? statusOf(code) : 400;
}
