import type { PreparedOperation } from '../generation/prepared-operation.ts';
import type { Output, Prepared } from './execute-operation.ts';
import { isPersonal } from './is-personal.ts';
import type { BytesResult, ObjectResult, OperationRequest } from './operation-request.ts';
import { NO_ERRORS, NO_ERRORS_PERSONAL, toBytes, toObject, toParts } from './output.ts';
import type { OutcomeInParts } from './run-in-parts.ts';

/** Writes an answer that was executed. */
export function print(
  outcome: OutcomeInParts,
  prepared: PreparedOperation,
  request: OperationRequest,
  output: Output,
): BytesResult | ObjectResult {
  const { correlationId } = request;
  if (output === 'object') return toObject(outcome, correlationId);
  if (outcome.stream !== undefined) return toParts(outcome, correlationId);
  return toBytes(outcome, correlationId, isPersonal(prepared, request) ? NO_ERRORS_PERSONAL : NO_ERRORS);
}

/** With what it cost; of an answer in parts that is not known yet. */
export function withCost(outcome: OutcomeInParts, { prepared, variables }: Prepared, estimated: number): OutcomeInParts {
  if (outcome.stream !== undefined) return outcome;
  return { ...outcome, cost: { estimated, actual: prepared.actualCost(JSON.parse(outcome.data), variables) } };
}
