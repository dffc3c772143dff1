import type { EventEnvelope } from '../../pipeline/event-stream.ts';
import type { StreamFormat } from '../stream-format.ts';

const COMPLETE = 'event: complete\ndata:\n\n';

/** What would end a line of its own (HTML, section "Server-sent events", 9.2.6), or makes browsers pass an id over. */
const UNWRITABLE = /[\r\n\0]/;

/** The "distinct connections" mode of https://github.com/enisdenjo/graphql-sse: one stream for each operation. */
export const SSE: StreamFormat = {
  contentType: 'text/event-stream; charset=utf-8',
  begin: ':\n\n',
  heartbeat: ':\n\n',
  event: ({ eventId, result }: EventEnvelope) => {
    const id = eventId === undefined || UNWRITABLE.test(eventId) ? '' : `id: ${eventId}\n`;
    return `event: next\n${id}data: ${result.body}\n\n`;
  },
  complete: COMPLETE,
  fail: (errors) => `event: next\ndata: ${JSON.stringify({ errors })}\n\n${COMPLETE}`,
  // Without `complete`: a client that is told so does not come back.
  leave: (retryMs) => `retry: ${retryMs}\n\n`,
  once: ({ body }) => `event: next\ndata: ${body}\n\n${COMPLETE}`,
};
