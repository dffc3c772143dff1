import type { IncomingMessage } from 'node:http';
import { PlainRequest, type ReceivedRequest } from '../plain/plain-request.ts';
import { hasBody } from './content-type.ts';

/** Maximum size of the unread rest of a request body that is discarded while the connection remains open. @unit bytes */
const RETAINED_REST_BYTES = 65_536;

/** Requests whose body was rejected before its end. */
const abandoned = new WeakSet<IncomingMessage>();

/** Marks the body of a request as not read to its end, although the rest may have been received. */
export function abandonBody(request: IncomingMessage): void {
  abandoned.add(request);
}

/**
 * Whether the connection must be closed after the response because the body of the request was not read to its end. The connection remains
 * open only if the body is known to be short. It is irrelevant how much of the body has been received, so that the fate of a connection
 * depends neither on the time at which packets arrive nor on the parser.
 */
export function hasUnreadBody(request: ReceivedRequest): request is IncomingMessage {
  if (request instanceof PlainRequest || !hasBody(request.headers)) return false;
  const length = request.headers['content-length'];
  if (length !== undefined && Number(length) <= RETAINED_REST_BYTES) return false;
  return !request.readableEnded || abandoned.has(request);
}
