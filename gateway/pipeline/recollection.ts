/**
 * What was found out about a request whose answer is kept. An equal request of somebody in the same partition comes to the same,
 * and need not be prepared again: it is paid for, and then reads the answer by its key. Plain data, so that it holds no generation.
 */
export interface Recollection {
  /** Id of the generation that it was prepared in. */
  readonly generation: string;
  /** Text of its document then: what a name stands for may have changed. */
  readonly text: string;
  /** Whom the answer is for. */
  readonly partition: string;
  /** Of the answer in the cache. */
  readonly key: string;
  /** What it costs before it runs. @unit points */
  readonly estimated: number;
}

/** By partition. */
export type Recollections = ReadonlyMap<string, Recollection>;
