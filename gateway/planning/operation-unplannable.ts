import { GatewayError, INTERNAL_ERROR_MESSAGE } from '../platform/errors.ts';

/**
 * A valid operation that cannot be planned, or whose plan cannot be run: a defect on our side, and the same each time,
 * because it follows from the operation and the supergraph alone. Its cause is for the log.
 */
export class OperationUnplannable extends GatewayError {
  constructor(cause: unknown) {
    super('INTERNAL_SERVER_ERROR', INTERNAL_ERROR_MESSAGE, { cause });
    this.name = 'OperationUnplannable';
  }
}
