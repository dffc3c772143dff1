/** What a client is told about one failure: text and code, not yet where. */
export interface FailureCause {
  readonly message: string;
  readonly code: string;
  /** Name of the subgraph, of an error that passes in development only. @defaultValue the error may be read by clients */
  readonly subgraph?: string;
}

/**
 * Stands in the tree in place of a field that a fetch should have filled and could not. The printer answers null for it
 * and reports its causes where the client sees the field; so the place needs no computing, and a field that the client
 * did not ask for is not mentioned.
 */
export class FieldFailure {
  readonly causes: readonly FailureCause[];

  /** Whether the client is told by an error of the subgraph itself: then it only explains the null. */
  isTold = false;

  /** Whether the client saw a field that it stands in place of. */
  isShown = false;

  constructor(causes: readonly FailureCause[]) {
    this.causes = causes;
  }
}

/** What stands in place of an answer that does not fit what was asked. */
export function invalidAnswer(): FieldFailure {
  return new FieldFailure([
    { message: 'A subgraph sent an answer that does not fit what it was asked.', code: 'SUBGRAPH_INVALID_RESPONSE' },
  ]);
}

/** What `work` gives; the failure of an invalid answer where values are nested so deeply that it cannot be done. */
export function orFailure<T>(work: () => T): T | FieldFailure {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) return invalidAnswer();
    throw error;
  }
}
