import { once } from 'node:events';
import { buffer, text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { readBody } from '../../../../../../gateway/platform/http/request/read-body.ts';
import type { OutgoingResponse, ServeRequest } from '../../../../../../gateway/platform/http/response/outgoing-response.ts';
import { sendResponse } from '../../../../../../gateway/platform/http/response/send-response.ts';
import { clientDisconnectSignal } from '../../../../../../gateway/platform/http/server/disconnect-signal.ts';
import { statusesOf } from '../../../../../support/http/raw-http.ts';
import { BOTH_WAYS, dial } from './both-ways.ts';

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const LAST = 'GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
const LARGE = Buffer.alloc(20_000_000, 'a');

const small: ServeRequest = (request, response) => {
  readBody(request, { maxBytes: 100 }).then(
    (body) => sendResponse(request, response, { status: 200, headers: {}, body }),
    () => response.destroy(),
  );
};

/** Handler that does not respond, with the responses that are expected of it. */
function holding(): { readonly serve: ServeRequest; first(): Promise<OutgoingResponse> } {
  const held: OutgoingResponse[] = [];
  return {
    serve: (_request, response) => void held.push(response),
    async first() {
      while (held.length === 0) await nextTurn();
      const [response] = held;
      if (response === undefined) throw new Error('No request has been received.');
      return response;
    },
  };
}

describe.each(BOTH_WAYS)('a connection whose requests are read by %s', (_way, open) => {
  it.each([
    ['resets it', 'resetAndDestroy'],
    ['closes it', 'destroy'],
    ['closes its side', 'end'],
  ] as const)('aborts the request in progress when the client %s', async (_what, act) => {
    const { serve, first } = holding();
    await using listener = await open(serve);
    const socket = dial(listener);
    socket.write(GET);
    const response = await first();
    const signal = clientDisconnectSignal(response.req.socket);
    const closed = once(response as unknown as NodeJS.EventEmitter, 'close');
    socket[act]();
    await closed;
    expect(response).toMatchObject({ destroyed: true, writableFinished: false });
    expect(signal.aborted).toBe(true);
    expect(response.write('late')).toBe(false);
  });

  it('closes the response when the client disconnects before it has read all of it', async () => {
    const { serve, first } = holding();
    await using listener = await open(serve);
    const socket = dial(listener).pause();
    socket.write(GET);
    const response = await first();
    const closed = once(response as unknown as NodeJS.EventEmitter, 'close');
    response.end(LARGE);
    await nextTurn();
    expect(response).toMatchObject({ writableEnded: true, writableFinished: false, closed: false });
    socket.destroy();
    await closed;
    expect(response).toMatchObject({ destroyed: true, closed: true });
  });

  it('sends a large response to a client that reads slowly, and serves the request behind it', async () => {
    await using listener = await open((request, response) => {
      if (request.url === '/last') return small(request, response);
      sendResponse(request, response, { status: 200, headers: {}, body: LARGE });
    });
    const socket = dial(listener).pause();
    socket.write(GET);
    for (let turn = 0; turn < 50; turn += 1) await nextTurn();
    socket.write(LAST);
    const received = (await buffer(socket)).toString('latin1');
    expect(statusesOf(received)).toEqual([200, 200]);
    expect(received.length).toBeGreaterThan(LARGE.length);
  });

  it.each([
    ['head', 'GET / HTTP/1.1\r\n', { headersTimeoutMs: 1 }],
    ['body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\na', { headersTimeoutMs: 1, requestTimeoutMs: 1 }],
  ] as const)('receives 408 if the %s of a further request does not arrive in time', async (_what, begun, timeouts) => {
    await using listener = await open(small, timeouts);
    const socket = dial(listener);
    socket.write(GET);
    await once(socket, 'data');
    socket.write(begun);
    expect(statusesOf(await text(socket))).toEqual([408]);
  });

  it.each([
    ['before the first request', '', [408], { headersTimeoutMs: 1 }],
    ['after a response', GET, [200], { keepAliveTimeoutMs: 1 }],
  ] as const)('is closed when it is idle for too long %s', async (_what, bytes, statuses, timeouts) => {
    await using listener = await open(small, timeouts);
    const socket = dial(listener);
    socket.write(bytes);
    expect(statusesOf(await text(socket))).toEqual(statuses);
  });

  it('is closed after the responses that follow the announcement of its end', async () => {
    const { serve, first } = holding();
    await using listener = await open((request, response) => (request.method === 'GET' ? small : serve)(request, response));
    const [busy, idle] = [dial(listener), dial(listener)];
    idle.write(GET);
    await once(idle, 'data');
    busy.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n');
    const response = await first();
    listener.announceEnd();
    idle.write(GET);
    response.end('done');
    for (const socket of [busy, idle]) expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.+\r\n)*connection: close\r\n/i);
  });

  it('upgrades to another protocol after a response', async () => {
    await using listener = await open(small, {
      upgrade: { wants: () => true, take: (_request, socket) => void socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\nhello') },
    });
    const socket = dial(listener);
    socket.write(GET);
    await once(socket, 'data');
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: greeting\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 101 [^]*hello$/);
  });

  it('receives 100 Continue after a response', async () => {
    await using listener = await open(small);
    const socket = dial(listener);
    socket.write(GET);
    await once(socket, 'data');
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: 1\r\n\r\n');
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 100 Continue\r\n/);
    socket.write('a');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 [^]*\r\n\r\na$/);
  });
});
