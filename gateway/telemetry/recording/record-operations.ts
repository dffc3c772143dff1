import type { OperationRequest } from '../../pipeline/operation-request.ts';
import type { BytesResult, ObjectResult } from '../../pipeline/operation-result.ts';
import type { ExecutedOrSubscribed, Pipeline, ToSubscription } from '../../pipeline/pipeline.ts';
import type { SubscriptionRequest } from '../../pipeline/streams/event-stream.ts';
import type { OperationRecord } from '../records/operation-record.ts';
import { recordStream } from './record-stream.ts';
import type { Recording } from './recording.ts';

/** Records all operations of a pipeline. The inner stages find the record in the request. */
export function recordOperations<Recorded extends Pipeline>(pipeline: Recorded, recording: Recording): Recorded {
  /** Ends the operation with its response. Of an incremental response, that is the first payload. */
  function endResponse(operation: OperationRecord, result: BytesResult | ObjectResult): void {
    if (operation.cacheLookup === undefined && (result as BytesResult).cached !== undefined) operation.cacheLookup = 'hit';
    operation.succeed(result.facts);
  }

  /** Ends the operation when its promise settles. It returns the same promise: one that waits for another is one more microtask. */
  function endWith<Result extends BytesResult | ObjectResult>(
    { recorder, signal }: RecordedRequest<OperationRequest>,
    responding: Promise<Result>,
  ): Promise<Result> {
    responding.then(
      (result) => endResponse(recorder, result),
      (error: unknown) => recorder.fail(error, signal),
    );
    return responding;
  }

  function begin<Request extends OperationRequest>(request: Request): RecordedRequest<Request> {
    return withRecorder(request, recording.beginOperation(request));
  }

  return {
    ...pipeline,
    execute(request: OperationRequest) {
      const recorded = begin(request);
      return endWith(recorded, pipeline.execute(recorded));
    },
    executeToObject(request: OperationRequest) {
      const recorded = begin(request);
      return endWith(recorded, pipeline.executeToObject(recorded));
    },
    subscribe(request: SubscriptionRequest) {
      const recorded = begin(request);
      const { recorder } = recorded;
      return pipeline.subscribe(recorded).then(
        (stream) => recordStream(stream, recorder, recording),
        (error: unknown) => fail(recorded, error),
      );
    },
    executeOrSubscribe(request: OperationRequest, toSubscription: ToSubscription) {
      const recorded = begin(request);
      const { recorder } = recorded;
      const toRecorded: ToSubscription = (executed) => {
        const subscription = toSubscription(executed);
        recorder.transport = subscription.transport;
        return { ...subscription, recorder };
      };
      return pipeline.executeOrSubscribe(recorded, toRecorded).then(
        (result): ExecutedOrSubscribed => {
          if (!('response' in result)) return { stream: recordStream(result.stream, recorder, recording) };
          endResponse(recorder, result.response);
          return result;
        },
        (error: unknown) => fail(recorded, error),
      );
    },
  };
}

/** A request that is being recorded. */
type RecordedRequest<Request extends OperationRequest> = Request & { readonly recorder: OperationRecord };

/**
 * Connects a record with its request. A transport makes a new request for each operation, so that it can be changed. A request that has a
 * recorder already is executed again, and is copied; so is one that an application has frozen.
 */
function withRecorder<Request extends OperationRequest>(request: Request, recorder: OperationRecord): RecordedRequest<Request> {
  if (request.recorder !== undefined) return { ...request, recorder };
  try {
    // `Object.assign` takes several times as long.
    (request as { recorder?: OperationRequest['recorder'] }).recorder = recorder;
    return request as RecordedRequest<Request>;
  } catch {
    return { ...request, recorder };
  }
}

function fail(request: RecordedRequest<OperationRequest>, error: unknown): never {
  request.recorder.fail(error, request.signal);
  throw error;
}
