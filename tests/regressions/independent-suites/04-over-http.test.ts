import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { silentLogger } from '../../../gateway/platform/logger.ts';
import { startLibraryGateway } from '../../fixtures/library-graph.ts';
import { sendRaw, statusesOf } from '../../support/http/raw-http.ts';

/** Size beyond what the kernel buffers for a client that does not read. */
const LARGE = Buffer.alloc(16_777_216, 1);
const GET_LARGE = 'GET /large HTTP/1.1\r\nHost: a\r\n\r\n';

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
}

/** Collects the events that log lines report. */
function recordingLogger() {
  const events: string[] = [];
  const warn = (facts: unknown): void => void events.push((facts as { event?: string }).event ?? '');
  return { logger: { ...silentLogger, warn, child: () => ({ ...silentLogger, warn }) }, events };
}

describe('point 04: unread responses, over HTTP', () => {
  /** Starts a gateway with a mounted handler that sends large responses, and counts the requests that reach it. */
  async function startLarge(options: Parameters<typeof startLibraryGateway>[0] = {}) {
    let served = 0;
    const library = await startLibraryGateway({
      ...options,
      prepare: (gateway) =>
        gateway.mount(
          (_request, response) => {
            served += 1;
            response.end(LARGE);
          },
          ['/large'],
        ),
    });
    const dial = (bytes: string): Socket => {
      const socket = connect(Number(new URL(library.url).port), '127.0.0.1', () => socket.write(bytes)).on('error', () => undefined);
      return socket.pause();
    };
    return { library, dial, served: () => served };
  }

  it('delay further requests of their connection', async () => {
    const { library, dial, served } = await startLarge();
    await using _ = library;
    const socket = dial(GET_LARGE.repeat(4));
    while (served() === 0) await turns(1);
    await turns(100);
    expect(served()).toBe(1);
    socket.resume();
    while (served() < 4) await turns(1);
    socket.destroy();
  });

  it('are dropped after the configured time, with a log line', async () => {
    const { logger, events } = recordingLogger();
    const { library, dial } = await startLarge({ config: { server: { writeTimeoutMs: 40 } }, logger });
    await using _ = library;
    const socket = dial(GET_LARGE);
    while (!events.includes('writeStalled')) await turns(10);
    await once(socket.resume(), 'close');
    expect(socket.bytesRead).toBeLessThan(LARGE.length);
  });
});

describe('point 04: connections beyond the bound', () => {
  it('are rejected with a log line', async () => {
    const { logger, events } = recordingLogger();
    await using library = await startLibraryGateway({ config: { server: { maxConnections: 1 } }, logger });
    const held = connect(Number(new URL(library.url).port), '127.0.0.1');
    await once(held, 'connect');
    expect(statusesOf(await sendRaw(library.url, 'GET /graphql?query={__typename} HTTP/1.1\r\nHost: a\r\n\r\n'))).toEqual([503]);
    expect(events).toContain('connectionRejected');
    held.destroy();
  });
});

describe('point 04: bytes of request bodies beyond the bound, over HTTP', () => {
  const post = async (url: string, body: string): Promise<number> => {
    const headers = { 'content-type': 'application/json', connection: 'close' };
    const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body });
    await response.arrayBuffer();
    return response.status;
  };
  const headOf = (length: number): string =>
    `POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nAccept: application/json\r\nContent-Length: ${length}\r\n\r\n`;

  it('are rejected with 503 and a log line', async () => {
    const { logger, events } = recordingLogger();
    await using library = await startLibraryGateway({ config: { server: { maxPendingBodyBytes: 100_000 } }, logger });
    const slow = connect(Number(new URL(library.url).port), '127.0.0.1');
    slow.write(headOf(90_000) + 'x'.repeat(80_000));
    let status = 200;
    // Repeats until the gateway has read the bytes of the slow request.
    while (status === 200) status = await post(library.url, JSON.stringify({ query: '{ __typename }', padding: 'x'.repeat(60_000) }));
    expect(status).toBe(503);
    expect(events).toContain('bodyRejected');
    slow.destroy();
  });
});
