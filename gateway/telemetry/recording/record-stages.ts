import type { ExecuteStage } from '../../pipeline/execution/execute.ts';
import type { OperationRun, PreparedRequest } from '../../pipeline/operation-run.ts';
import type { CostLimit } from '../../pipeline/stages/charge.ts';
import type { OperationChecks } from '../../pipeline/stages/check-operation.ts';
import { errorCodeOf } from '../../platform/operation-recorder.ts';
import { OperationRecord } from '../records/operation-record.ts';

/** Stages of the pipeline that are recorded. */
export interface RecordedStages {
  readonly checks: OperationChecks;
  readonly limitCost: CostLimit;
  readonly executeOperation: ExecuteStage;
}

/** Records the operation, its cost and its execution. Parsing, validation and planning record themselves, because they rarely run. */
export function recordStages({ checks, limitCost, executeOperation }: RecordedStages): RecordedStages {
  return {
    checks: {
      ...checks,
      checkExecutable(checked) {
        checked.request.recorder?.operation(checked.operation);
        checks.checkExecutable(checked);
      },
      checkSubscription(checked) {
        checked.request.recorder?.operation(checked.operation);
        checks.checkSubscription(checked);
      },
    },
    limitCost(prepared, variables) {
      const cost = limitCost(prepared, variables);
      (prepared as Partial<PreparedRequest>).request?.recorder?.cost(cost);
      return cost;
    },
    executeOperation(run, isText) {
      const { recorder } = run.request;
      if (!(recorder instanceof OperationRecord)) return executeOperation(run, isText);
      const startedAt = recorder.now();
      const executing = executeOperation(run, isText);
      executing.then(
        (result) => {
          recorder.cacheLookup = result.cached === undefined ? lookupOf(run) : result.executed === undefined ? 'hit' : 'miss';
          recorder.stage('execute', startedAt, result.cached === undefined ? result.errors[0]?.code : undefined);
        },
        (error: unknown) => recorder.stage('execute', startedAt, errorCodeOf(error)),
      );
      return executing;
    },
  };
}

/** Returns `miss` for a response that could have been cached, but has errors or was forbidden to be cached by a subgraph. */
function lookupOf({ operation, request }: OperationRun): 'miss' | undefined {
  return operation.caching !== undefined && request.queryOnly === true ? 'miss' : undefined;
}
