import { systemClock } from '../../platform/clock.ts';
import { SubgraphConnection, type ConnectionOwner } from './connection.ts';
import { type ConnectOptions, createOpenSocket } from './open-socket.ts';
import type { Abortable, HttpRequest, ResponseHandler } from './response-handler.ts';

export interface ConnectionPoolOptions extends ConnectOptions {
  readonly maxConnections: number;
}

/** Connections to one origin over HTTP/1.1, kept open between requests. Disposed of, it fails all that is under way. */
export interface ConnectionPool extends Disposable {
  /** Sends a request as soon as a connection is free; those that wait go in the order of their arrival. */
  send(request: HttpRequest, handler: ResponseHandler): void;
}

/** A request in the queue, which it leaves when it is aborted. */
interface Waiter extends Abortable {
  readonly request: HttpRequest;
  readonly handler: ResponseHandler;
}

/** How often it is looked for connections that nobody has used for long. @unit milliseconds */
const SWEEP_MS = 1_000;

/**
 * A request takes the connection that was used last, so that what a rush has opened can rest and go. Where none is free
 * one more is opened, but the request goes over whichever is free first; a connection that cannot be made fails the request
 * that has waited longest.
 */
export function createConnectionPool({ maxConnections, ...connect }: ConnectionPoolOptions): ConnectionPool {
  const openSocket = createOpenSocket(connect);
  const connections = new Set<SubgraphConnection>();
  const free: SubgraphConnection[] = []; // the one that was used last at the end
  const waiting = new Set<Waiter>(); // in the order of arrival
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
    onRefused(connection, error) {
      connecting -= 1;
      connections.delete(connection);
      const [first] = waiting;
      first?.abort();
      first?.handler.fail(error);
      openWanted();
    },
    onGone(connection) {
      connections.delete(connection);
      const place = free.indexOf(connection);
      if (place >= 0) free.splice(place, 1);
      openWanted();
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
  return new Error('The connections have been closed.');
}
