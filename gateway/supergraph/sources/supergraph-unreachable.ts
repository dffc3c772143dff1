/** A look at a source that failed. Its message is for whoever operates the gateway, and holds no secrets. */
export class SupergraphUnreachable extends Error {
  /** Until the source wants to be asked again. @unit milliseconds */
  readonly retryAfterMs: number;

  constructor(message: string, options: ErrorOptions & { readonly retryAfterMs?: number } = {}) {
    super(message, options);
    this.name = 'SupergraphUnreachable';
    this.retryAfterMs = options.retryAfterMs ?? 0;
  }
}
