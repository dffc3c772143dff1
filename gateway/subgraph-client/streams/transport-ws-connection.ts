import { WebSocket } from 'ws';
import { type SubgraphFailure, subgraphInvalidResponse, subgraphTimeout, subgraphUnavailable } from '../failures.ts';
import { parseSubgraphJson } from '../decode-json.ts';
import { isRecord } from '../read-response.ts';
import type { TlsOptions } from '../open-pools.ts';

/** Subprotocol that defines the messages. */
const PROTOCOL = 'graphql-transport-ws';

export interface ConnectionOptions {
  /** `ws:` or `wss:` URL. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: TlsOptions;
  /** Payload of `connection_init`. */
  readonly init: Readonly<Record<string, unknown>>;
  /** Timeout for opening the socket. @unit milliseconds */
  readonly connectTimeoutMs: number;
  /** Timeout for the acknowledgment of the connection after the socket is open. @unit milliseconds */
  readonly ackTimeoutMs: number;
  /** Maximum message size. @unit bytes */
  readonly maxMessageBytes: number;
  /** Called once when the connection has ended, after the listeners of its subscriptions. */
  readonly onClosed: () => void;
}

/** Receives the messages of one subscription. No method is called after `onError`, `onComplete` or `onCrash`. */
export interface OperationListener {
  /** Called when the subscription was sent on an acknowledged connection. */
  onSent(): void;
  onPosition(payload: Readonly<Record<string, unknown>>): void;
  onNext(payload: unknown, needsNoEscape: boolean): void;
  onError(payload: unknown): void;
  onComplete(): void;
  onLost(error: SubgraphFailure): void;
}

/** A socket to a subgraph with any number of subscriptions. */
export interface UpstreamSocket {
  /** Number of subscriptions. */
  readonly size: number;
  /** @param payload JSON text of the request. */
  subscribe(payload: string, listener: OperationListener): Operation;
  /** Sends a ping, or ends the connection when nothing was received since the last call. */
  probe(): void;
  close(error: SubgraphFailure): void;
}

export interface Operation {
  /** Ends the subscription. */
  complete(): void;
}

interface Running {
  readonly payload: string;
  readonly listener: OperationListener;
}

/** Opens a socket as a client of graphql-transport-ws (protocol document of `graphql-ws`, PROTOCOL.md). */
export function openConnection(options: ConnectionOptions): UpstreamSocket {
  const { url, headers, tls, init, connectTimeoutMs, ackTimeoutMs, maxMessageBytes, onClosed } = options;
  const running = new Map<string, Running>();
  let lastId = 0;
  let isAcknowledged = false;
  let isClosed = false;
  let isAlive = true;
  let ackTimer: NodeJS.Timeout | undefined;

  const socket = new WebSocket(url, PROTOCOL, {
    ...tls,
    headers: { ...headers },
    handshakeTimeout: connectTimeoutMs,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
    followRedirects: false,
  });
  socket.on('open', () => {
    socket.send(JSON.stringify({ type: 'connection_init', payload: init }));
    const late = (): void => close(subgraphTimeout(new Error('The connection was not acknowledged in time.'), { isOutage: true }));
    ackTimer = setTimeout(late, ackTimeoutMs).unref();
  });
  socket.on('message', (data, isBinary) => {
    isAlive = true;
    if (isClosed) return;
    try {
      if (isBinary) throw new SyntaxError('A message is binary.');
      receive((data as Buffer).toString());
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw cause;
      close(subgraphInvalidResponse(cause));
    }
  });
  socket.on('pong', () => {
    isAlive = true;
  });
  socket.on('error', (cause) => close(isNonsense(cause) ? subgraphInvalidResponse(cause) : subgraphUnavailable(cause)));
  socket.on('close', (code, reason) => {
    close(subgraphUnavailable(new Error(`The subgraph closed the connection with ${code} ${reason.toString().slice(0, 123)}`)));
  });

  /** @throws SyntaxError when the text is not a message of the protocol */
  function receive(text: string): void {
    const { value: message, needsNoEscape } = parseSubgraphJson(text);
    if (!isRecord(message)) throw new SyntaxError('A message is not an object.');
    const { type, payload } = message;
    if (type === 'connection_ack') return acknowledge();
    if (type === 'ping') return respondToPing(payload);
    if (type === 'pong') return undefined;
    const id = message['id'];
    const found = typeof id === 'string' ? running.get(id) : undefined;
    if (type !== 'next' && type !== 'error' && type !== 'complete') throw new SyntaxError('A message has an unknown type.');
    if (typeof id !== 'string' || found === undefined) return undefined; // The gateway ended the subscription while the message was in flight.
    if (type === 'next') return found.listener.onNext(payload, needsNoEscape);
    running.delete(id);
    if (type === 'error') found.listener.onError(payload);
    else found.listener.onComplete();
    return undefined;
  }

  function acknowledge(): void {
    if (isAcknowledged) throw new SyntaxError('The connection was acknowledged twice.');
    isAcknowledged = true;
    clearTimeout(ackTimer);
    for (const [id, operation] of running) start(id, operation);
  }

  /** Responds to a ping. Its payload can also contain the start position of a stream: see `positionOf` of the transport. */
  function respondToPing(payload: unknown): void {
    socket.send('{"type":"pong"}');
    const id = isRecord(payload) ? payload['subscription'] : undefined;
    if (isRecord(payload) && typeof id === 'string') running.get(id)?.listener.onPosition(payload);
  }

  function start(id: string, { payload, listener }: Running): void {
    socket.send(`{"id":"${id}","type":"subscribe","payload":${payload}}`);
    listener.onSent();
  }

  function close(error: SubgraphFailure): void {
    if (isClosed) return;
    isClosed = true;
    clearTimeout(ackTimer);
    if (socket.readyState === WebSocket.OPEN) socket.close(1000);
    else if (socket.readyState !== WebSocket.CLOSED) socket.terminate();
    // Limits the time that a subgraph can hold the socket without responding to the close.
    setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS).unref();
    const reported = [...running.values()];
    running.clear();
    for (const { listener } of reported) listener.onLost(error);
    onClosed();
  }

  return {
    get size() {
      return running.size;
    },
    subscribe(payload, listener) {
      lastId += 1;
      const id = String(lastId);
      const operation = { payload, listener };
      running.set(id, operation);
      if (isAcknowledged) queueMicrotask(() => running.get(id) === operation && start(id, operation));
      return {
        complete() {
          if (running.delete(id) && isAcknowledged && socket.readyState === WebSocket.OPEN) socket.send(`{"id":"${id}","type":"complete"}`);
        },
      };
    },
    probe() {
      if (!isAcknowledged) return;
      if (!isAlive) {
        socket.terminate();
        return close(subgraphUnavailable(new Error('The connection did not respond to a ping.')));
      }
      isAlive = false;
      socket.ping();
    },
    close,
  };
}

/** @unit milliseconds */
const CLOSE_TIMEOUT_MS = 2_000;

/** Whether an error of the socket means that the other side violates the protocol. */
function isNonsense(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' && code.startsWith('WS_ERR_');
}
