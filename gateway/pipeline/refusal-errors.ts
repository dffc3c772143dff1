import { type OperationFault, OperationRefused } from '../operation/errors.ts';
import type { GatewayError } from '../platform/errors.ts';
import type { OperationError } from './operation-request.ts';

/** What the `errors` of a response say of a request that was refused. */
export function toRefusalErrors(error: GatewayError, requestId: string): readonly OperationError[] {
  const faults: readonly OperationFault[] = error instanceof OperationRefused ? error.faults : [error];
  return faults.map(({ message, locations, cost }): OperationError => {
    const extensions = { code: error.code, requestId, ...(cost === undefined ? {} : { cost }) };
    return locations === undefined || locations.length === 0 ? { message, extensions } : { message, locations, extensions };
  });
}
