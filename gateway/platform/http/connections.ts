import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { createMembers, type Member } from '../members.ts';

/** A request and its answer. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The connections of one listener that have brought a request. */
export interface Connections {
  /** To be called for each request that comes in. */
  note(request: IncomingMessage, response: ServerResponse): void;
  /** The latest exchange of a connection. */
  latestOf(socket: Duplex): Exchange | undefined;
  /** Tells clients whose answer has not begun that no further request is read from their connection. */
  announceEnd(): void;
  /** Whether no connection has an answer on its way. */
  isIdle(): boolean;
}

interface Connection extends Member {
  request: IncomingMessage;
  response: ServerResponse;
}

/**
 * Knows the latest exchange of each connection: answers go out in the order of their requests, so when the latest is done all
 * are. What is kept is kept by connection, because looking after each request costs more than reading its headers.
 */
export function createConnections(): Connections {
  const open = createMembers<Connection>();
  const bySocket = new WeakMap<Duplex, Connection>();

  function add(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const connection: Connection = { place: undefined, request, response };
    bySocket.set(socket, connection);
    open.add(connection);
    socket.once('close', () => open.remove(connection));
  }

  return {
    note(request, response) {
      const connection = bySocket.get(request.socket);
      if (connection === undefined) return add(request, response);
      connection.request = request;
      connection.response = response;
    },
    latestOf: (socket) => bySocket.get(socket),
    announceEnd() {
      for (let place = 0; place < open.size; place += 1) {
        const response = open.at(place)?.response;
        if (response?.headersSent === false) response.setHeader('connection', 'close');
      }
    },
    isIdle() {
      for (let place = 0; place < open.size; place += 1) if (open.at(place)?.response.writableFinished === false) return false;
      return true;
    },
  };
}
