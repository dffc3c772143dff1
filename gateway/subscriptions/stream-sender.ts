import type { OutgoingResponse } from '../platform/http/response/outgoing-response.ts';
import type { CallerBudget } from '../budget/caller-budget.ts';
import type { EventStream } from '../pipeline/streams/event-stream.ts';
import { GatewayError } from '../platform/errors.ts';
import { exemptConnection } from '../platform/http/limits/edge-limits.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';
import type { Admission } from './admission.ts';
import { HttpStream, type HttpStreamRules } from './http-stream.ts';
import type { Permissions } from './permissions.ts';
import type { StreamFormat } from './stream-formats.ts';

/** Response and format for the events of one request. */
export interface StreamDelivery {
  /** Response whose headers have not been written. */
  readonly response: OutgoingResponse;
  /** Headers of the response, in addition to those of the caller's budget. */
  readonly headers: Readonly<Record<string, string>>;
  readonly format: StreamFormat;
  /** Converts the error that ended the stream early, and logs defects. */
  readonly toGatewayError: (error: unknown) => GatewayError;
}

/** Caller that receives a stream. */
export interface StreamCaller {
  readonly permissions: Permissions;
  readonly remoteAddress: string;
  readonly budget: CallerBudget | undefined;
  /** Id of the request in error responses. */
  readonly requestId: string;
}

/** Counts, monitors and drains all streams over HTTP, for every transport. */
export interface StreamSender {
  /**
   * Counts a stream that is about to be opened, until its response has ended.
   *
   * @throws GatewayError `SUBSCRIPTION_LIMIT`; `OVERLOADED` when the gateway is shutting down or the client has disconnected
   */
  reserveSlot(caller: StreamCaller, response: OutgoingResponse): void;
  /** Writes headers and events until the stream ends or the client disconnects. Never rejects. */
  send(stream: EventStream, caller: StreamCaller, delivery: StreamDelivery): Promise<void>;
}

export interface StreamSenderOptions {
  readonly admission: Admission;
  /** Returns the prefix of an address that a client cannot easily change. */
  readonly networkOf: (remoteAddress: string, headers: RequestHeaders) => string;
  readonly streams: HttpStreamRules;
}

export function createStreamSender({ admission, networkOf, streams }: StreamSenderOptions): StreamSender {
  return {
    reserveSlot({ permissions: { principal, headers }, remoteAddress }, response) {
      if (streams.connections.isDraining) throw closing();
      if (response.destroyed) throw clientDisconnected(); // 'close' was emitted already, so the slot would never be released
      const slot = admission.enter(networkOf(remoteAddress, headers));
      // A stream counts here, and not as a plain connection of its listener.
      const countAgain = response.socket === null ? undefined : exemptConnection(response.socket);
      response.on('close', () => {
        slot.release();
        countAgain?.();
      });
      slot.claim(principal);
    },
    async send(stream, { permissions, budget, requestId }, { headers, ...delivery }) {
      const head: Record<string, string> = { ...headers };
      budget?.writeRateLimitHeaders(head);
      await new HttpStream(streams, { ...delivery, stream, headers: head, permissions, requestId }).send();
    },
  };
}

/** Makes an error that appears only in logs and metrics. */
function clientDisconnected(): GatewayError {
  return new GatewayError('OVERLOADED', 'The client has disconnected.');
}

function closing(): GatewayError {
  return new GatewayError('OVERLOADED', 'The gateway is shutting down; try again in a moment.', { headers: { 'retry-after': '1' } });
}
