import { type ErrorCode, GatewayError, INTERNAL_ERROR_MESSAGE } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';

/** Converts an error into one for clients of a socket. A defect is logged, and clients receive a constant text. */
export function toSocketError(error: unknown, logger: Logger, correlationId?: string): GatewayError {
  if (error instanceof GatewayError) return error;
  logger.error({ err: error, correlationId }, 'An operation over a WebSocket failed with an unexpected error.');
  return new GatewayError('INTERNAL_SERVER_ERROR', INTERNAL_ERROR_MESSAGE, { cause: error });
}

/** Close codes of sockets (RFC 6455, section 7.4; graphql-transport-ws for codes from 4400). */
export const CLOSE_CODES = {
  /** The gateway is shutting down. The client should reconnect to another instance, or later to this one. */
  serviceRestart: 1012,
  tryAgainLater: 1013,
  badRequest: 4400,
  /** An operation was sent before `connection_ack`. */
  unauthorized: 4401,
  forbidden: 4403,
  initialisationTimeout: 4408,
  subscriberExists: 4409,
  tooManyRequests: 4429,
  internalError: 4500,
} as const;

export type CloseCode = (typeof CLOSE_CODES)[keyof typeof CLOSE_CODES];

/**
 * Error that closes a socket, because the client has violated the protocol or may not continue. Thrown to the code that reads the messages.
 */
export class SocketClosure extends Error {
  readonly closeCode: CloseCode;

  constructor(closeCode: CloseCode, reason: string) {
    super(reason);
    this.name = 'SocketClosure';
    this.closeCode = closeCode;
  }
}

const CODES: Partial<Readonly<Record<ErrorCode, CloseCode>>> = {
  BAD_REQUEST: CLOSE_CODES.badRequest,
  UNAUTHENTICATED: CLOSE_CODES.forbidden,
  TOKEN_EXPIRED: CLOSE_CODES.forbidden,
  FORBIDDEN: CLOSE_CODES.forbidden,
  RATE_LIMITED: CLOSE_CODES.tooManyRequests,
  SUBSCRIPTION_LIMIT: CLOSE_CODES.tooManyRequests,
  INTERNAL_SERVER_ERROR: CLOSE_CODES.internalError,
};

/** Converts an error that affects the whole socket. */
export function toClosure({ code, message }: GatewayError): SocketClosure {
  return new SocketClosure(CODES[code] ?? CLOSE_CODES.tryAgainLater, `${code}: ${message}`);
}

/** Maximum length of the reason in a close frame (RFC 6455, section 5.5). @unit bytes */
const MAX_REASON_BYTES = 123;

/** Truncates a reason to the length that a close frame allows. */
export function toReason(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_REASON_BYTES) return text;
  let end = MAX_REASON_BYTES;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1; // do not split a character
  return bytes.toString('utf8', 0, end);
}
