import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createMembers, type Member } from '../../swap-remove-list.ts';
import type { Writing } from '../limits/write-deadlines.ts';

/** A request and its answer. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The connections of one listener that have brought a request. */
export interface Connections {
  /**
   * Serves a request, after the responses to all earlier requests of its connection are sent. While one waits, nothing more is read from
   * the connection, so a client that sends requests without reading responses is stopped by its own TCP window.
   */
  receive(request: IncomingMessage, response: ServerResponse): void;
  /** The latest exchange of a connection, whether it is being served or waits. */
  latestOf(socket: Duplex): Exchange | undefined;
  /** Forgets a waiting request whose body will never be complete. */
  dropIncomplete(socket: Duplex): void;
  /**
   * Reads nothing more from a connection that the HTTP server has given away, and calls `act` once the responses to all its requests are
   * sent: at once if they are, and never if the connection is closed first. Whoever takes the connection in `act` resumes it.
   */
  detach(socket: Duplex, act: () => void): void;
  /** Gives the connection back to the HTTP server, which has its listeners on it again. */
  attach(socket: Duplex): void;
  /** Tells clients whose answer has not begun that no further request is read from their connection. */
  announceEnd(): void;
  /** Whether no connection has an answer on its way. */
  isIdle(): boolean;
  /** Visits the response that is being served on each connection. */
  forEach(visit: (writing: Writing) => void): void;
}

export interface ConnectionsOptions {
  readonly serve: RequestListener;
  /**
   * Called for a request that has to wait: gives back its share of the memory bound when called. Undefined refuses it, and the connection
   * is closed.
   *
   * @defaultValue every request may wait
   */
  readonly hold?: (request: IncomingMessage) => (() => void) | undefined;
}

interface Waiting extends Exchange {
  readonly release: () => void;
}

interface Connection extends Member {
  readonly socket: Socket;
  request: IncomingMessage;
  response: ServerResponse;
  /** Requests whose turn has not come; absent until there is one. */
  waiting: Waiting[] | undefined;
  isDetached: boolean;
  /** Listener that pauses the connection again when Node resumes it; absent until something has waited. */
  repause: (() => void) | undefined;
}

function releaseNothing(): void {
  // It was not counted.
}

/**
 * Knows the exchanges of each connection. What is kept is kept by connection, because looking after each request costs more than reading
 * its headers.
 */
export function createConnections({ serve, hold = () => releaseNothing }: ConnectionsOptions): Connections {
  const open = createMembers<Connection>();
  const bySocket = new WeakMap<Duplex, Connection>();

  function add(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const connection: Connection = {
      place: undefined,
      socket,
      request,
      response,
      waiting: undefined,
      isDetached: false,
      repause: undefined,
    };
    bySocket.set(socket, connection);
    open.add(connection);
    socket.once('close', () => {
      open.remove(connection);
      dropAll(connection);
    });
  }

  function enqueue(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    const { socket } = connection;
    const release = socket.destroyed ? undefined : hold(request);
    if (release === undefined) {
      dropAll(connection);
      socket.destroy();
      return;
    }
    connection.waiting ??= [];
    keepPaused(connection);
    if (connection.waiting.length === 0) connection.response.once('close', () => serveNext(connection));
    connection.waiting.push({ request, response, release });
    socket.pause();
  }

  /** Pauses a connection that has to wait each time Node resumes it by itself: when a response is sent, or a body is dropped. */
  function keepPaused(connection: Connection): void {
    if (connection.repause !== undefined) return;
    connection.repause = () => {
      if (connection.isDetached || (connection.waiting?.length ?? 0) > 0) connection.socket.pause();
    };
    connection.socket.on('resume', connection.repause);
  }

  function handOver(socket: Duplex, act: () => void): void {
    const connection = bySocket.get(socket);
    if (connection?.repause !== undefined) socket.off('resume', connection.repause);
    if (connection !== undefined) connection.repause = undefined;
    // Node's parser has stopped the reading of bytes and no longer starts it again, while the stream believes that a read is under way.
    // An empty chunk ends that read, so that the stream asks for bytes by itself.
    socket.push('');
    act();
  }

  function serveNext(connection: Connection): void {
    const { socket, waiting = [] } = connection;
    // After `Connection: close` nothing can be answered any more (RFC 9112, section 9.6).
    if (socket.destroyed || !socket.writable) return dropAll(connection);
    const next = waiting.shift();
    if (next === undefined) return;
    next.release();
    connection.request = next.request;
    connection.response = next.response;
    if (waiting.length > 0) next.response.once('close', () => serveNext(connection));
    else if (!connection.isDetached) socket.resume();
    serve(next.request, next.response);
  }

  function dropAll({ waiting }: Connection): void {
    for (const { release } of waiting ?? []) release();
    waiting?.splice(0);
  }

  function latestOf(socket: Duplex): Exchange | undefined {
    const connection = bySocket.get(socket);
    return connection?.waiting?.at(-1) ?? connection;
  }

  return {
    latestOf,
    receive(request, response) {
      const connection = bySocket.get(request.socket);
      if (connection === undefined) {
        add(request, response);
      } else if (connection.response.writableFinished && (connection.waiting?.length ?? 0) === 0) {
        connection.request = request;
        connection.response = response;
      } else {
        return enqueue(connection, request, response);
      }
      serve(request, response);
    },
    dropIncomplete(socket) {
      const waiting = bySocket.get(socket)?.waiting;
      if (waiting?.at(-1)?.request.complete === false) waiting.pop()?.release();
    },
    detach(socket, act) {
      const latest = latestOf(socket);
      const connection = bySocket.get(socket);
      if (connection !== undefined) {
        connection.isDetached = true;
        keepPaused(connection);
      }
      // Not before Node is done with the response: it must not find the connection given to another parser.
      if (latest === undefined || latest.response.closed) return handOver(socket, act);
      latest.response.once('close', () => {
        if (!socket.destroyed && socket.writable) handOver(socket, act);
      });
    },
    attach(socket) {
      const connection = bySocket.get(socket);
      if (connection !== undefined) connection.isDetached = false;
    },
    announceEnd() {
      for (let place = 0; place < open.size; place += 1) {
        const connection = open.at(place);
        const response = connection?.waiting?.at(-1)?.response ?? connection?.response;
        if (response?.headersSent === false) response.setHeader('connection', 'close');
      }
    },
    isIdle() {
      for (let place = 0; place < open.size; place += 1) {
        const connection = open.at(place);
        if (connection?.response.writableFinished === false || (connection?.waiting?.length ?? 0) > 0) return false;
      }
      return true;
    },
    forEach(visit) {
      for (let place = open.size - 1; place >= 0; place -= 1) {
        const connection = open.at(place);
        if (connection !== undefined) visit(connection);
      }
    },
  };
}
