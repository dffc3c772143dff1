import { connect, type Socket } from 'node:net';

/** Response of a request: its status, and whether it has `Retry-After`. Status 0 for a connection that was closed. */
export interface RawResult {
  readonly status: number;
  readonly hasRetryAfter: boolean;
}

/**
 * Client that sends one request repeatedly, over a number of connections as of a load balancer. Requests wait if all connections are in use.
 * It parses only what the proof needs, so that it can send more requests than the gateway can read.
 */
export interface RawClient extends Disposable {
  /** Opens connections. Resolves when the gateway has responded to a health check on each. */
  connect(count: number): Promise<void>;
  send(onResult: (result: RawResult) => void): void;
}

interface Connection {
  readonly socket: Socket;
  onResult: ((result: RawResult) => void) | undefined;
  head: string;
  missing: number;
  result: RawResult;
}

const PROBE = 'GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
const NONE: RawResult = { status: 0, hasRetryAfter: false };

export function createRawClient(port: number, body: string, maxConnections: number): RawClient {
  const bytes = Buffer.from(
    `POST /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  const idle: Connection[] = [];
  const all = new Set<Connection>();
  const waiting: ((result: RawResult) => void)[] = [];

  function end(connection: Connection): void {
    const { onResult, result } = connection;
    connection.onResult = undefined;
    onResult?.(result);
    const next = waiting.shift();
    if (next === undefined) idle.push(connection);
    else sendOn(connection, next);
  }

  function receive(connection: Connection, chunk: Buffer): void {
    if (connection.onResult === undefined) {
      connection.socket.destroy(); // The server ends a connection that has never sent a request, with 408.
      return;
    }
    if (connection.missing > 0) {
      connection.missing -= chunk.length;
      if (connection.missing <= 0) end(connection);
      return;
    }
    // Only the beginning of a response is text that is read.
    const text = connection.head + chunk.toString('latin1', 0, 2_048);
    const headEnd = text.indexOf('\r\n\r\n');
    if (headEnd === -1) {
      connection.head = text;
      return;
    }
    const head = text.slice(0, headEnd).toLowerCase();
    const length = Number(/\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0);
    connection.result = { status: Number(head.slice(9, 12)), hasRetryAfter: head.includes('\nretry-after:') };
    connection.missing = length - (connection.head.length + chunk.length - headEnd - 4);
    connection.head = '';
    if (connection.missing <= 0) end(connection);
  }

  function open(): Connection {
    const socket = connect(port, '127.0.0.1').setNoDelay(true);
    const connection: Connection = { socket, onResult: undefined, head: '', missing: 0, result: NONE };
    all.add(connection);
    socket.on('data', (chunk: Buffer) => receive(connection, chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      all.delete(connection);
      const index = idle.indexOf(connection);
      if (index !== -1) idle.splice(index, 1);
      const { onResult } = connection;
      connection.onResult = undefined;
      onResult?.(NONE);
    });
    return connection;
  }

  function sendOn(connection: Connection, onResult: (result: RawResult) => void): void {
    connection.onResult = onResult;
    connection.socket.write(bytes);
  }

  return {
    async connect(count) {
      while (all.size < count) {
        const connection = open();
        // The kernel accepts connections before the gateway does, which must not happen during the measurement.
        await new Promise<void>((resolve) => {
          connection.onResult = () => resolve();
          connection.socket.write(PROBE);
        });
      }
    },
    send(onResult) {
      // The connection that has been idle for longest, so that none reaches the idle timeout of the server.
      const connection = idle.shift() ?? (all.size < maxConnections ? open() : undefined);
      if (connection === undefined) waiting.push(onResult);
      else sendOn(connection, onResult);
    },
    [Symbol.dispose]() {
      for (const { socket } of all) socket.destroy();
    },
  };
}
