import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { type DocumentNode, Kind, parse, type SelectionSetNode } from 'graphql';
import { type WebSocket, WebSocketServer } from 'ws';
import { composeSubgraphs } from '../../../gateway/supergraph/compose-subgraphs.ts';

const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])';
const NAMES = ['counted', 'listed', 'ticked', 'notes'] as const;
type Name = (typeof NAMES)[number];

/** Properties in which supergraphs differ. */
export interface World {
  /** Version in a description, so that every supergraph has a different text. */
  readonly version: number;
  /** Whether the field exists that a few subscriptions select. */
  readonly hasExtra: boolean;
  /** Whether the subgraphs with events also resolve the notes. The gateway then sends them other operations. */
  readonly hasNotesInside: boolean;
}

const numbered = (type: string, field: string, { version, hasExtra, hasNotesInside }: World): string => `${LINK}
  type Query { ${field}Now: Int }
  type Subscription { ${field}: ${type} }
  "version ${version}"
  type ${type} @key(fields: "id") { id: ID! n: Int! ${hasExtra ? 'extra: Int' : ''} ${hasNotesInside ? 'note: String @shareable' : ''} }`;

const SDL: Readonly<Record<Name, (world: World) => string>> = {
  counted: (world) => numbered('Count', 'counted', world),
  listed: (world) => numbered('Item', 'listed', { ...world, hasExtra: false }),
  ticked: (world) => numbered('Tick', 'ticked', { ...world, hasExtra: false }),
  notes: () => `${LINK}
    type Query { notesNow: Int notebook: Notebook }
    type Notebook { pages: Int }
    ${['Count', 'Item', 'Tick'].map((type) => `type ${type} @key(fields: "id") { id: ID! note: String @shareable }`).join('\n')}`,
};

/**
 * Four subgraphs: `counted` numbers its events, reports the start position of a stream, and resends the events after a given one. `listed`
 * does the same over server-sent events. `ticked` sends no IDs. `notes` resolves a field of each event.
 */
export interface NumberedSubgraphs extends AsyncDisposable {
  /** Number of the last event. */
  readonly last: number;
  /** Settings of the gateway for the streams of the subgraphs. */
  readonly settings: Readonly<Record<string, { readonly subscriptions: { readonly transport: 'ws' | 'sse' } }>>;
  supergraphOf(world: World): string;
  /** Publishes the next event to all streams. */
  publish(): void;
  /**
   * Replaces the instance of a subgraph without events behind its address: all connections are closed when their requests have ended, and
   * new ones are accepted, as by a service with several instances.
   */
  restart(name: 'notes'): Promise<void>;
}

interface Running {
  send(n: number): void;
}

