import { get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';

export interface MixedLoadResult {
  readonly sent: number;
  /** Requests by kind of result, such as `200` or `disconnected`. */
  readonly results: Readonly<Record<string, number>>;
}

interface Client {
  readonly url: string;
  readonly note: (result: string) => void;
}

const SUBSCRIPTION = 'subscription { counted { n note } }';

/** Requests of one cycle: queries, REST, errors, disconnects, event streams and WebSockets. */
const KINDS: readonly ((client: Client, turn: number) => Promise<void>)[] = [
  (client) => query(client, '{ notesNow }'),
  (client, turn) => query(client, `query Notes${turn % 20} { now: notesNow }`),
  (client) => query(client, '{ notesNow '),
  (client) => query(client, '{ nothing }'),
  (client) => query(client, 'x'.repeat(2_000)),
  (client) => fetchPath(client, '/notes'),
  (client) => fetchPath(client, '/nothing'),
  (client) => fetchPath(client, '/health'),
  (client, turn) => disconnect(client, `/graphql?query={notesNow}`, turn % 5),
  (client, turn) => disconnect(client, `/graphql?query=${encodeURIComponent(SUBSCRIPTION)}`, 20 + (turn % 100)),
  (client, turn) => subscribe(client, { ms: 20 + (turn % 150), isAbrupt: turn % 24 < 12 }),
  (client) => query(client, '{ notesNow }', { authorization: 'Bearer nonsense' }),
];

/** Sends all kinds of requests in turn for a time, with a number of them in progress. */
export async function sendMixedLoad(url: string, seconds: number, concurrency: number): Promise<MixedLoadResult> {
  const results: Record<string, number> = {};
  const client: Client = { url, note: (result) => void (results[result] = (results[result] ?? 0) + 1) };
  const endsAt = performance.now() + seconds * 1_000;
  let sent = 0;
  const work = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      const turn = sent;
      sent += 1;
      await KINDS[turn % KINDS.length]?.(client, turn).catch(() => client.note('failed'));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return { sent, results };
}

async function query({ url, note }: Client, text: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query: text }),
  });
  await response.arrayBuffer();
  note(`query ${response.status}`);
}

async function fetchPath({ url, note }: Client, path: string): Promise<void> {
  const response = await fetch(url + path);
  await response.arrayBuffer();
  note(`${path} ${response.status}`);
}

/** Opens a request and closes its connection after a time. */
async function disconnect({ url, note }: Client, path: string, ms: number): Promise<void> {
  const request = get(url + path, {
    agent: false,
    headers: { accept: 'text/event-stream, application/json', 'apollo-require-preflight': '1' },
  });
  request.on('error', () => undefined).on('response', (response) => response.on('error', () => undefined).resume());
  await wait(ms);
  request.destroy();
  note('disconnected');
}

/** Subscribes over WebSocket, and closes the socket, or terminates it without a close frame. */
async function subscribe({ url, note }: Client, { ms, isAbrupt }: { readonly ms: number; readonly isAbrupt: boolean }): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const closed = new Promise((resolve) => {
    socket.once('close', resolve);
  });
  socket.on('error', () => undefined);
  socket.on('open', () => socket.send('{"type":"connection_init"}'));
  socket.on('message', (data: Buffer) => {
    if (!data.toString().includes('connection_ack')) return;
    socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: SUBSCRIPTION } }));
    socket.send(JSON.stringify({ id: '2', type: 'subscribe', payload: { query: '{ notesNow }' } }));
    socket.send(JSON.stringify({ id: '3', type: 'subscribe', payload: { query: '{ nothing }' } }));
  });
  await wait(ms);
  if (isAbrupt) socket.terminate();
  else socket.close();
  await closed;
  note(isAbrupt ? 'socket terminated' : 'socket closed');
}
