import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type Socket, connect } from 'node:net';
import { describe, expect } from '@jest/globals';
import { type LibraryGateway, type LibraryGatewayOptions, startLibraryGateway } from '../../fixtures/library-graph.ts';
import { sendRaw, statusesOf } from '../../support/http/raw-http.ts';
import { type WaitingCase, itAtTheSameTime } from '../../support/time/at-the-same-time.ts';
import { eventually } from '../../support/time/eventually.ts';

const GET_UNKNOWN = 'GET /unknown HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
const HANDSHAKE: Readonly<Record<string, string>> = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': `${'A'.repeat(22)}==`,
  'sec-websocket-protocol': 'graphql-transport-ws',
};
const MAX_CONNECTIONS = 4;
/** Number of connections far beyond the bound. */
const MANY = 200;

function upgradeWith(headers: Readonly<Record<string, string>>, method = 'GET'): string {
  const lines = Object.entries({ ...HANDSHAKE, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} /graphql HTTP/1.1\r\nHost: a\r\n${lines.join('')}\r\n`;
}

const BAD_TOKEN = upgradeWith({ authorization: 'Bearer none' });

interface RejectedUpgrade {
  readonly bytes: string;
  readonly status: number;
  readonly config?: LibraryGatewayOptions['config'];
}

const REJECTIONS: Readonly<Record<string, RejectedUpgrade>> = {
  credentials: { bytes: BAD_TOKEN, status: 401 },
  origin: { bytes: upgradeWith({ origin: 'https://other.example' }), status: 403 },
  subprotocol: { bytes: upgradeWith({ 'sec-websocket-protocol': 'graphql-ws' }), status: 400 },
  version: { bytes: upgradeWith({ 'sec-websocket-version': '12' }), status: 426 },
  'method, with a body': { bytes: `${upgradeWith({ 'content-length': '100000' }, 'POST')}x`, status: 405 },
  'credentials, behind another request': { bytes: `GET /health HTTP/1.1\r\nHost: a\r\n\r\n${BAD_TOKEN}`, status: 401 },
  'credentials, before other bytes': { bytes: `${BAD_TOKEN}${'x'.repeat(100)}`, status: 401 },
  maintenance: { bytes: BAD_TOKEN, status: 503, config: { maintenance: { enabled: true } } },
};

/** Client that holds its side of every connection open until it is disposed. */
class HalfOpenClient implements Disposable {
  readonly held: Socket[] = [];
  readonly #url: string;

  constructor({ url }: LibraryGateway) {
    this.#url = url;
  }

  dial(bytes: string): Socket {
    const socket = connect({ port: Number(new URL(this.#url).port), host: '127.0.0.1', allowHalfOpen: true });
    this.held.push(socket.on('error', () => undefined));
    socket.write(bytes);
    return socket;
  }

  /** Sends an upgrade, reads the error response to the end, and closes nothing. */
  async holdRejected(bytes: string): Promise<number | undefined> {
    const socket = this.dial(bytes);
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
    });
    await once(socket, 'end');
    return statusesOf(text).at(-1);
  }

  [Symbol.dispose](): void {
    for (const socket of this.held) socket.destroy();
  }
}

async function countUntilClosed(): Promise<void> {
  const library = await startLibraryGateway({ config: { server: { maxConnections: MAX_CONNECTIONS } } });
  using client = new HalfOpenClient(library);
  const statuses = new Set<number | undefined>();
  while (!statuses.has(503) && client.held.length < MANY) statuses.add(await client.holdRejected(BAD_TOKEN));
  expect(statuses).toEqual(new Set([401, 503]));
  await library[Symbol.asyncDispose]();
}

async function areClosed({ bytes, status, config }: RejectedUpgrade): Promise<void> {
  const library = await startLibraryGateway({ config: { ...config, server: { maxConnections: MAX_CONNECTIONS } } });
  using client = new HalfOpenClient(library);
  const statuses = await Promise.all(Array.from({ length: MAX_CONNECTIONS }, () => client.holdRejected(bytes)));
  expect(statuses).toEqual(statuses.map(() => status));
  // Until the gateway has closed the connections, it has capacity for health requests only.
  await eventually(async () => !(await sendRaw(library.url, GET_UNKNOWN)).includes('OVERLOADED'), { everyMs: 20 });
  await library[Symbol.asyncDispose]();
}

async function areClosedWithTooManyStreams(): Promise<void> {
  const limits = { maxConnectionsPerAddress: 1 };
  const library = await startLibraryGateway({ config: { subscriptions: limits, server: { maxConnections: MAX_CONNECTIONS } } });
  using client = new HalfOpenClient(library);
  const opened = client.dial(upgradeWith({}));
  await once(opened, 'data');
  expect(await client.holdRejected(upgradeWith({}))).toBe(429);
  opened.destroy();
  await library[Symbol.asyncDispose]();
}

async function doNotHoldUpTheEnd(): Promise<void> {
  const library = await startLibraryGateway();
  using client = new HalfOpenClient(library);
  for (const { bytes } of Object.values(REJECTIONS)) await client.holdRejected(bytes);
  await library[Symbol.asyncDispose]();
}

async function doNotHoldUpTheEndBehindAnother(): Promise<void> {
  const unanswered: ServerResponse[] = [];
  const library = await startLibraryGateway({
    config: { server: { drainTimeoutMs: 50 } },
    prepare: (gateway) => gateway.mount((_request, response) => void unanswered.push(response), ['/never']),
  });
  using client = new HalfOpenClient(library);
  client.dial(`GET /never HTTP/1.1\r\nHost: a\r\n\r\n${BAD_TOKEN}`);
  while (unanswered.length === 0) await new Promise(setImmediate);
  await library[Symbol.asyncDispose]();
}

describe('point 04: rejected upgrades whose clients leave the connection half open', () => {
  itAtTheSameTime([
    ['count as connections until they are closed', countUntilClosed],
    ...Object.entries(REJECTIONS).map(
      ([title, rejected]): WaitingCase => [`are closed by the gateway (${title})`, async () => areClosed(rejected)],
    ),
    ['are closed by the gateway (too many streams)', areClosedWithTooManyStreams],
    ['do not delay the shutdown of the gateway', doNotHoldUpTheEnd],
    ['do not delay the shutdown when a request before them never gets a response', doNotHoldUpTheEndBehindAnother],
  ]);
});
