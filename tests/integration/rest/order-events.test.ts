import { expect, it } from '@jest/globals';
import { describeOnStack } from '../../support/stack/shared-stack.ts';
import { readStream } from '../../support/streams/stream-reader.ts';

const EVENTS = { accept: 'text/event-stream' };

/** Start position of the stream. The subgraph listens once it was sent, so every later event is delivered. */
const LISTENS = /^id: .+\n\n/m;

/** Returns the last event of the received text. @throws Error when it has no ID */
function lastEvent(text: string): { readonly id: string; readonly event: unknown } {
  // A position, which is an ID without data, may follow the event.
  const [, id, data] = [...text.matchAll(/^id: (.+)\ndata: (.+)\n\n/gm)].at(-1) ?? [];
  if (id === undefined || data === undefined) throw new Error(`The last event has no ID: ${text}`);
  return { id, event: JSON.parse(data) };
}

describeOnStack('events of an order', ({ http, tokens, newUser, newOrder }) => {
  const cancel = (order: number, token: string) =>
    http.send({ method: 'DELETE', path: `/orders/${order}`, token, headers: { 'if-match': '*' } });
  const confirm = async (order: number, token: string) => {
    const response = await http.send({ method: 'PATCH', path: `/orders/${order}`, json: { status: 'CONFIRMED' }, token });
    expect(response.status).toBe(200);
  };
  const follow = (order: number, token: string, headers: Record<string, string> = {}, query = '') =>
    readStream(`${http.origin}/orders/${order}/events${query}`, { headers: { ...EVENTS, authorization: `Bearer ${token}`, ...headers } });

  it.each([
    ['an anonymous caller', undefined, EVENTS, '/orders/1/events', 401, 'UNAUTHENTICATED'],
    ['a client that does not accept events', 'user1', { accept: 'application/json' }, '/orders/1/events', 406, 'NOT_ACCEPTABLE'],
    ['an invalid order ID', 'user1', EVENTS, '/orders/one/events', 404, 'NOT_FOUND'],
    ['an unknown parameter', 'user1', EVENTS, '/orders/1/events?page=1', 400, 'UNKNOWN_PARAMETER'],
    ['an unknown field', 'user1', EVENTS, '/orders/1/events?fields=colour', 400, 'INVALID_PARAMETER'],
    ['an event ID that is too long', 'user1', { ...EVENTS, 'last-event-id': 'x'.repeat(300) }, '/orders/1/events', 400, 'BAD_REQUEST'],
  ] as const)('opens no stream for %s', async (...row) => {
    const [, caller, headers, path, status, error] = row;
    const response = await http.get(path, { headers, token: caller && tokens[caller] });
    expect({ status: response.status, error: response.body['error'] }).toEqual({ status, error });
  });

  it('HEAD returns the headers of GET, and OPTIONS lists the methods', async () => {
    const head = await http.send({ method: 'HEAD', path: '/orders/1/events', token: tokens.user1, headers: EVENTS });
    expect({ status: head.status, type: head.headers['content-type'] }).toEqual({ status: 200, type: 'text/event-stream; charset=utf-8' });
    // A stream has no length, and a length of 0 would mean an empty response (RFC 9110, section 8.6).
    expect(head.headers).not.toHaveProperty('content-length');
    const odd = { ...EVENTS, 'last-event-id': 'x'.repeat(300) };
    expect((await http.send({ method: 'HEAD', path: '/orders/1/events', token: tokens.user1, headers: odd })).status).toBe(400);
    const options = await http.send({ method: 'OPTIONS', path: '/orders/1/events' });
    expect(options.headers['allow']).toBe('GET, HEAD, OPTIONS');
    expect((await http.post('/orders/1/events', {}, { token: tokens.user1 })).status).toBe(405);
  });

  it('sends the resource as an event, and after a reconnect only the missed events', async () => {
    const owner = await newUser();
    const order = await newOrder(owner);
    let seenId = '';
    {
      await using stream = await follow(order, owner.token);
      expect({ status: stream.status, type: stream.headers.get('content-type') }).toEqual({
        status: 200,
        type: 'text/event-stream; charset=utf-8',
      });
      await stream.until(LISTENS);
      await confirm(order, owner.token);
      const { id, event } = lastEvent(await stream.until(/"CONFIRMED".*\n\n/));
      seenId = id;
      expect(event).toEqual({ kind: 'STATUS_CHANGED', orderId: order, status: 'CONFIRMED', version: 2, at: expect.any(String) });
    }
    expect((await cancel(order, owner.token)).status).toBe(204);

    await using again = await follow(order, owner.token, { 'last-event-id': seenId });
    const missed = await again.until(/"CANCELLED".*\n\n/);
    expect(missed).not.toContain('CONFIRMED');
    const { id, event } = lastEvent(missed);
    expect(event).toMatchObject({ orderId: order, status: 'CANCELLED', version: 3 });
    expect(id).not.toBe(seenId);
  });

  it('sends only the selected fields in each event', async () => {
    const owner = await newUser();
    const order = await newOrder(owner);
    await using stream = await follow(order, owner.token, {}, '?fields=status');
    await stream.until(LISTENS);
    await cancel(order, owner.token);
    expect(await stream.until(/data: \{/)).toMatch(/data: \{"status":"CANCELLED"\}\n/);
  });
});
