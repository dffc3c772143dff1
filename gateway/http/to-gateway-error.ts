import { GatewayError, INTERNAL_ERROR_MESSAGE } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';

/** The error as it is; one that was not written for clients is logged and becomes `INTERNAL_SERVER_ERROR` with a constant text. */
export function toGatewayError(error: unknown, logger: Logger, correlationId: string): GatewayError {
  if (error instanceof GatewayError) return error;
  logger.error({ err: error, correlationId }, 'A request failed unexpectedly.');
  return new GatewayError('INTERNAL_SERVER_ERROR', INTERNAL_ERROR_MESSAGE, { cause: error });
}
