import type { ReceivedRequest } from '../../platform/http/plain/plain-request.ts';
import type { OutgoingResponse } from '../../platform/http/response/outgoing-response.ts';
import { isHealth } from '../../http/internal/health.ts';
import type { RecordUpgrade } from '../../http/server/websocket-upgrade.ts';
import { RecordedTrace } from '../records/recorded-trace.ts';
import { RequestRecord } from '../records/request-record.ts';
import type { Recording } from './recording.ts';

/** Handler of requests of Node.js, or of both ways in. */
type Handle<Request, Response> = (request: Request, response: Response) => void;

/** Returns a function that records upgrades which are rejected, as requests. An upgrade that is accepted is not a request. */
export function recordUpgrades(recording: Recording): RecordUpgrade {
  const { clock, sample, observer, countsBytes } = recording;
  return (request) => {
    const record = new RequestRecord(request, new RecordedTrace(request.headers, sample), clock, observer);
    if (countsBytes) record.countBytes(request);
    return (response) => {
      recording.begin(request.headers, record);
      response.once('close', () => {
        record.end(request, response);
        recording.end(record);
      });
    };
  };
}

/** Records all requests of a handler, except health checks. A request ends when its response is closed. */
export function recordRequests<Request extends ReceivedRequest, Response extends OutgoingResponse>(
  handle: Handle<Request, Response>,
  recording: Recording,
  isRecorded: (target: string) => boolean = isClientRequest,
): Handle<Request, Response> {
  const { clock, sample, observer, countsBytes } = recording;

  function end(record: RequestRecord, request: ReceivedRequest, response: OutgoingResponse): void {
    record.end(request, response);
    recording.end(record);
  }

  return (request, response) => {
    if (isRecorded(request.url ?? '')) {
      const { headers } = request;
      const record = new RequestRecord(request, new RecordedTrace(headers, sample), clock, observer);
      if (countsBytes) record.countBytes(request);
      recording.begin(headers, record);
      response.on('close', () => {
        // Streams end in other listeners of the same event. `queueMicrotask` would create an AsyncResource for each request.
        if (record.hasOpenOperation) process.nextTick(end, record, request, response);
        else end(record, request, response);
      });
    }
    handle(request, response);
  };
}

function isClientRequest(target: string): boolean {
  return !target.startsWith('/health') || !isHealth(target);
}

/** Whether a request to the internal listener executes an operation. Requests of operators are not recorded. */
export function isServiceRequest(target: string): boolean {
  return target === '/graphql' || target.startsWith('/graphql?');
}
