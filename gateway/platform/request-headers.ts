import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Headers of one request as Node.js parses them: lower-case names, `undefined` if absent. */
export type RequestHeaders = Readonly<IncomingHttpHeaders>;

/** Header that carries a correlation id through all calls of one request. */
export const CORRELATION_ID_HEADER = 'x-correlation-id';

/**
 * Member of the headers of a request that refers to the record of telemetry. A `WeakMap` by headers would have an entry for each request
 * that garbage collection visits. Functions that read the names of headers ignore symbols.
 */
export const REQUEST_RECORD = Symbol('record');

const ACCEPTED = /^[A-Za-z0-9._-]{1,128}$/;

/** Returns the correlation id of the caller if it is valid (1 to 128 of `A-Z a-z 0-9 . _ -`), otherwise a new one. */
export function readCorrelationId(headers: RequestHeaders): string {
  const sent = headers[CORRELATION_ID_HEADER];
  return typeof sent === 'string' && ACCEPTED.test(sent) ? sent : randomUUID();
}
