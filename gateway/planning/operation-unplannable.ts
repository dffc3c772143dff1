import { GatewayError, INTERNAL_ERROR_MESSAGE } from '../platform/errors.ts';

/**
 * A valid operation that cannot be planned, or whose plan cannot be run: a defect on our side, and the same each time,
 * because it follows from the operation and the supergraph alone. Its cause is for the log.
 */
export class OperationUnplannable extends GatewayError {
  /** Schema coordinate of the selected field that no fetch brings, which the message names; undefined where another cause is known. */
  readonly coordinate: string | undefined;

  constructor(cause: unknown, coordinate?: string) {
    const reason = coordinate === undefined ? '' : `The gateway has no plan that brings ${coordinate}. `;
    super('INTERNAL_SERVER_ERROR', reason + INTERNAL_ERROR_MESSAGE, { cause });
    this.name = 'OperationUnplannable';
    this.coordinate = coordinate;
  }
}
