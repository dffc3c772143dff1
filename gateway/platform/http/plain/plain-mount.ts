import type { GatewayError } from '../../errors.ts';
import type { ServeRequest } from '../response/outgoing-response.ts';
import type { HttpResponse } from '../response/send-response.ts';
import type { ReceivedRequest } from './plain-request.ts';

/** Handler of plain requests that is mounted on a listener. */
export interface PlainMount {
  /** Serves a request that has passed the guard of raw requests. */
  readonly serve: ServeRequest;
  /** Formats an error of the listener. */
  readonly toErrorResponse: (error: GatewayError, request: Pick<ReceivedRequest, 'headers'>) => HttpResponse;
}
