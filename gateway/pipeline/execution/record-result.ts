import type { OperationRecorder } from '../../platform/operation-recorder.ts';
import type { OperationRun } from '../operation-run.ts';
import type { PipelineResult } from './execute.ts';

/** Ends the stage `execute`, with the result of the lookup in the response cache. */
export function recordResult(recorder: OperationRecorder, result: PipelineResult, run: OperationRun): void {
  if (result.cached !== undefined) recorder.endExecution(undefined, result.executed === undefined ? 'hit' : 'miss');
  else recorder.endExecution(result.errors[0]?.code, isCacheMiss(run) ? 'miss' : undefined);
}

/** Whether a response could have been cached, but has errors or was forbidden to be cached by a subgraph. */
function isCacheMiss({ operation, request }: OperationRun): boolean {
  return operation.caching !== undefined && request.queryOnly === true;
}
