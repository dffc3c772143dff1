import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';

/** A message of graphql-transport-ws. */
export interface Message {
  readonly type: string;
  readonly id?: string;
  readonly payload?: unknown;
}

/** A socket at the subgraph. */
export interface FakeSocket {
  readonly request: IncomingMessage;
  readonly socket: WebSocket;
  /** All received messages, in order. */
  readonly received: Message[];
  send(message: Message): void;
  /** Resolves when the given number of messages of a type have been received. */
  until(type: string, count?: number): Promise<readonly Message[]>;
  /** Sends an event of the nth subscription, from 0. */
  next(nth: number, payload: unknown): Promise<void>;
}

/** A scripted subgraph that supports graphql-transport-ws. */
export interface FakeStreamSubgraph extends AsyncDisposable {
  readonly url: string;
  readonly sockets: readonly FakeSocket[];
  socket(nth?: number): Promise<FakeSocket>;
  /** Rejects new connections and terminates all sockets. */
  fall(): void;
  rise(): void;
}

export interface FakeOptions {
  /** @defaultValue acknowledges the connection */
  readonly onInit?: (socket: FakeSocket, payload: unknown) => void;
  readonly onSubscribe?: (socket: FakeSocket, message: Message) => void;
}

const acknowledge = (socket: FakeSocket): void => socket.send({ type: 'connection_ack' });

export async function startFakeStreamSubgraph({ onInit = acknowledge, onSubscribe }: FakeOptions = {}): Promise<FakeStreamSubgraph> {
  const sockets: FakeSocket[] = [];
  const waiting = new Set<() => void>();
  const notify = (): void => {
    for (const look of waiting) look();
  };
  let isDown = false;
  const http: Server = createServer();
  const server = new WebSocketServer({ noServer: true, handleProtocols: (offered) => [...offered][0] ?? false });
  http.on('upgrade', (request, stream, head) => {
    if (isDown) return stream.destroy();
    return server.handleUpgrade(request, stream, head, (socket) => take(request, socket));
  });

  async function until<T>(find: () => T | undefined): Promise<T> {
    const found = find();
    if (found !== undefined) return found;
    return new Promise((resolve) => {
      const look = (): void => {
        const value = find();
        if (value === undefined) return;
        waiting.delete(look);
        resolve(value);
      };
      waiting.add(look);
    });
  }

  function take(request: IncomingMessage, socket: WebSocket): void {
    const received: Message[] = [];
    const fake: FakeSocket = {
      request,
      socket,
      received,
      send: (message) => socket.send(JSON.stringify(message)),
      until: (type, count = 1) =>
        until(() => {
          const found = received.filter((message) => message.type === type);
          return found.length >= count ? found : undefined;
        }),
      async next(nth, payload) {
        const subscribed = await fake.until('subscribe', nth + 1);
        fake.send({ id: subscribed[nth]?.id ?? '', type: 'next', payload });
      },
    };
    sockets.push(fake);
    socket.on('message', (data) => {
      const message = JSON.parse((data as Buffer).toString()) as Message;
      received.push(message);
      if (message.type === 'connection_init') onInit(fake, message.payload);
      if (message.type === 'subscribe') onSubscribe?.(fake, message);
      notify();
    });
    notify();
  }

  await new Promise<void>((resolve) => {
    http.listen(0, '127.0.0.1', resolve);
  });
  const fall = (): void => {
    isDown = true;
    for (const { socket } of sockets) socket.terminate();
  };
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/graphql`,
    sockets,
    socket: (nth = 0) => until(() => sockets[nth]),
    fall,
    rise() {
      isDown = false;
    },
    async [Symbol.asyncDispose]() {
      fall();
      http.closeAllConnections();
      await new Promise((resolve) => {
        http.close(resolve);
      });
    },
  };
}
