/** An operation chosen by hand for something that executors get wrong. */
export interface PickedOperation {
  /** What is special about it. */
  readonly name: string;
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}
