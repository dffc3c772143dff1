/** What a client is told about one failure: text and code, not yet where. */
export interface FailureCause {
  readonly message: string;
  readonly code: string;
}

/**
 * Stands in the merged data in place of a field that a fetch should have filled and could not. The printer answers null
 * for it and reports its causes where the client sees the field; so the place needs no computing, and a field that the
 * client did not ask for is not mentioned. Without causes the failure was reported elsewhere, and only explains the null.
 */
export class FieldFailure {
  readonly causes: readonly FailureCause[];

  constructor(causes: readonly FailureCause[]) {
    this.causes = causes;
  }
}
