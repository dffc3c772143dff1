/** Choices between subgraphs in one plan, in the order in which they are made: a plan with the same choices is the same. */
export interface Choices {
  /** Which alternative is taken, by the number of the choice. 0, or nothing, takes the best by its price. */
  readonly taken: readonly number[];
  /** How many alternatives there were, by the number of the choice. Choices without an alternative have no number. */
  readonly counts: number[];
  /** Minimum budget left for choices to be noted. @unit steps */
  readonly until: number;
}

/** Tells if the plan is still short enough to be made again with other choices. */
export function areChoicesNoted({ choices, budget }: { readonly choices: Choices; readonly budget: { readonly left: number } }): boolean {
  return budget.left >= choices.until;
}
