import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSwapRemoveList, type SwapRemoveItem } from '../../swap-remove-list.ts';
import type { Writing } from '../limits/write-deadlines.ts';

/** Request and its response. */
export interface HttpExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Connections of one listener that have sent a request. */
export interface Connections {
  /**
   * Serves a request after the responses to all earlier requests of its connection have been sent. While a request waits, no further data
   * is read from the connection. The TCP window then stops clients that send requests without reading responses.
   */
  receive(request: IncomingMessage, response: ServerResponse): void;
  /** Returns the latest exchange of a connection, which is being served or waits. */
  latestOf(socket: Duplex): HttpExchange | undefined;
  /** Discards a waiting request whose body will never be complete. */
  dropIncomplete(socket: Duplex): void;
  /**
   * Stops reading from a connection that the HTTP server has handed over, and calls `act` after the responses to all its requests have been
   * sent. If they have been sent, `act` is called immediately; if the connection is closed first, it is never called. The code that takes
   * the connection in `act` must resume it.
   */
  detach(socket: Duplex, act: () => void): void;
  /** Returns the connection to the HTTP server, whose listeners are attached again. */
  attach(socket: Duplex): void;
  /** Sends `Connection: close` with all responses that have not begun, because no further request is read. */
  announceEnd(): void;
  /** Whether no connection has a response in progress. */
  isIdle(): boolean;
  /** Visits the response that is being served on each connection. */
  forEach(visit: (writing: Writing) => void): void;
}

export interface ConnectionsOptions {
  readonly serve: RequestListener;
  /**
   * Called for a request that has to wait. Returns a function that releases its share of the memory limit. If it returns undefined, the
   * request is rejected and the connection is closed.
   *
   * @defaultValue every request may wait
   */
  readonly hold?: (request: IncomingMessage) => (() => void) | undefined;
}

interface Waiting extends HttpExchange {
  readonly release: () => void;
}

interface Connection extends SwapRemoveItem {
  readonly socket: Socket;
  request: IncomingMessage;
  response: ServerResponse;
  /** Requests that wait for their turn. Absent until there is one. */
  waiting: Waiting[] | undefined;
  isDetached: boolean;
  /** Listener that pauses the connection again when Node.js resumes it. Absent until a request has waited. */
  repause: (() => void) | undefined;
}

function releaseNothing(): void {
  // The request was not counted.
}

/**
 * Stops reading a stream that was paused between a call of `resume` and its event. Node.js begins to read at the event nevertheless, and
 * stops only at the event of the next pause, which a paused stream does not emit. Bodies would be read without limit. This happens when
 * several requests are parsed at once.
 */
function stopWhilePaused(this: Socket): void {
  if (this.isPaused()) this.emit('pause');
}

/**
 * Creates the state of all connections. The state is stored by connection, because tracking each request costs more than parsing its
 * headers.
 */
export function createConnections({ serve, hold = () => releaseNothing }: ConnectionsOptions): Connections {
  const open = createSwapRemoveList<Connection>();
  const bySocket = new WeakMap<Duplex, Connection>();

  function add(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const connection: Connection = {
      index: undefined,
      socket,
      request,
      response,
      waiting: undefined,
      isDetached: false,
      repause: undefined,
    };
    bySocket.set(socket, connection);
    open.add(connection);
    socket.on('resume', stopWhilePaused);
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
    holdPaused(connection);
    if (connection.waiting.length === 0) connection.response.once('close', () => serveNext(connection));
    connection.waiting.push({ request, response, release });
    socket.pause();
  }

  /** Pauses a waiting connection whenever Node.js resumes it, which happens when a response is sent or a body is discarded. */
  function holdPaused(connection: Connection): void {
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
    // The parser of Node.js has stopped reading and does not start again, while the stream assumes that a read is in progress. An empty
    // chunk ends that read, so that the stream requests bytes again.
    socket.push('');
    act();
  }

  function serveNext(connection: Connection): void {
    const { socket, waiting = [] } = connection;
    // After `Connection: close`, no further response can be sent (RFC 9112, section 9.6).
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

  function latestOf(socket: Duplex): HttpExchange | undefined {
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
        holdPaused(connection);
      }
      // Waits until Node.js has finished the response. Otherwise Node.js would find another parser on the connection.
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
      for (let index = 0; index < open.size; index += 1) {
        const connection = open.at(index);
        const response = connection?.waiting?.at(-1)?.response ?? connection?.response;
        if (response?.headersSent === false) response.setHeader('connection', 'close');
      }
    },
    isIdle() {
      for (let index = 0; index < open.size; index += 1) {
        const connection = open.at(index);
        if (connection?.response.writableFinished === false || (connection?.waiting?.length ?? 0) > 0) return false;
      }
      return true;
    },
    forEach(visit) {
      for (let index = open.size - 1; index >= 0; index -= 1) {
        const connection = open.at(index);
        if (connection !== undefined) visit(connection);
      }
    },
  };
}
