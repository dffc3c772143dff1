import { type ErrorCode, GatewayError, INTERNAL_ERROR_MESSAGE } from '../platform/errors.ts';
import type { Logger } from '../platform/logger.ts';

/** What a client of a socket is told; a defect is logged, and told by a constant text. */
export function toSocketRefusal(error: unknown, logger: Logger, correlationId?: string): GatewayError {
  if (error instanceof GatewayError) return error;
  logger.error({ err: error, correlationId }, 'An operation of a socket failed unexpectedly.');
  return new GatewayError('INTERNAL_SERVER_ERROR', INTERNAL_ERROR_MESSAGE, { cause: error });
}

/** Why a socket is closed (RFC 6455, section 7.4; graphql-transport-ws for those from 4400). */
export const CLOSE_CODES = {
  /** The gateway closes; another one, or this one in a while, takes the client. */
  serviceRestart: 1012,
  tryAgainLater: 1013,
  badRequest: 4400,
  /** Something was asked for before `connection_ack`. */
  unauthorized: 4401,
  forbidden: 4403,
  initialisationTimeout: 4408,
  subscriberExists: 4409,
  tooManyRequests: 4429,
  internalError: 4500,
} as const;

export type CloseCode = (typeof CLOSE_CODES)[keyof typeof CLOSE_CODES];

/** Ends a socket: the client has broken the protocol, or may not go on. Thrown to whoever reads its messages. */
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

/** The end of a socket for a refusal that concerns all of it. */
export function toClosure({ code, message }: GatewayError): SocketClosure {
  return new SocketClosure(CODES[code] ?? CLOSE_CODES.tryAgainLater, `${code}: ${message}`);
}

/** Room for a reason in a closing frame (RFC 6455, section 5.5). @unit bytes */
const MAX_REASON_BYTES = 123;

/** As much of a reason as a closing frame has room for. */
export function toReason(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_REASON_BYTES) return text;
  let end = MAX_REASON_BYTES;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1; // not within a character
  return bytes.toString('utf8', 0, end);
}
