import type { ResultFacts } from '../../pipeline/operation-result.ts';
import type { OperationRequest } from '../../pipeline/operation-request.ts';
import { type ClientName, readClientName } from '../../platform/client-name.ts';
import type { Clock } from '../../platform/clock.ts';
import {
  type CacheLookup,
  errorCodeOf,
  type FetchRecorder,
  type OperationRecorder,
  type RecordedHttp,
  type RecordedOperation,
  type RecordedStage,
} from '../../platform/operation-recorder.ts';
import type { TraceHeaders } from '../../platform/trace-context.ts';
import type { RecordedTrace } from './recorded-trace.ts';
import { withLast } from './with-last.ts';

/** A stage that has ended. */
export interface StageRecord {
  readonly stage: RecordedStage;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly errorCode: string | undefined;
}

/** Facts about a request to a subgraph that metrics report. */
export interface MeasuredFetch {
  readonly subgraph: string;
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  readonly errorCode: string | undefined;
}

/** A request to a subgraph. */
export class FetchRecord implements FetchRecorder, MeasuredFetch {
  readonly subgraph: string;
  readonly kind: RecordedOperation['kind'];
  /** Undefined for a GraphQL request. */
  readonly http: RecordedHttp | undefined;
  readonly startedAt: number;
  /** Headers of its span. Undefined when traces are off. */
  readonly trace: TraceHeaders | undefined;
  /** Undefined while the request is in flight. */
  endedAt: number | undefined;
  errorCode: string | undefined;
  private readonly operation: OperationRecord;

  constructor(operation: OperationRecord, subgraph: string, kind: RecordedOperation['kind'], http: RecordedHttp | undefined) {
    const { trace } = operation;
    this.operation = operation;
    this.subgraph = subgraph;
    this.kind = kind;
    this.http = http;
    this.startedAt = operation.now();
    this.trace = trace.isRecorded ? trace.newSpan() : undefined;
    this.endedAt = undefined;
    this.errorCode = undefined;
  }

  end(errorCode?: string): void {
    this.endedAt = this.operation.now();
    this.errorCode = errorCode;
    this.operation.fetchEnded(this);
  }
}

/** Receives what is recorded about operations as it happens, except what is reported when the operation has ended. */
export interface OperationObserver {
  stageEnded(stage: RecordedStage, durationMs: number): void;
  fetchEnded(fetch: MeasuredFetch): void;
  operationEnded(operation: OperationRecord): void;
}

/**
 * Everything that telemetry reports about one operation. It contains no variables, no headers and no document. The constructor sets all
 * members, so that all records have one shape; lists are created when they get their first element.
 */
export class OperationRecord implements OperationRecorder {
  readonly startedAt: number;
  /** Transport of the request; of a subscription over HTTP, that of its stream. */
  transport: OperationRequest['transport'];
  readonly requestId: string;
  readonly client: ClientName | undefined;
  readonly trace: RecordedTrace;
  /** Name in the document. Undefined until the document is prepared: a client can send any text as the name of an operation. */
  name: string | undefined;
  /** Id or hash with which the client referred to the document. Undefined until the document is prepared. */
  documentId: string | undefined;
  /** Undefined until the document is prepared. */
  kind: RecordedOperation['kind'] | undefined;
  costPoints: number | undefined;
  cacheLookup: CacheLookup;
  errorCodes: readonly string[];
  /** Why a subscription ended. Undefined for other operations, and while it is open. */
  endReason: string | undefined;
  /** Number of events that were sent. Undefined for operations without a stream. */
  events: number | undefined;
  /** Time at which the stream of a subscription was open. Undefined for other operations. */
  openedAt: number | undefined;
  /** Whether the client disconnected before the response. */
  isAbandoned: boolean;
  /** Whether the operation was reported. Stages and requests to subgraphs that end later are reported when they end. */
  isReported: boolean;
  endedAt: number | undefined;
  stages: readonly StageRecord[];
  fetches: readonly FetchRecord[];
  private readonly clock: Pick<Clock, 'monotonic'>;
  private readonly observer: OperationObserver;
  private readonly sentId: string | undefined;
  /** Undefined when the operation is not being executed. */
  private executionStartedAt: number | undefined;

  constructor(request: OperationRequest, trace: RecordedTrace, clock: Pick<Clock, 'monotonic'>, observer: OperationObserver) {
    this.clock = clock;
    this.observer = observer;
    this.startedAt = clock.monotonic();
    this.transport = request.transport;
    this.requestId = request.correlationId;
    this.sentId = documentIdOf(request);
    this.client = readClientName(request.headers) ?? request.clientLibrary;
    this.trace = trace;
    this.name = undefined;
    this.documentId = undefined;
    this.kind = undefined;
    this.costPoints = undefined;
    this.cacheLookup = undefined;
    this.errorCodes = NO_CODES;
    this.endReason = undefined;
    this.events = undefined;
    this.openedAt = undefined;
    this.isAbandoned = false;
    this.isReported = false;
    this.executionStartedAt = undefined;
    this.endedAt = undefined;
    this.stages = NO_STAGES;
    this.fetches = NO_FETCHES;
  }

  now(): number {
    return this.clock.monotonic();
  }

  operation({ kind, name }: RecordedOperation): void {
    this.kind = kind;
    this.name = name;
    this.documentId = this.sentId;
  }

  cost(points: number): void {
    this.costPoints = points;
  }

  stage(stage: RecordedStage, startedAt: number, errorCode?: string): void {
    const endedAt = this.clock.monotonic();
    this.stages = withLast(this.stages, { stage, startedAt, endedAt, errorCode });
    if (stage !== 'execute' || this.isReported) this.observer.stageEnded(stage, endedAt - startedAt);
  }

  beginExecution(): void {
    this.executionStartedAt = this.clock.monotonic();
  }

  endExecution(errorCode: string | undefined, cacheLookup: CacheLookup): void {
    const { executionStartedAt } = this;
    this.cacheLookup = cacheLookup;
    if (executionStartedAt === undefined) return;
    this.executionStartedAt = undefined;
    this.stage('execute', executionStartedAt, errorCode);
  }

  fetch(subgraph: string, kind: RecordedOperation['kind'], http?: RecordedHttp): FetchRecorder {
    const fetch = new FetchRecord(this, subgraph, kind, http);
    this.fetches = withLast(this.fetches, fetch);
    return fetch;
  }

  fetchEnded(fetch: FetchRecord): void {
    if (this.isReported) this.observer.fetchEnded(fetch);
  }

  /** Ends the operation with a response. */
  succeed({ errorCodes }: ResultFacts): void {
    this.errorCodes = errorCodes;
    this.end();
  }

  /** Ends the operation with an error that was thrown. */
  fail(error: unknown, signal: AbortSignal): void {
    if (this.executionStartedAt !== undefined) this.endExecution(errorCodeOf(error), undefined);
    if (signal.aborted && error === signal.reason) this.isAbandoned = true;
    else this.errorCodes = [errorCodeOf(error)];
    this.end();
  }

  end(): void {
    if (this.endedAt !== undefined) return;
    this.endedAt = this.clock.monotonic();
    this.observer.operationEnded(this);
  }
}

const NO_CODES: readonly string[] = [];
const NO_STAGES: readonly StageRecord[] = [];
const NO_FETCHES: readonly FetchRecord[] = [];

/** Returns the id or the hash that the client sent instead of, or in addition to, a text. */
function documentIdOf({ document }: OperationRequest): string | undefined {
  return 'prepared' in document ? undefined : (document.id ?? document.sha256);
}
