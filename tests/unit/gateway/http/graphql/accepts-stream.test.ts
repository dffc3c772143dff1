import { describe, expect, it } from '@jest/globals';
import { createAcceptsStream } from '../../../../../gateway/http/graphql/negotiate-response.ts';

describe('negotiation of event streams', () => {
  const wish = (accept: string | undefined, method = 'GET') => ({ method, headers: accept === undefined ? {} : { accept } });

  it.each([
    [undefined, undefined],
    ['*/*', undefined],
    ['application/json', undefined],
    ['text/event-stream;q=0', undefined],
    ['text/event-streams', undefined],
    ['multipart/mixed', undefined],
    ['multipart/mixed;deferSpec=20220824', undefined],
    ['multipart/mixed;subscriptionSpec=2.0', undefined],
    [`${'a/b,'.repeat(300)}text/event-stream`, undefined],
    ['text/event-stream', 'sse'],
    ['application/json, TEXT/Event-Stream ; q=0.1', 'sse'],
    ['multipart/mixed;boundary="graphql";subscriptionSpec="1.0",application/json', 'multipart'],
    ['multipart/mixed;subscriptionSpec=1.0, text/event-stream', 'multipart'],
    ['text/event-stream, multipart/mixed;subscriptionSpec=1.0', 'sse'],
  ])('with Accept: %s results in %s', (accept, expected) => {
    expect(createAcceptsStream()(wish(accept))).toBe(expected);
  });

  it('reads each request separately when headers and methods change', () => {
    const acceptsStream = createAcceptsStream();
    const requests = [
      wish('text/event-stream'),
      wish('text/event-stream', 'HEAD'),
      wish('text/event-stream', 'PUT'),
      wish(undefined),
      wish('text/event-stream', 'POST'),
      wish('*/*'),
    ];
    expect(requests.map(acceptsStream)).toEqual(['sse', 'sse', undefined, undefined, 'sse', undefined]);
  });
});
