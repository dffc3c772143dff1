import { GatewayError, INTERNAL_ERROR_MESSAGE } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';

/** What a client of a socket is told; a defect is logged, and told by a constant text. */
export function toSocketRefusal(error: unknown, logger: Logger, correlationId?: string): GatewayError {
  if (error instanceof GatewayError) return error;
  logger.error({ err: error, correlationId }, 'An operation of a socket failed unexpectedly.');
  return new GatewayError('INTERNAL_SERVER_ERROR', INTERNAL_ERROR_MESSAGE, { cause: error });
}
