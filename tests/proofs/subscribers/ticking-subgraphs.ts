import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { WebSocketServer } from 'ws';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';

const TICKS = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])
  type Query { now: Int }
  type Subscription { ticked: Tick }
  type Tick @key(fields: "id") { id: ID! sentAt: Float! }
`;
const NOTES = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])
  type Query { notes: Int }
  type Tick @key(fields: "id") { id: ID! note: String! }
`;

/** Two subgraphs: one sends events, and the gateway fetches a field of each event from the other. */
export interface TickingSubgraphs extends AsyncDisposable {
  readonly sdl: string;
  /** Number of streams that the gateway holds. */
  readonly streams: number;
  /** Number of requests for `note` so far. */
  readonly fetches: number;
  /** Sends an event. */
  tick(id: string, note: string): void;
}

/** Starts the subgraphs. They use no library, because the gateway is measured and they must use almost no CPU. */
export async function startTickingSubgraphs(): Promise<TickingSubgraphs> {
  const streams = new Map<string, { readonly id: string; readonly field: string; send(text: string): void }>();
  let connections = 0;
  let fetches = 0;
  let note = '';

  const ticks = createServer();
  const sockets = new WebSocketServer({ server: ticks, handleProtocols: () => 'graphql-transport-ws' });
  sockets.on('connection', (socket) => {
    connections += 1;
    const name = String(connections);
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as { type: string; id?: string; payload?: { query: string } };
      if (message.type === 'connection_init') socket.send('{"type":"connection_ack"}');
      else if (message.type === 'ping') socket.send('{"type":"pong"}');
      else if (message.type === 'subscribe' && message.id !== undefined) {
        const [, alias] = /(\w+)\s*:\s*ticked/.exec(message.payload?.query ?? '') ?? [];
        streams.set(`${name} ${message.id}`, { id: message.id, field: alias ?? 'ticked', send: (line) => socket.send(line) });
      } else if (message.type === 'complete') streams.delete(`${name} ${message.id}`);
    });
    socket.on('close', () => {
      for (const key of streams.keys()) if (key.startsWith(`${name} `)) streams.delete(key);
    });
  });

  const notes = createServer((request, response) => {
    void text(request).then((body) => {
      fetches += 1;
      const { query, variables } = JSON.parse(body) as { query: string; variables?: { [name: string]: readonly unknown[] } };
      const count = Object.values(variables ?? {}).find(Array.isArray)?.length ?? 1;
      const entity = fieldsOf(query, note);
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ data: { _entities: Array.from({ length: count }, () => entity) } }));
    });
  });

  const urls = await Promise.all([listen(ticks), listen(notes)]);
  const composition = composeSubgraphs([
    { name: 'ticks', url: urls[0] ?? '', files: [{ path: 'ticks.graphql', text: TICKS }] },
    { name: 'notes', url: urls[1] ?? '', files: [{ path: 'notes.graphql', text: NOTES }] },
  ]);
  if ('errors' in composition) throw new Error(composition.errors.map(({ message }) => message).join('\n'));
  return {
    sdl: composition.supergraphSdl,
    get streams() {
      return streams.size;
    },
    get fetches() {
      return fetches;
    },
    tick(id, text) {
      note = text;
      const value = { __typename: 'Tick', id, sentAt: Date.now() };
      for (const { id: streamId, field, send } of streams.values()) {
        send(JSON.stringify({ id: streamId, type: 'next', payload: { data: { [field]: value } } }));
      }
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.clients) socket.terminate();
      for (const server of [ticks, notes]) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

/** Returns the entity under all requested aliases. */
function fieldsOf(query: string, note: string): Readonly<Record<string, string>> {
  const [, alias] = /(\w+)\s*:\s*note/.exec(query) ?? [];
  return { __typename: 'Tick', [alias ?? 'note']: note };
}

async function listen(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
