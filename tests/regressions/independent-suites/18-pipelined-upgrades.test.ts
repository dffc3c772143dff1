import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LibraryGateway, startLibraryGateway } from '../../fixtures/library-graph.ts';
import { statusesOf } from '../../support/http/raw-http.ts';
import { writeFrame } from '../../support/websocket/raw-websocket.ts';

const DECLINED = [
  'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n',
  'Connection: Upgrade\r\nUpgrade: foo/1\r\n',
  'Connection: keep-alive, Upgrade\r\nUpgrade: TLS/1.0\r\n',
];
const [H2C = ''] = DECLINED;
const UPGRADE =
  `GET /graphql HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
  `Sec-WebSocket-Key: ${'A'.repeat(22)}==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n`;
const INIT = writeFrame({ payload: '{"type":"connection_init"}' });
const ACK = '{"type":"connection_ack"}';
const CLOSE = 'Connection: close\r\n';
/** Timeout of an exchange. A response takes far less. @unit milliseconds */
const PATIENCE_MS = 4_000;

const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\nAccept: application/json\r\n${headers}\r\n`;
let requested = 0;
/** Creates an operation that queries the subgraph, so that its response is not available immediately. */
const slow = (): string => get(`/graphql?query={book(id:%22${(requested += 1)}%22){id}}`);
/** Alternates two kinds of requests, the slow one first. */
const requests = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => (index % 2 === 0 ? slow() : get('/health')));

/** Maximum number of writes of a random pipeline. Each write takes some milliseconds. */
const MAX_WRITES = 300;

/** Divisions of the bytes of some requests into writes. */
const WRITES: Readonly<Record<string, (parts: readonly string[]) => readonly string[]>> = {
  'in one write': (parts) => [parts.join('')],
  'in a write for each': (parts) => parts,
  'cut within the last': (parts) => {
    const all = parts.join('');
    const at = all.length - Math.floor((parts.at(-1)?.length ?? 0) / 2);
    return [all.slice(0, at), all.slice(at)];
  },
};
const CASES = Object.keys(WRITES).flatMap((path) => [0, 1, 2, 3].map((count) => [path, count] as const));

describe('point 18: pipelined requests that offer another protocol', () => {
  let library: LibraryGateway;
  beforeAll(async () => {
    library = await startLibraryGateway();
  });
  afterAll(async () => library[Symbol.asyncDispose]());

  /** Sends the writes one after another, and returns the bytes that arrive until `isWhole`, the end of the connection, or the timeout. */
  async function exchange(
    writes: readonly (string | Buffer)[],
    isWhole: (text: string) => boolean = () => false,
    later?: (text: string) => Buffer | undefined,
  ): Promise<string> {
    const socket = connect(Number(new URL(library.url).port), '127.0.0.1').setNoDelay(true);
    let text = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const more = later?.(text);
      if (more !== undefined) socket.write(more);
      if (isWhole(text)) socket.destroy();
    });
    const closed = once(socket, 'close');
    for (const bytes of writes) {
      socket.write(bytes);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const timer = setTimeout(() => socket.destroy(), PATIENCE_MS); // Many small writes alone may take as long.
    await closed;
    clearTimeout(timer);
    return text;
  }

  it.each(CASES)('acknowledge a WebSocket, %s, behind %d', async (path, count) => {
    let isSent = false;
    const text = await exchange(
      WRITES[path]?.([...requests(count), UPGRADE]) ?? [],
      (received) => received.includes(ACK),
      (received) => {
        if (isSent || !received.includes(' 101 ')) return undefined;
        isSent = true;
        return INIT;
      },
    );
    expect(statusesOf(text)).toEqual([...Array.from({ length: count }, () => 200), 101]);
    expect(text).toContain(ACK);
  });

  it.each([0, 1, 2, 3])('acknowledge a WebSocket whose first message comes with its request, behind %d', async (count) => {
    const whole = Buffer.concat([Buffer.from([...requests(count), UPGRADE].join('')), INIT]);
    expect(await exchange([whole], (received) => received.includes(ACK))).toContain(ACK);
    const cut = whole.length - INIT.length;
    expect(await exchange([whole.subarray(0, cut), whole.subarray(cut)], (received) => received.includes(ACK))).toContain(ACK);
  });

  it.each(CASES)('respond to a declined offer and to the requests after it, %s, behind %d', async (path, count) => {
    const text = await exchange(WRITES[path]?.([...requests(count), get('/health', H2C), slow(), get('/health', CLOSE)]) ?? []);
    expect(statusesOf(text)).toEqual(Array.from({ length: count + 3 }, () => 200));
  });

  it('respond to random pipelines of offers in order', async () => {
    const seed = Number(process.env['SEED'] ?? randomInt(2 ** 31));
    console.info(`SEED=${seed}`);
    let state = seed;
    const below = (bound: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      return (state >>> 8) % bound;
    };
    for (let round = 0; round < 80; round += 1) {
      const ids = Array.from({ length: 1 + below(12) }, (_, index) => `r${round}x${index}`);
      const bytes = ids.map((id) => writeRequest(id, below)).join('') + get('/health', `X-Correlation-Id: last\r\n${CLOSE}`);
      const writes: string[] = [];
      const longest = below(2) === 0 ? bytes.length : Math.max(1 + below(2_000), Math.ceil(bytes.length / MAX_WRITES));
      for (let at = 0; at < bytes.length; at += longest) writes.push(bytes.slice(at, at + longest));
      const text = await exchange(writes);
      const responded = [...text.matchAll(/^x-correlation-id: (\S+)\r$/gim)].map(([, id]) => id);
      expect({ seed, round, responded }).toEqual({ seed, round, responded: [...ids, 'last'] });
    }
  }, 60_000);
});

function writeRequest(id: string, below: (bound: number) => number): string {
  const offer = below(2) === 0 ? '' : (DECLINED[below(DECLINED.length)] ?? '');
  const headers = `X-Correlation-Id: ${id}\r\n${offer}`;
  const body = JSON.stringify({ query: `{book(id:"${'z'.repeat(below(3) === 0 ? 40_000 : 5)}"){id title}}` });
  const post = `POST /graphql HTTP/1.1\r\nHost: a\r\n${headers}Content-Type: application/json\r\n`;
  switch (below(5)) {
    case 0:
      return `${post}Content-Length: ${body.length}\r\n\r\n${body}`;
    case 1:
      return `${post}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    case 2:
      return get(`/graphql?query={book(id:%22${id}%22){id}}`, headers);
    case 3:
      return `HEAD /health HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;
    default:
      return get('/health', headers);
  }
}
