import type { OperationUsage, RequestedEntities, SubgraphError } from '../../supergraph/subgraph-executor.ts';
import type { FieldFailure } from '../data/field-failure.ts';
import type { DataKey, DataObject } from '../data/own-properties.ts';
import type { ExecutionRun } from '../executable-operation.ts';
import type { CompiledFetch, CompiledPlan, CompiledRequest, EntityField, PathStep } from '../plan/compiled-plan.ts';

/** State that the fetches of one request share. */
export interface RunState {
  readonly run: ExecutionRun;
  readonly usage: OperationUsage;
  /** The tree: the merged data of all responses so far. */
  readonly data: DataObject;
  /** Objects of the shared paths, by the number of their group. */
  readonly shared: readonly SharedObjects[];
  /** Reports in the order in which the fetches completed. They are sorted when the response is printed. */
  readonly reports: FetchReport[];
  /** Whether no string of any response needs escaping. */
  needsNoEscape: boolean;
  /** Whether a response was so large that the rest of the run must not occupy the event loop for long. */
  isLarge: boolean;
  /** Number of requests sent so far. */
  sent: number;
}

/** Number of objects of a large response that one step processes: about a millisecond of work. */
export const OBJECTS_OF_STEP = 1_024;

/** Distinct objects of one group of shared paths. */
export interface SharedObjects {
  readonly objects: DataObject[];
  /** Objects by `__typename` and identifying values. */
  readonly known: Map<unknown, Map<unknown, DataObject>>;
}

/** Objects of the tree and the representations that are sent for them. */
export interface RepresentationBatch extends RequestedEntities {
  readonly field: EntityField;
  readonly targets: DataObject[];
  /** Index of the representation of each target. */
  readonly indices: number[];
  /** Number of representations. */
  size: number;
  /** JSON text of the representations, without brackets. */
  text: string;
  readonly missingInputs: MissingInputFields[];
  /** Fields inside all targets that fail regardless of the response, because context values failed. */
  readonly missingInside: readonly MissingInputPath[];
}

/** Fields that fail regardless of the response, because a required value is missing. */
export interface MissingInputFields {
  readonly target: DataObject;
  /** Index of the representation of the target. */
  readonly index: number;
  readonly keys: readonly DataKey[];
  /** Failure of the required value, or null when the value was missing without a failure. */
  readonly failure: FieldFailure | null;
}

/** A field that fails because a value that it needs failed. */
export interface MissingInputPath {
  readonly path: readonly PathStep[];
  readonly failure: FieldFailure;
}

/** Errors of one request of a fetch. */
export interface FetchReport {
  readonly fetch: CompiledFetch;
  readonly request: CompiledRequest;
  /** Sequence number of the request. It orders the requests of one fetch. */
  readonly order: number;
  /** Objects that a result of the root type should have been merged into; empty when the request fetched entities. */
  readonly targets: readonly DataObject[];
  /** Batches whose objects the response should have filled; empty when the request selected from the root type. */
  readonly batches: readonly RepresentationBatch[];
  /** Errors as the subgraph reported them. */
  readonly errors: readonly ReportedError[];
  /** Failure of the request as a whole, with which its fields are marked in the tree. */
  readonly failure: FieldFailure | undefined;
}

export interface ReportedError {
  readonly error: SubgraphError;
  /** Failure in the tree that this error explains. */
  readonly failure: FieldFailure | undefined;
  /**
   * Number of elements of the error path that lead to the null that the error caused in the subgraph response; undefined when the path
   * leads to no null. Another subgraph may have a value there, which then lacks only the fields of this response.
   */
  readonly nullDepth: number | undefined;
}

/** Creates the state for a new run. */
export function createRunState(plan: CompiledPlan, run: ExecutionRun): RunState {
  const shared: SharedObjects[] = [];
  for (let index = 0; index < plan.sharedPathCount; index += 1) shared.push({ objects: [], known: new Map() });
  return { run, usage: { responseBytes: 0 }, data: {}, shared, reports: [], needsNoEscape: true, isLarge: false, sent: 0 };
}
