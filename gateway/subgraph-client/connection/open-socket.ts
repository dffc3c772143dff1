import { connect as connectPlain, isIP, type NetConnectOpts, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectSecurely } from 'node:tls';
import { ConnectTimeout } from './connection-errors.ts';

/** How an origin is connected to. */
export interface ConnectOptions {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Until the connection stands, the TLS handshake included. @unit milliseconds */
  readonly connectTimeoutMs: number;
  /** For `https` only. */
  readonly tls: ConnectionOptions;
}

/** What is told of a socket. */
export interface SocketListener {
  onConnected(): void;
  /** @param bytes may be overwritten after the call */
  onBytes(bytes: Buffer): void;
  /** The other side has sent its last byte. */
  onEnd(): void;
  /** Called once, after everything else. @param error what broke it, if anything did */
  onClosed(error?: Error): void;
}

/** Opens connections to one origin. */
export type OpenSocket = (listener: SocketListener) => Socket;

/** What one read can bring; the memory is only taken as far as it was ever filled. @unit bytes */
const READ_BUFFER_BYTES = 65_536;

/** A dead peer is found out by then even when nothing is sent. @unit milliseconds */
const PROBE_AFTER_MS = 60_000;

/**
 * Plain connections read into one buffer for as long as they live: a stream would make a new one for every read, most of
 * which is thrown away.
 */
export function createOpenSocket({ origin, connectTimeoutMs, tls }: ConnectOptions): OpenSocket {
  const { protocol, hostname, port } = new URL(origin);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const isSecure = protocol === 'https:';
  let session: Buffer | undefined;

  function open(listener: SocketListener): Socket {
    if (!isSecure) {
      const onread: NetConnectOpts['onread'] = {
        buffer: Buffer.allocUnsafeSlow(READ_BUFFER_BYTES),
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
      () => socket.destroy(new ConnectTimeout(`There was no connection within ${connectTimeoutMs} ms.`)),
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
