import { systemClock } from '../../platform/clock.ts';
import { SubgraphConnection, type ConnectionOwner } from './connection.ts';
import { type ConnectOptions, createOpenSocket } from './open-socket.ts';
import type { Abortable, HttpRequest, ResponseHandler } from './response-handler.ts';

export interface ConnectionPoolOptions extends ConnectOptions {
  readonly maxConnections: number;
}

/** Pool of HTTP/1.1 connections to one origin, held open between requests. Disposing of the pool fails all requests in progress. */
export interface ConnectionPool extends Disposable {
  /** Sends a request as soon as a connection is free. Waiting requests are sent in order of arrival. */
  send(request: HttpRequest, handler: ResponseHandler): void;
  /** Counts the open connections, and those that are being opened. */
  counts(): ConnectionCounts;
}

/** Connections of a pool. @unit connections */
export interface ConnectionCounts {
  /** Connections with a request, and connections that are being opened. */
  readonly active: number;
  readonly idle: number;
}

/** A queued request. Aborting it removes it from the queue. */
interface Waiter extends Abortable {
  readonly request: HttpRequest;
  readonly handler: ResponseHandler;
}

/** Interval between two checks for idle connections. @unit milliseconds */
const SWEEP_MS = 1_000;

/**
 * Creates a pool. A request takes the connection that was used most recently, so that connections opened during a load peak become idle and
 * are closed. When no connection is free, the pool opens one more, but the request uses the first connection that becomes free. When a
 * connection cannot be opened, the request that has waited longest fails. When the server has closed an idle connection, and the gateway has
 * not read that yet, a repeatable request is sent again, once (RFC 9112, section 9.3.1).
 */
export function createConnectionPool({ maxConnections, ...connect }: ConnectionPoolOptions): ConnectionPool {
  const openSocket = createOpenSocket(connect);
  const connections = new Set<SubgraphConnection>();
  const free: SubgraphConnection[] = []; // most recently used last
  const waiting = new Set<Waiter>(); // in order of arrival
  let connecting = 0;
  let sweeper: NodeJS.Timeout | undefined;
  let isDisposed = false;

  const owner: ConnectionOwner = {
    onOpen(connection) {
      connecting -= 1;
      owner.onFree(connection);
    },
    onFree(connection) {
      for (const waiter of waiting) {
        waiting.delete(waiter);
        if (waiter.handler.enter(connection)) return connection.send(waiter.request, waiter.handler);
      }
      connection.rest(systemClock.monotonic());
      free.push(connection);
      sweeper ??= setInterval(sweep, SWEEP_MS).unref();
    },
    onRejected(connection, error) {
      connecting -= 1;
      connections.delete(connection);
      const [first] = waiting;
      first?.abort();
      first?.handler.fail(error);
      openWanted();
    },
    onDisconnect(connection) {
      connections.delete(connection);
      const index = free.indexOf(connection);
      if (index >= 0) free.splice(index, 1);
      openWanted();
    },
    // Idle connections of a server that restarts are closed together, so the request does not take another idle one.
    onMissed(request, handler, reason) {
      if (isDisposed) handler.fail(reason);
      else enqueue({ ...request, isRepeatable: false }, handler);
    },
  };

  function enqueue(request: HttpRequest, handler: ResponseHandler): void {
    const waiter: Waiter = { request, handler, abort: () => waiting.delete(waiter) };
    if (!handler.enter(waiter)) return;
    waiting.add(waiter);
    openWanted();
  }

  function openWanted(): void {
    if (isDisposed) return;
    while (connecting < waiting.size && connections.size < maxConnections) {
      connecting += 1;
      connections.add(new SubgraphConnection(openSocket, owner));
    }
  }

  function takeFree(): SubgraphConnection | undefined {
    if (free.length === 0) return undefined;
    const now = systemClock.monotonic();
    for (let connection = free.pop(); connection !== undefined; connection = free.pop()) {
      if (connection.isUsable(now)) return connection;
      connection.abort();
    }
    return undefined;
  }

  function sweep(): void {
    const now = systemClock.monotonic();
    for (const connection of free.filter((one) => !one.isUsable(now))) {
      free.splice(free.indexOf(connection), 1);
      connection.abort();
    }
    if (free.length > 0) return;
    clearInterval(sweeper);
    sweeper = undefined;
  }

  return {
    send(request, handler) {
      if (isDisposed) return handler.fail(poolClosed());
      const connection = takeFree();
      if (connection === undefined) enqueue(request, handler);
      else if (handler.enter(connection)) connection.send(request, handler);
      else free.push(connection);
    },
    counts: () => ({ active: connections.size - free.length, idle: free.length }),
    [Symbol.dispose]() {
      isDisposed = true;
      clearInterval(sweeper);
      const reason = poolClosed();
      for (const waiter of waiting) {
        waiter.abort();
        waiter.handler.fail(reason);
      }
      for (const connection of connections) connection.close(reason);
    },
  };
}

function poolClosed(): Error {
  return new Error('The connection pool was closed.');
}
