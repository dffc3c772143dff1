import type { EventEnvelope, EventStream } from '../../pipeline/streams/event-stream.ts';
import { errorCodeOf } from '../../platform/operation-recorder.ts';
import type { OperationRecord } from '../records/operation-record.ts';
import type { Recording } from './recording.ts';

/** Counts the events of a subscription, and records why it ended. */
export function recordStream(
  stream: EventStream,
  operation: OperationRecord,
  recording: Pick<Recording, 'streamOpened' | 'eventSent'>,
): EventStream {
  operation.events = 0;
  operation.openedAt = operation.now();
  recording.streamOpened(operation);

  function end(reason: string): void {
    operation.endReason ??= reason;
    operation.end();
  }

  const recorded: EventStream = {
    async next(): Promise<IteratorResult<EventEnvelope, undefined>> {
      try {
        const result = await stream.next();
        if (result.done === true) end('completed');
        else if (result.value.isBookmark !== true) {
          operation.events = (operation.events ?? 0) + 1;
          recording.eventSent(operation);
        }
        return result;
      } catch (error) {
        const code = errorCodeOf(error);
        if (operation.endedAt === undefined) operation.errorCodes = [code];
        end(code);
        throw error;
      }
    },
    return(reason = 'client_closed') {
      end(reason);
      return stream.return(reason);
    },
    [Symbol.asyncIterator]: () => recorded,
  };
  return recorded;
}
