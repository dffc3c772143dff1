import type { ExecutionError, ExecutionOutcome } from '../execution/executable-operation.ts';
import type { BytesResult, ObjectResult, OperationError, ResultFacts } from './operation-request.ts';

/** The response put together as text: the data was printed by the execution and is not read again. */
export function toBytes({ data, errors }: ExecutionOutcome, requestId: string): BytesResult {
  if (errors.length === 0) return { body: `{"data":${data}}`, facts: NO_ERRORS };
  const printed = JSON.stringify(errors.map((error) => toOperationError(error, requestId)));
  return { body: `{"errors":${printed},"data":${data}}`, facts: factsOf(errors) };
}

/** The response as values. */
export function toObject({ data, errors }: ExecutionOutcome, requestId: string): ObjectResult {
  return {
    data: JSON.parse(data) as ObjectResult['data'],
    errors: errors.map((error) => toOperationError(error, requestId)),
    facts: factsOf(errors),
  };
}

function toOperationError({ message, path, code }: ExecutionError, requestId: string): OperationError {
  return path === undefined ? { message, extensions: { code, requestId } } : { message, path, extensions: { code, requestId } };
}

const NO_ERRORS: ResultFacts = { errorCodes: [] };

function factsOf(errors: readonly ExecutionError[]): ResultFacts {
  return errors.length === 0 ? NO_ERRORS : { errorCodes: errors.map(({ code }) => code) };
}
