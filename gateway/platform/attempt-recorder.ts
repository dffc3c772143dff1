/** An attempt to deliver a webhook. */
export interface DescribedAttempt {
  /** Id of the webhook. */
  readonly webhookId: string;
  /** Value of the header `webhook-id`. All attempts of one message have it. */
  readonly messageId: string;
  /** Name of the event. */
  readonly event: string;
  /** Number of the attempt, beginning at 1. */
  readonly number: number;
}

/** Result of an attempt. */
export interface FinishedAttempt {
  /** `ok`, `interrupted`, or the code of the delivery. */
  readonly code: string;
  /** HTTP status of the receiver. Undefined when it did not respond. */
  readonly status: number | undefined;
}

/** An attempt that is being recorded. */
export interface RecordedAttempt {
  /** Value of the header `traceparent` for the receiver. Undefined when no traces are recorded. */
  readonly traceparent: string | undefined;
  /** Called once when the attempt has ended. */
  end(finished: FinishedAttempt): void;
}

/** Records the attempts of the webhook service for telemetry. */
export interface AttemptRecorder {
  begin(attempt: DescribedAttempt): RecordedAttempt;
}
