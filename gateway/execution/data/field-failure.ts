/** Message and code of a failure, without its path. */
export interface FailureCause {
  readonly message: string;
  readonly code: string;
  /**
   * Name of the subgraph, for an error that only development mode exposes.
   *
   * @defaultValue undefined: Clients are permitted to read the error.
   */
  readonly subgraph?: string;
}

/**
 * Placeholder in the tree for a field that a fetch should have filled but did not. The printer prints null for it and reports its causes at
 * the client's path. The path needs no separate computation, and fields that the client did not select cause no error.
 */
export class FieldFailure {
  readonly causes: readonly FailureCause[];

  /** Whether an error of the subgraph reports this failure. The failure then only explains the null. */
  isReported = false;

  /** Whether a field with this failure is visible in the response. */
  isShown = false;

  constructor(causes: readonly FailureCause[]) {
    this.causes = causes;
  }
}

/** Creates the failure for a subgraph response that does not match its request. */
export function invalidResponse(): FieldFailure {
  return new FieldFailure([
    { message: 'A subgraph returned a response that does not match the request.', code: 'SUBGRAPH_INVALID_RESPONSE' },
  ]);
}

/** Runs `work`. Returns the failure of an invalid response when values are nested too deeply to be processed. */
export function orFailure<T>(work: () => T): T | FieldFailure {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) return invalidResponse();
    throw error;
  }
}