/** Starts the subgraphs. They use no server library because they must never lose an event whose delivery by the gateway is tested. */
export async function startNumberedSubgraphs(): Promise<NumberedSubgraphs> {
  let last = 0;
  const running = new Set<Running>();
  const servers: Server[] = [];
  const connectionsOf = { notes: new Set<Socket>() };
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'graphql-transport-ws' });
  const urls: Partial<Record<Name, string>> = {};
  for (const name of NAMES) {
    const server = createServer((request, response) => void (name === 'listed' ? stream : respond)(request, response));
    if (name === 'counted' || name === 'ticked') serveSockets(server, name === 'counted');
    if (name === 'notes') server.on('connection', (socket) => void connectionsOf.notes.add(socket));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    servers.push(server);
    urls[name] = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  /** Resolves the entities of `notes`. */
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { query, variables } = (await json(request)) as { query: string; variables?: Readonly<Record<string, unknown>> };
    const representations = (Object.values(variables ?? {}).find(Array.isArray) ?? []) as readonly { __typename: string; id: string }[];
    const values = representations.map(({ id, __typename }) => Object.assign(valueOf(Number(id)), { __typename }));
    const data = select(rootOf(parse(query)), { _entities: values, notesNow: NOTES_NOW, notebook: { pages: NOTES_NOW } });
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
  }

  async function stream(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { query } = (await json(request)) as { query: string };
    const root = rootOf(parse(query));
    const send = (n: number): void => {
      const data = select(root, { listed: { __typename: 'Item', ...valueOf(n) } });
      response.write(`event: next\nid: ${n}\ndata: ${JSON.stringify({ data })}\n\n`);
    };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`id: ${position(request.headers['last-event-id'])}\n\n`);
    const one = { send };
    response.on('close', () => running.delete(one));
    start(one, request.headers['last-event-id']);
  }

  function position(after: unknown): number {
    return typeof after === 'string' ? Number(after) : last;
  }

  function start(one: Running, after: unknown): void {
    for (let n = position(after) + 1; n <= last; n += 1) one.send(n);
    running.add(one);
  }

  function serveSockets(server: Server, isNumbered: boolean): void {
    const serve = (socket: WebSocket): void => {
      const mine = new Map<string, Running>();
      socket.on('message', (data: Buffer) => {
        const { type, id = '', payload } = JSON.parse(data.toString()) as Message;
        if (type === 'connection_init') socket.send('{"type":"connection_ack"}');
        else if (type === 'complete') running.delete(mine.get(id) as Running);
        else if (type === 'subscribe' && payload !== undefined) mine.set(id, subscribe(socket, id, payload, isNumbered));
      });
      socket.on('close', () => {
        for (const one of mine.values()) running.delete(one);
      });
    };
    server.on('upgrade', (request, socket, head) => sockets.handleUpgrade(request, socket, head, serve));
  }

  function subscribe(socket: WebSocket, id: string, { query, extensions }: Payload, isNumbered: boolean): Running {
    const root = rootOf(parse(query));
    const one: Running = {
      send(n) {
        const data = select(root, { counted: { __typename: 'Count', ...valueOf(n) }, ticked: { __typename: 'Tick', ...valueOf(n) } });
        const more = isNumbered ? { extensions: { eventId: String(n) } } : {};
        socket.send(JSON.stringify({ id, type: 'next', payload: { data, ...more } }));
      },
    };
    const after = isNumbered ? extensions?.lastEventId : undefined;
    if (isNumbered) socket.send(JSON.stringify({ type: 'ping', payload: { subscription: id, eventId: String(position(after)) } }));
    start(one, after);
    return one;
  }

  return {
    get last() {
      return last;
    },
    settings: { listed: { subscriptions: { transport: 'sse' } } },
    supergraphOf(world) {
      const composition = composeSubgraphs(
        NAMES.map((name) => ({ name, url: urls[name] ?? '', files: [{ path: name, text: SDL[name](world) }] })),
      );
      if (composition.errors !== undefined) throw new Error(JSON.stringify(composition.errors));
      return composition.supergraphSdl;
    },
    publish() {
      last += 1;
      for (const one of running) one.send(last);
    },
    async restart(name) {
      const old = [...connectionsOf[name]];
      connectionsOf[name].clear();
      const server = servers[NAMES.indexOf(name)];
      while (old.some((socket) => !socket.destroyed)) {
        server?.closeIdleConnections();
        await wait(5);
      }
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.clients) socket.terminate();
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

interface Payload {
  readonly query: string;
  readonly extensions?: { readonly lastEventId?: string };
}

interface Message {
  readonly type: string;
  readonly id?: string;
  readonly payload?: Payload;
}

/** Value of the field `notesNow`. */
const NOTES_NOW = 7;

function valueOf(n: number): Record<string, unknown> {
  return { id: String(n), n, extra: n, note: `note ${n}` };
}

function rootOf(document: DocumentNode): SelectionSetNode {
  const operation = document.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  if (operation === undefined) throw new Error('The request to the subgraph has no operation.');
  return operation.selectionSet;
}

/** Returns the selected fields under their aliases. */
function select(set: SelectionSetNode, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => select(set, one));
  const from = value as Readonly<Record<string, unknown>>;
  const selected: Record<string, unknown> = {};
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) {
      const field = from[selection.name.value] ?? null;
      selected[selection.alias?.value ?? selection.name.value] =
        selection.selectionSet === undefined || field === null ? field : select(selection.selectionSet, field);
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      const type = selection.typeCondition?.name.value;
      if (type === undefined || type === from['__typename']) Object.assign(selected, select(selection.selectionSet, value));
    } else throw new Error('Operations for these subgraphs must not have named fragments.');
  }
  return selected;
}
