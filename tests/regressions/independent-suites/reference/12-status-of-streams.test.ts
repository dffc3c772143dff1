import { expect, it } from '@jest/globals';
import { describeOnStack } from '../../../support/stack/shared-stack.ts';
import { readStream } from '../../../support/streams/stream-reader.ts';

const EVENTS = { accept: 'text/event-stream' };
const UNKNOWN_ORDER = 999_999_999;

describeOnStack('point 12: an event stream has the status of its resource', ({ http, tokens, newUser, newOrder }) => {
  it.each(['GET', 'HEAD'])('rejects %s of an unknown, a foreign and an anonymous stream like GET of the order', async (method) => {
    const order = await newOrder(await newUser());
    const callers = [
      [UNKNOWN_ORDER, tokens.user1, 404],
      [UNKNOWN_ORDER, tokens.admin, 404],
      [order, tokens.user1, 403],
      [order, undefined, 401],
    ] as const;
    for (const mount of ['', '/api', '/v2']) {
      for (const [id, token, status] of callers) {
        const read = await http.get(`${mount}/orders/${id}`, { token });
        const stream = await http.send({ method, path: `${mount}/orders/${id}/events`, token, headers: EVENTS });
        expect([read.status, stream.status]).toEqual([status, status]);
        if (method === 'GET') expect(stream.body['error']).toBe(read.body['error']);
        expect(stream.headers['content-type']).not.toContain('event-stream');
      }
    }
  });

  it.each(['', '/v2'])("opens the stream of a caller's own order, and of every order for an administrator (%s)", async (mount) => {
    const owner = await newUser();
    const order = await newOrder(owner);
    for (const token of [owner.token, tokens.admin]) {
      const headers = { ...EVENTS, authorization: `Bearer ${token}` };
      await using stream = await readStream(`${http.origin}${mount}/orders/${order}/events`, { headers });
      expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    }
  });

  it('documents 401, 403 and 404 of the stream', async () => {
    const { body } = await http.get<{ paths: Record<string, { get: { responses: object } }> }>('/openapi.json');
    expect(Object.keys(body.paths['/orders/{order_id}/events']?.get.responses ?? {})).toEqual(
      expect.arrayContaining(['200', '401', '403', '404']),
    );
  });
});
