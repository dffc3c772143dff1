import type { EventEnvelope } from '../../pipeline/event-stream.ts';
import { writeIdLine } from '../../platform/http/event-id.ts';
import type { StreamFormat } from '../stream-format.ts';

const COMPLETE = 'event: complete\ndata:\n\n';

/** The "distinct connections" mode of https://github.com/enisdenjo/graphql-sse: one stream for each operation. */
export const SSE: StreamFormat = {
  contentType: 'text/event-stream; charset=utf-8',
  begin: ':\n\n',
  heartbeat: ':\n\n',
  event: ({ eventId, result, isMark }: EventEnvelope) => {
    const id = writeIdLine(eventId);
    // Without data it is no event: browsers, and whoever else goes by the standard, remember the id and tell nobody.
    if (isMark === true) return `${id}\n`;
    return `event: next\n${id}data: ${result.body}\n\n`;
  },
  complete: COMPLETE,
  fail: (errors) => `event: next\ndata: ${JSON.stringify({ errors })}\n\n${COMPLETE}`,
  // Without `complete`: a client that is told so does not come back.
  leave: (retryMs) => `retry: ${retryMs}\n\n`,
  once: ({ body }) => `event: next\ndata: ${body}\n\n${COMPLETE}`,
};
