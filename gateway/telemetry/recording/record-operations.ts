import type { OperationRequest } from '../../pipeline/operation-request.ts';
import type { BytesResult, ObjectResult } from '../../pipeline/operation-result.ts';
import type { ExecutedOrSubscribed, Pipeline, ToSubscription } from '../../pipeline/pipeline.ts';
import type { SubscriptionRequest } from '../../pipeline/streams/event-stream.ts';
import type { OperationRecord } from '../records/operation-record.ts';
import { recordStream } from './record-stream.ts';
import type { Recording } from './recording.ts';

/** Records all operations of a pipeline. The inner stages find the record in the request. */
export function recordOperations<Recorded extends Pipeline>(pipeline: Recorded, recording: Recording): Recorded {
  async function record<Request extends OperationRequest, Result>(
    request: Request,
    run: (recorded: Request, operation: OperationRecord) => Promise<Result>,
    end: (operation: OperationRecord, result: Result) => Result,
  ): Promise<Result> {
    const operation = recording.beginOperation(request);
    try {
      return end(operation, await run({ ...request, recorder: operation }, operation));
    } catch (error) {
      operation.fail(error, request.signal);
      throw error;
    }
  }

  /** Ends the operation with its response. Of an incremental response, that is the first payload. */
  function endResponse<Result extends BytesResult | ObjectResult>(operation: OperationRecord, result: Result): Result {
    if ('cached' in result && result.cached !== undefined && operation.cacheLookup === undefined) operation.cacheLookup = 'hit';
    operation.succeed(result.facts);
    return result;
  }

  return {
    ...pipeline,
    execute: (request: OperationRequest) => record(request, (recorded) => pipeline.execute(recorded), endResponse),
    executeToObject: (request: OperationRequest) => record(request, (recorded) => pipeline.executeToObject(recorded), endResponse),
    subscribe: (request: SubscriptionRequest) =>
      record(
        request,
        (recorded) => pipeline.subscribe(recorded),
        (operation, stream) => recordStream(stream, operation, recording),
      ),
    executeOrSubscribe: (request: OperationRequest, toSubscription: ToSubscription) =>
      record<OperationRequest, ExecutedOrSubscribed>(
        request,
        (recorded, operation) =>
          pipeline.executeOrSubscribe(recorded, (executed) => {
            const subscription = toSubscription(executed);
            operation.transport = subscription.transport;
            return { ...subscription, recorder: operation };
          }),
        (operation, result) => {
          if ('response' in result) return { response: endResponse(operation, result.response) };
          return { stream: recordStream(result.stream, operation, recording) };
        },
      ),
  };
}
