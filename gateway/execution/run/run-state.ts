import type { SubgraphError } from '../../supergraph/subgraph-executor.ts';
import type { FieldFailure } from '../data/field-failure.ts';
import type { DataKey, DataObject } from '../data/own-properties.ts';
import type { ExecutionRun } from '../executable-operation.ts';
import type { CompiledFetch, CompiledPlan, CompiledRequest, EntityField, PathStep } from '../plan/compiled-plan.ts';

/** What the fetches of one request share. */
export interface RunState {
  readonly run: ExecutionRun;
  /** The tree: the answers of all fetches so far, merged in place. */
  readonly data: DataObject;
  /** The objects of the shared places, by the numbers of these. */
  readonly shared: readonly SharedObjects[];
  /** In the order in which the fetches ended; put in order when the response is made. */
  readonly reports: FetchReport[];
  /** Whether no string of any answer has to be escaped. */
  needsNoEscape: boolean;
  /** How many requests were sent. */
  sent: number;
}

/** Distinct objects of one shared place. */
export interface SharedObjects {
  readonly objects: DataObject[];
  /** By `__typename`, and then by what tells them apart. */
  readonly known: Map<unknown, Map<unknown, DataObject>>;
}

/** Objects of the tree with what they are asked about with. */
export interface RepresentationBatch {
  readonly field: EntityField;
  readonly targets: DataObject[];
  /** For each target, the index of its representation. */
  readonly indices: number[];
  /** How many representations there are. */
  size: number;
  /** JSON text of the representations, without brackets. */
  text: string;
  readonly lost: LostFields[];
  /** Fields inside of all targets that fail whatever is answered, because values of contexts failed. */
  readonly lostInside: readonly LostPath[];
}

/** Fields that fail whatever is answered, because what they require is missing. */
export interface LostFields {
  readonly target: DataObject;
  /** Of its representation. */
  readonly index: number;
  readonly keys: readonly DataKey[];
  /** Null when nothing failed: what is required was not there. */
  readonly failure: FieldFailure | null;
}

/** A field that fails because a value for it has failed. */
export interface LostPath {
  readonly path: readonly PathStep[];
  readonly failure: FieldFailure;
}

/** What went wrong in one request of a fetch. */
export interface FetchReport {
  readonly fetch: CompiledFetch;
  readonly request: CompiledRequest;
  /** Tells the requests of one fetch apart: they have the order in which they were sent. */
  readonly order: number;
  /** What an answer about the root type was to fill; none where entities were asked for. */
  readonly targets: readonly DataObject[];
  /** The objects that it was to fill by representations; none where the root type was asked. */
  readonly batches: readonly RepresentationBatch[];
  /** As the subgraph reported them. */
  readonly errors: readonly ReportedError[];
  /** Marks in the tree, for what failed as a whole. */
  readonly failure: FieldFailure | undefined;
}

export interface ReportedError {
  readonly error: SubgraphError;
  /** Marks in the tree that it explains. */
  readonly failure: FieldFailure | undefined;
  /**
   * How many elements of the path of the error lead to the value that it made null in the response of the subgraph; undefined where the
   * path leads to no null. Another subgraph may have a value there, whose fields lack nothing but the response of this one.
   */
  readonly nullDepth: number | undefined;
}

/** The state at the beginning of a run. */
export function createRunState(plan: CompiledPlan, run: ExecutionRun): RunState {
  const shared: SharedObjects[] = [];
  for (let place = 0; place < plan.sharedPlaces; place += 1) shared.push({ objects: [], known: new Map() });
  return { run, data: {}, shared, reports: [], needsNoEscape: true, sent: 0 };
}
