import { connect as connectPlain, isIP, type NetConnectOpts, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectSecurely } from 'node:tls';
import { ConnectTimeout } from './connection-errors.ts';

/** Options for connecting to an origin. */
export interface ConnectOptions {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Timeout for opening a connection, including the TLS handshake. @unit milliseconds */
  readonly connectTimeoutMs: number;
  /** TLS options, used for `https` only. */
  readonly tls: ConnectionOptions;
}

/** Receives the events of a socket. */
export interface SocketListener {
  onConnected(): void;
  /** @param bytes Received bytes. The buffer can be overwritten after the call. */
  onBytes(bytes: Buffer): void;
  /** Called when the other side has sent its last byte. */
  onEnd(): void;
  /** Called once, after all other events. @param error Error that broke the connection, if any. */
  onClosed(error?: Error): void;
}

/** Opens connections to one origin. */
export type OpenSocket = (listener: SocketListener) => Socket;

/**
 * Buffer that all plain connections read into. Listeners copy what they retain, and the event loop reads one connection at a time. A buffer
 * for each connection would retain the memory that its longest read has filled.
 */
const READ_BUFFER = Buffer.allocUnsafeSlow(65_536);

/** Idle time before TCP keep-alive probes start, so that a dead peer is detected even when no data is sent. @unit milliseconds */
const PROBE_AFTER_MS = 60_000;

/**
 * Creates a function that opens sockets. Plain connections read into one buffer. A stream would allocate a new buffer for every read and
 * discard most of them.
 */
export function createOpenSocket({ origin, connectTimeoutMs, tls }: ConnectOptions): OpenSocket {
  const { protocol, hostname, port } = new URL(origin);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const isSecure = protocol === 'https:';
  let session: Buffer | undefined;

  function open(listener: SocketListener): Socket {
    if (!isSecure) {
      const onread: NetConnectOpts['onread'] = {
        buffer: READ_BUFFER,
        callback(length, buffer) {
          listener.onBytes((buffer as Buffer).subarray(0, length));
          return true;
        },
      };
      return connectPlain({ host, port: Number(port || 80), onread });
    }
    const named = isIP(host) === 0 ? { servername: host } : {};
    const socket = connectSecurely({
      host,
      port: Number(port || 443),
      ALPNProtocols: ['http/1.1'],
      ...named,
      ...tls,
      ...(session === undefined ? {} : { session }),
    });
    socket.on('session', (fresh) => {
      session = fresh;
    });
    return socket.on('data', (bytes) => listener.onBytes(bytes));
  }

  return (listener) => {
    const socket = open(listener);
    let failure: Error | undefined;
    const timer = setTimeout(
      () => socket.destroy(new ConnectTimeout(`The connection was not established within ${connectTimeoutMs} ms.`)),
      connectTimeoutMs,
    );
    return socket
      .on(isSecure ? 'secureConnect' : 'connect', () => {
        clearTimeout(timer);
        socket.setNoDelay(true).setKeepAlive(true, PROBE_AFTER_MS);
        listener.onConnected();
      })
      .on('end', () => listener.onEnd())
      .on('error', (error) => {
        failure = error;
      })
      .on('close', () => {
        clearTimeout(timer);
        listener.onClosed(failure);
      });
  };
}
