import type { SubgraphError } from '../supergraph/subgraph-executor.ts';
import type { CompiledFetch } from './compile-fetch.ts';
import type { ExecutionRun } from './executable-operation.ts';
import type { FieldFailure } from './field-failure.ts';
import type { DataObject } from './own-properties.ts';

/** What the fetches of one request share. */
export interface RunState {
  readonly run: ExecutionRun;
  /** The answers of all fetches so far, merged in place. */
  readonly data: DataObject;
  /** In the order in which the fetches ended; put in order when the response is made. */
  readonly reports: FetchReport[];
}

/** What went wrong in one fetch. */
export interface FetchReport {
  readonly fetch: CompiledFetch;
  /** The objects that it was to fill, each with the index of its representation; 0 where there are none. */
  readonly targets: ReadonlyMap<DataObject, number>;
  /** As the subgraph reported them. */
  readonly errors: readonly SubgraphError[];
  /** Marks in the data, for what failed as a whole. */
  readonly failure?: FieldFailure;
}
