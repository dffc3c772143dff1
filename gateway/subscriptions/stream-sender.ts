import type { ServerResponse } from 'node:http';
import type { CallerBudget } from '../budget/caller-budget.ts';
import type { EventStream } from '../pipeline/event-stream.ts';
import { GatewayError } from '../platform/errors.ts';
import { exemptConnection } from '../platform/http/limits/edge-limits.ts';
import type { RequestHeaders } from '../platform/request-headers.ts';
import type { Admission } from './admission.ts';
import { HttpStream, type HttpStreamRules } from './http-stream.ts';
import type { Rights } from './permissions.ts';
import type { StreamFormat } from './stream-formats.ts';

/** Where the events of one request go, and how they are written. */
export interface StreamDelivery {
  /** Its head has not been written. */
  readonly response: ServerResponse;
  /** Of its head, beside what is left of the caller's budget. */
  readonly headers: Readonly<Record<string, string>>;
  readonly format: StreamFormat;
  /** Makes a refusal of what ends the stream early, and logs defects. */
  readonly toRefusal: (error: unknown) => GatewayError;
}

/** Whom a stream goes to. */
export interface StreamCaller {
  readonly rights: Rights;
  readonly remoteAddress: string;
  readonly budget: CallerBudget | undefined;
  /** Names the request in what the caller is told of failures. */
  readonly requestId: string;
}

/** Counts, watches and drains all streams over HTTP, whichever door they came in by. */
export interface StreamSender {
  /**
   * Counts a stream that is about to be opened, until its response has ended.
   *
   * @throws GatewayError `SUBSCRIPTION_LIMIT`; `OVERLOADED` where the gateway closes, or the client has left already
   */
  takePlace(caller: StreamCaller, response: ServerResponse): void;
  /** Writes head and events until the stream or the client ends. Never rejects. */
  send(stream: EventStream, caller: StreamCaller, delivery: StreamDelivery): Promise<void>;
}

export interface StreamSenderOptions {
  readonly admission: Admission;
  /** What one client can hardly change of its address. */
  readonly networkOf: (remoteAddress: string, headers: RequestHeaders) => string;
  readonly streams: HttpStreamRules;
}

export function createStreamSender({ admission, networkOf, streams }: StreamSenderOptions): StreamSender {
  return {
    takePlace({ rights: { principal, headers }, remoteAddress }, response) {
      if (streams.connections.isDraining) throw closing();
      if (response.destroyed) throw gone(); // its place would be given back by a 'close' that has been
      const place = admission.enter(networkOf(remoteAddress, headers));
      // A stream counts here, and not among the plain connections of its listener.
      const countAgain = response.socket === null ? undefined : exemptConnection(response.socket);
      response.on('close', () => {
        place.release();
        countAgain?.();
      });
      place.claim(principal);
    },
    async send(stream, { rights, budget, requestId }, { headers, ...delivery }) {
      const head: Record<string, string> = { ...headers };
      budget?.tell(head);
      await new HttpStream(streams, { ...delivery, stream, headers: head, rights, requestId }).send();
    },
  };
}

/** Read by nobody but logs and metrics. */
function gone(): GatewayError {
  return new GatewayError('OVERLOADED', 'The client has left.');
}

function closing(): GatewayError {
  return new GatewayError('OVERLOADED', 'The gateway closes; try again in a moment.', { headers: { 'retry-after': '1' } });
}
