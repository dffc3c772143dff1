import type { OperationInput, OperationOutput } from '../gateway.ts';
import { toGatewayError } from '../http/plain-response.ts';
import type { BytesResult } from '../pipeline/operation-result.ts';
import type { OperationRequest } from '../pipeline/operation-request.ts';
import { toRequestErrors } from '../pipeline/response.ts';
import type { Logger } from '../platform/logger.ts';
import { toOperationRequest } from './to-operation-request.ts';

export interface RunDependencies {
  /** Waits for the first supergraph. @throws Error when it is local and cannot be served, or when the gateway is closed */
  readonly load: () => Promise<void>;
  readonly execute: (request: OperationRequest) => Promise<BytesResult>;
  readonly logger: Logger;
}

/** Creates the method `run` of the gateway. */
export function createRun({ load, execute, logger }: RunDependencies): (input: OperationInput) => Promise<OperationOutput<never>> {
  return async (input) => {
    const request = toOperationRequest(input);
    await load();
    request.signal.throwIfAborted();
    try {
      const { body } = await execute(request);
      return JSON.parse(body) as OperationOutput<never>;
    } catch (error) {
      if (request.signal.aborted && error === request.signal.reason) throw error;
      const { correlationId } = request;
      return { errors: toRequestErrors(toGatewayError(error, logger, correlationId), correlationId) };
    }
  };
}
