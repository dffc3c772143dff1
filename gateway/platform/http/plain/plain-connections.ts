import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { createSwapRemoveList } from '../../swap-remove-list.ts';
import type { Writing } from '../limits/write-deadlines.ts';
import type { ServeRequest } from '../response/outgoing-response.ts';
import { PlainConnection, type PlainConnectionOwner } from './plain-connection.ts';
import { createPlainReader } from './plain-reader.ts';
import type { PlainRequest } from './plain-request.ts';
import { createHeadPrinter } from './print-head.ts';
import type { PlainHead } from './read-plain-head.ts';

/** Connections of one listener whose requests the gateway reads itself. */
export interface PlainConnections {
  /** Sends `Connection: close` with all further responses. */
  announceEnd(): void;
  /** Whether no connection has a request in progress. */
  isIdle(): boolean;
  /** Visits the response of each connection that has one. */
  forEach(visit: (writing: Writing) => void): void;
  /** Closes all connections. */
  closeAll(): void;
  /** Stops the checks for timeouts. */
  stop(): void;
}

/** Handler of plain requests. */
export interface PlainHandler {
  /** Whether the handler serves requests with this head. All others are read by Node.js. */
  readonly isServed: (head: PlainHead) => boolean;
  readonly serve: ServeRequest;
}

export interface PlainConnectionsOptions extends PlainHandler {
  /** Whether a connection was opened beyond a limit. */
  readonly isReserved: (socket: Socket) => boolean;
  readonly hold: (request: PlainRequest) => (() => void) | undefined;
  /** @unit milliseconds */
  readonly headersTimeoutMs: number;
  /** @unit milliseconds */
  readonly keepAliveTimeoutMs: number;
}

/** Interval between two checks for timeouts. @unit milliseconds */
const CHECK_INTERVAL_MS = 1_000;

/** Time in addition to the announced one, after which an idle connection is closed, as in Node.js. @unit milliseconds */
const KEEP_ALIVE_MARGIN_MS = 1_000;

/**
 * Reads the connections of a server before its HTTP parser does. The parser takes a connection, with the bytes of requests without a response, at
 * the first request that is not plain.
 *
 * @param event event of the server with connections from which HTTP can be read: `secureConnection` with TLS
 */
export function readPlainConnections(
  server: Server,
  event: 'connection' | 'secureConnection',
  options: PlainConnectionsOptions,
): PlainConnections {
  const open = createSwapRemoveList<PlainConnection>();
  const handedOver = new WeakSet<Socket>();
  const [toNode] = server.listeners(event);
  if (toNode === undefined) throw new Error(`The server has no listener for "${event}".`);
  const reader = createPlainReader();
  let isEnding = false;
  let checkNumber = 0;

  const owner: PlainConnectionOwner = {
    reader,
    printHead: createHeadPrinter(options.keepAliveTimeoutMs),
    accepts: ({ head }, socket) => !options.isReserved(socket) && options.isServed(head),
    isEnding: () => isEnding,
    serve: options.serve,
    hold: options.hold,
    onClose: (connection) => void open.remove(connection),
    checkNumber: () => checkNumber,
    handOver({ socket }) {
      handedOver.add(socket);
      toNode.call(server, socket);
      socket.resume();
    },
  };

  function begin(socket: Socket): void {
    if (handedOver.has(socket) || socket.destroyed) toNode?.call(server, socket);
    else open.add(new PlainConnection(socket, owner));
  }

  /** Closes a connection that has been idle for too long, like the HTTP server does. */
  function checkTimeout(connection: PlainConnection): void {
    const idleMs = (checkNumber - connection.idleSince - 1) * CHECK_INTERVAL_MS;
    if (!connection.isIdle) return;
    if (connection.response !== undefined) {
      if (idleMs >= options.keepAliveTimeoutMs + KEEP_ALIVE_MARGIN_MS) connection.socket.destroy();
    } else if (idleMs >= options.headersTimeoutMs) {
      connection.leave();
      handedOver.add(connection.socket);
      server.emit('clientError', Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), connection.socket);
    }
  }

  function forEachConnection(visit: (connection: PlainConnection) => void): void {
    for (let index = open.size - 1; index >= 0; index -= 1) {
      const connection = open.at(index);
      if (connection !== undefined) visit(connection);
    }
  }

  server.off(event, toNode as () => void);
  server.prependListener(event, begin);
  const checks = setInterval(() => {
    checkNumber += 1;
    forEachConnection(checkTimeout);
  }, CHECK_INTERVAL_MS).unref();

  return {
    announceEnd() {
      isEnding = true;
      forEachConnection((connection) => connection.announceEnd());
    },
    isIdle() {
      for (let index = 0; index < open.size; index += 1) if (open.at(index)?.isIdle === false) return false;
      return true;
    },
    forEach(visit) {
      forEachConnection(({ socket, response }) => {
        if (response !== undefined) visit({ socket, response });
      });
    },
    closeAll: () => forEachConnection(({ socket }) => socket.destroy()),
    stop: () => clearInterval(checks),
  };
}
