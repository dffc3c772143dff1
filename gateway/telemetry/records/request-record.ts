import type { ReceivedRequest } from '../../platform/http/plain/plain-request.ts';
import type { OutgoingResponse } from '../../platform/http/response/outgoing-response.ts';
import type { Clock } from '../../platform/clock.ts';
import { CORRELATION_ID_HEADER } from '../../platform/request-headers.ts';
import type { RecordedRoute, RecordedStage, RequestRecorder } from '../../platform/operation-recorder.ts';
import type { OperationObserver, OperationRecord, StageRecord } from './operation-record.ts';
import type { RecordedTrace } from './recorded-trace.ts';
import { withLast } from './with-last.ts';

/** Everything that telemetry reports about one HTTP request: its line, its response, and the operations that it executed. */
export class RequestRecord implements RequestRecorder {
  readonly startedAt: number;
  readonly method: string;
  /** Correlation id. Empty until the request has ended. */
  requestId: string;
  readonly trace: RecordedTrace;
  /** Path of the endpoint, with parameters in braces. Undefined when no endpoint was found. */
  routeTemplate: string | undefined;
  /** Version of the REST interface. */
  version: number | undefined;
  /** Status of the response. Undefined when the client disconnected before it. */
  status: number | undefined;
  /** Bytes that were written for the response, with its head. 0 unless `countBytes` was called. @unit bytes */
  bytes: number;
  endedAt: number | undefined;
  stages: readonly StageRecord[];
  /** Operations in the order in which they began. */
  operations: readonly OperationRecord[];
  private readonly clock: Pick<Clock, 'monotonic'>;
  private readonly observer: Pick<OperationObserver, 'stageEnded'>;
  private writtenBefore: number | undefined;

  constructor(
    request: ReceivedRequest,
    trace: RecordedTrace,
    clock: Pick<Clock, 'monotonic'>,
    observer: Pick<OperationObserver, 'stageEnded'>,
  ) {
    this.clock = clock;
    this.observer = observer;
    this.startedAt = clock.monotonic();
    this.method = request.method ?? '';
    this.trace = trace;
    this.writtenBefore = undefined;
    this.requestId = '';
    this.routeTemplate = undefined;
    this.version = undefined;
    this.status = undefined;
    this.bytes = 0;
    this.endedAt = undefined;
    this.stages = NO_STAGES;
    this.operations = NO_OPERATIONS;
  }

  now(): number {
    return this.clock.monotonic();
  }

  /** Counts the bytes of the response. Node.js computes the bytes of a socket each time, so they are counted only where they are reported. */
  countBytes({ socket }: ReceivedRequest): void {
    this.writtenBefore = socket.bytesWritten;
  }

  /** Adds an operation that begins. */
  begin(operation: OperationRecord): void {
    this.operations = withLast(this.operations, operation);
  }

  /** Whether an operation has not ended. */
  get hasOpenOperation(): boolean {
    for (const { endedAt } of this.operations) if (endedAt === undefined) return true;
    return false;
  }

  route({ template, version }: RecordedRoute): void {
    this.routeTemplate = template;
    this.version = version;
  }

  stage(stage: RecordedStage, startedAt: number, errorCode?: string): void {
    const endedAt = this.clock.monotonic();
    this.stages = withLast(this.stages, { stage, startedAt, endedAt, errorCode });
    this.observer.stageEnded(stage, endedAt - startedAt);
  }

  /** Ends the request after its response. */
  end(request: ReceivedRequest, response: OutgoingResponse): void {
    this.endedAt = this.clock.monotonic();
    if (response.headersSent) this.status = response.statusCode;
    this.requestId = String(request.headers[CORRELATION_ID_HEADER] ?? this.operations[0]?.requestId ?? '');
    this.routeTemplate ??= routeOfGateway(request.url ?? '');
    const { writtenBefore } = this;
    if (writtenBefore === undefined) return;
    // A socket that was destroyed no longer counts.
    this.bytes = Math.max(0, ((request.socket.bytesWritten as number | undefined) ?? writtenBefore) - writtenBefore);
  }

  /** Transport of the request: that of its operations, or the kind of its endpoint. */
  get transport(): RequestTransport {
    const [operation] = this.operations;
    if (operation !== undefined) return operation.transport;
    if (this.routeTemplate === undefined) return 'other';
    return this.routeTemplate.startsWith('/graphql') ? 'graphql' : 'rest';
  }
}

const NO_STAGES: readonly StageRecord[] = [];
const NO_OPERATIONS: readonly OperationRecord[] = [];

/** Transport of a request. `other`: no endpoint was found, or it executes no operations. */
export type RequestTransport = OperationRecord['transport'] | 'other';

/** Returns the path of an endpoint of the gateway, without the id of the document. */
function routeOfGateway(target: string): string | undefined {
  if (!target.startsWith('/graphql')) return undefined;
  const next = target[8];
  if (next === undefined || next === '?') return '/graphql';
  return next === '/' ? '/graphql/{documentId}' : undefined;
}
