import type { EventEnvelope, ObjectResult, StreamFormat } from '../../gateway/index.ts';
import { GatewayError, isErrorCode } from '../../gateway/platform/errors.ts';
import { writeIdLine } from '../../gateway/platform/http/request/event-id.ts';
import { toExecutionFailure } from '../errors/execution-failure.ts';
import type { Route } from '../mapping/route.ts';
import type { FieldSelection } from '../request/read-fields.ts';
import { sortErrors } from './denied-fields.ts';
import { isDataObject, valueAt } from './result-values.ts';
import { shapeResource } from './shape-resource.ts';

export const EVENT_STREAM_TYPE = 'text/event-stream';

/** How the events of one request are written. */
export interface EventFormatOptions {
  readonly route: Route;
  readonly fields: FieldSelection | undefined;
  /** Names the request in what it is told of failures. */
  readonly traceId: string;
}

/**
 * Server-sent events with the resource as their data: `onmessage` of a browser's `EventSource` gets them. `failure` is an event that
 * could not be shown, or the reason for the end of the stream; `end` says that there will be no more, and not to come back.
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
    event({ eventId, result, isMark }) {
      const id = writeIdLine(eventId);
      return isMark === true ? `${id}\n` : id + write(result);
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

/** What stands in an event: errors only where there are some. */
type PrintedResult = Pick<ObjectResult, 'data'> & Partial<Pick<ObjectResult, 'errors'>>;

/** The resource that an event shows. @throws GatewayError where it cannot be shown, by the rules of all answers to GET */
function showEvent({ data, errors = [] }: PrintedResult, { result, method }: Route, fields: FieldSelection | undefined): unknown {
  const { omitted, fatal } = sortErrors(errors, data, result, fields?.names);
  if (fatal.length > 0) throw toExecutionFailure(fatal, method);
  const root = valueAt(data, result.path);
  if (!isDataObject(root)) throw new GatewayError('NOT_FOUND', 'There is no such resource.');
  return shapeResource(root, result.shape, { omitted, mask: fields?.mask });
}
