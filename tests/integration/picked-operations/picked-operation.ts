/** An operation that was chosen for a case in which executors often make mistakes. */
export interface PickedOperation {
  /** Short description of the case. */
  readonly name: string;
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}
