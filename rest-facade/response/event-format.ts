import type { EventEnvelope, ObjectResult, StreamFormat } from '../../gateway/index.ts';
import { GatewayError, isErrorCode } from '../../gateway/platform/errors.ts';
import { writeIdLine } from '../../gateway/platform/http/request/event-id.ts';
import type { RestRoute } from '../compile/rest-route.ts';
import type { FieldSelection } from '../compile/result/field-mask.ts';
import { toExecutionError } from '../errors/operation-error.ts';
import { classifyErrors } from './classify-errors.ts';
import { isResultObject, valueAt } from './result-data.ts';
import { shapeResource } from './shape-resource.ts';

export const EVENT_STREAM_TYPE = 'text/event-stream';

/** Options for the events of one request. */
export interface EventFormatOptions {
  readonly route: RestRoute;
  readonly fields: FieldSelection | undefined;
  /** Trace id for error events. */
  readonly traceId: string;
}

/**
 * Creates the format of server-sent events with the resource as data, which `onmessage` of a browser's `EventSource` receives. The event
 * `failure` reports an event that could not be shown, or the error that ended the stream. The event `end` instructs the client not to
 * reconnect.
 */
export function createEventFormat({ route, fields, traceId }: EventFormatOptions): StreamFormat {
  const fail = (error: GatewayError): string => {
    const { code, message } = error;
    return `event: failure\ndata: ${JSON.stringify({ error: code, message, traceId })}\n\n`;
  };
  const write = (result: EventEnvelope['result']): string => {
    try {
      return `data: ${JSON.stringify(showEvent(JSON.parse(result.body) as PrintedResult, route, fields))}\n\n`;
    } catch (error) {
      if (error instanceof GatewayError) return fail(error);
      throw error;
    }
  };
  return {
    contentType: `${EVENT_STREAM_TYPE}; charset=utf-8`,
    begin: ':\n\n',
    heartbeat: ':\n\n',
    event({ eventId, result, isBookmark }) {
      const id = writeIdLine(eventId);
      return isBookmark === true ? `${id}\n` : id + write(result);
    },
    complete: 'event: end\ndata:\n\n',
    fail([first]) {
      const code = first?.extensions.code ?? '';
      const known = first?.extensions.subgraph === undefined && isErrorCode(code) ? code : 'INTERNAL_SERVER_ERROR';
      return fail(new GatewayError(known, first?.message ?? ''));
    },
    leave: (retryMs) => `retry: ${retryMs}\n\n`,
  };
}

/** Data of an event. `errors` is absent if there are none. */
type PrintedResult = Pick<ObjectResult, 'data'> & Partial<Pick<ObjectResult, 'errors'>>;

/** Returns the resource of an event. @throws GatewayError if it cannot be shown, by the same rules as for GET */
function showEvent({ data, errors = [] }: PrintedResult, { result, method }: RestRoute, fields: FieldSelection | undefined): unknown {
  const { omitted, fatal } = classifyErrors(errors, data, result, fields?.names);
  if (fatal.length > 0) throw toExecutionError(fatal, method);
  const root = valueAt(data, result.path);
  if (!isResultObject(root)) throw new GatewayError('NOT_FOUND', 'The resource does not exist.');
  return shapeResource(root, result.shape, { omitted, mask: fields?.mask });
}
