import type { OutgoingHttpHeaders } from 'node:http';
import type { ReceivedRequest } from '../../platform/http/plain/plain-request.ts';
import type { OutgoingResponse } from '../../platform/http/response/outgoing-response.ts';
import type { CallerBudget } from '../../budget/caller-budget.ts';
import type { BytesResult, IncrementalPayloads } from '../../pipeline/operation-result.ts';
import { CORRELATION_ID_HEADER } from '../../platform/request-headers.ts';
import { GatewayError } from '../../platform/errors.ts';
import { admitResponse, errorResponseInTurn } from '../../platform/http/limits/edge-limits.ts';
import { bytesWhileWaiting, encodeLong } from '../../platform/http/limits/waiting-body.ts';
import { sendResponse } from '../../platform/http/response/send-response.ts';
import { DEFER_SPEC } from './negotiate-response.ts';

/** Dependencies for sending incremental payloads. */
export interface SendIncremental {
  readonly request: ReceivedRequest;
  readonly response: OutgoingResponse;
  readonly requestId: string;
  /** Budget that paid for the request. Its state is sent in the headers. */
  readonly budget: CallerBudget;
  /** Converts the error that ended the response early, and logs defects. Undefined when the client has disconnected. */
  readonly toGatewayError: (error: unknown) => GatewayError | undefined;
}

const PART_HEADER = 'content-type: application/json; charset=utf-8\r\n\r\n';
const DELIMITER = '\r\n---';

/**
 * Sends incremental payloads as `multipart/mixed` (RFC 2046, section 5.1; incremental delivery over HTTP, version of 2022-08-24). The
 * delimiter after a part is sent with that part, so that a reader knows that the part is complete. Never rejects, and always ends the body
 * correctly: the last part reports the payloads that cannot be sent.
 */
export async function sendIncremental(
  { body, facts, incremental }: BytesResult & { readonly incremental: IncrementalPayloads },
  senderOptions: SendIncremental,
): Promise<void> {
  const { request, response, requestId, budget, toGatewayError } = senderOptions;
  if (response.headersSent || response.destroyed) return incremental.cancel();
  const headers: OutgoingHttpHeaders = {
    'x-content-type-options': 'nosniff',
    [CORRELATION_ID_HEADER]: requestId,
    'cache-control': 'no-store',
    vary: 'Accept',
    'content-type': `multipart/mixed; boundary="-"; deferSpec=${DEFER_SPEC}`,
    ...(facts.headers as OutgoingHttpHeaders | undefined),
  };
  budget.writeRateLimitHeaders(headers);
  let { hasNext } = incremental;
  const first = DELIMITER + toMultipartPart(body, hasNext);
  const giveBack = admitResponse(request, response, bytesWhileWaiting(first));
  if (giveBack === undefined) {
    incremental.cancel();
    sendResponse(request, response, errorResponseInTurn(request));
    return;
  }
  response.writeHead(200, headers);
  if (request.method === 'HEAD') {
    response.end();
    return incremental.cancel();
  }
  await write(response, first);
  giveBack();
  try {
    while (hasNext) {
      const payload = await incremental.next();
      ({ hasNext } = payload);
      await writeCounted(request, response, toMultipartPart(payload.body, hasNext));
    }
  } catch (error) {
    const rejection = toGatewayError(error);
    if (rejection !== undefined) await write(response, toMultipartPart(incremental.giveUp(rejection), false));
  }
  response.end();
}

/** Formats a part: the text between its delimiter and the delimiter after it, which is included. */
function toMultipartPart(body: string, hasNext: boolean): string {
  return `\r\n${PART_HEADER}${body}${DELIMITER}${hasNext ? '' : '--\r\n'}`;
}

/** Resolves when the bytes are written or the connection is closed. @throws GatewayError `OVERLOADED` when the buffer limit is reached */
async function writeCounted(request: ReceivedRequest, response: OutgoingResponse, text: string): Promise<void> {
  const giveBack = admitResponse(request, response, bytesWhileWaiting(text));
  if (giveBack === undefined)
    throw new GatewayError('OVERLOADED', 'The next part cannot be buffered: too many responses are waiting to be read.');
  await write(response, text);
  giveBack();
}

/** Resolves when the bytes are written or the connection is closed. */
function write(response: OutgoingResponse, text: string): Promise<void> {
  return new Promise((resolve) => {
    if (response.destroyed) return resolve();
    response.write(encodeLong(text), () => resolve());
  });
}
