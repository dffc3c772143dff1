/** Choices between subgraphs in one plan, in the order in which they are made. Equal choices result in equal plans. */
export interface Choices {
  /** Alternative to take, by the number of the choice. 0 or undefined takes the alternative with the lowest price. */
  readonly taken: readonly number[];
  /** Number of alternatives, by the number of the choice. Choices without an alternative have no number. */
  readonly counts: number[];
  /** Minimum remaining budget for recording choices. @unit steps */
  readonly until: number;
}

/** Whether the plan is still short enough to be made again with other choices. */
export function areChoicesNoted({ choices, budget }: { readonly choices: Choices; readonly budget: { readonly left: number } }): boolean {
  return budget.left >= choices.until;
}
