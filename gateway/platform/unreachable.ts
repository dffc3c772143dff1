/** A source on the network that gave nothing that can be read. Its message is for whoever operates the gateway, and holds no secrets. */
export class Unreachable extends Error {
  /** Until the source wants to be asked again. @unit milliseconds */
  readonly retryAfterMs: number;

  constructor(message: string, options: ErrorOptions & { readonly retryAfterMs?: number } = {}) {
    super(message, options);
    this.name = 'Unreachable';
    this.retryAfterMs = options.retryAfterMs ?? 0;
  }
}
