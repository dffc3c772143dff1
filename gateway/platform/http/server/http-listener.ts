import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { type ConnectionCount, createConnectionCount } from '../limits/connection-count.ts';
import { bindEdge, type ConnectionEdge, type EdgeLimits, hasEdge, type ToRefusalReply } from '../limits/edge-limits.ts';
import { affordableConnections } from '../limits/open-files.ts';
import { createWriteDeadlines } from '../limits/write-deadlines.ts';
import { answerBrokenRequests } from './broken-requests.ts';
import { createConnections } from './connections.ts';
import { createServerFor, type TlsMaterial } from './either-server.ts';
import { describeListenFailure } from './listen-failure.ts';
import { serveUpgrades, type UpgradeHandler } from './upgrades.ts';

export interface HttpListenerOptions {
  /** What listens, in words for messages: `The gateway`. */
  readonly name: string;
  /** Setting that moves it to another port; named when the port is taken. */
  readonly portSetting: string;
  /** Address to bind. */
  readonly host: string;
  /** @unit port; 0 takes a free one */
  readonly port: number;
  /** Until the headers of a request must have arrived. @unit milliseconds */
  readonly headersTimeoutMs: number;
  /** Until a whole request must have arrived. @unit milliseconds */
  readonly requestTimeoutMs: number;
  /** How long an idle connection stays open. @unit milliseconds */
  readonly keepAliveTimeoutMs: number;
  /** Speaks TLS and nothing else. @defaultValue plain HTTP */
  readonly tls?: TlsMaterial | undefined;
  /** Is offered the connections whose clients ask for another protocol. @defaultValue they are answered as if they had not asked */
  readonly upgrade?: UpgradeHandler | undefined;
  /** Longest request target; the headers get Node's 16 KiB beside it. @unit bytes */
  readonly maxUrlBytes: number;
  /** Bounds on connections and on the bytes that wait for clients. @defaultValue none */
  readonly limits?: EdgeLimits | undefined;
  /** Writes what the bounds refuse. @defaultValue a refusal without a body */
  readonly toRefusal?: ToRefusalReply | undefined;
}

/** A socket that is being listened on. */
export interface HttpListener {
  /** `http://host:port` or `https://host:port`, with the port that was really taken. */
  readonly url: string;
  /** Proves itself by another certificate to connections that come from now on; those that stand go on. Only where TLS is spoken. */
  readonly secure?: (material: TlsMaterial) => void;
  /**
   * Accepts no connection any more, lets the running requests finish and tells their clients not to reuse the
   * connection. Open connections on which nothing runs may bring one more request before they are closed; what still
   * runs after `timeoutMs` is cut. Resolves when the last connection is gone.
   */
  drain(timeoutMs: number): Promise<void>;
}

const HEADER_BYTES = 16_384;
const TIMEOUT_CHECK_INTERVAL_MS = 1_000;

/**
 * How long a connection without a request outlives the begin of the draining: a request may be on its way, which closing
 * at once would lose. @unit milliseconds
 */
const IDLE_GRACE_MS = 200;

/** Opens a listener. @throws ListenFailure with Node's `code` (`EADDRINUSE`, `EACCES`, …) and a message in plain words */
export async function openHttpListener(options: HttpListenerOptions, handler: RequestListener): Promise<HttpListener> {
  const { limits, upgrade } = options;
  const counted = limits && countConnections(limits);
  let isDraining = false;
  const connections = createConnections({
    serve(request, response) {
      const isLast = isDraining && connections.latestOf(request.socket)?.request === request;
      if (isLast || counted?.isReserved(request.socket) === true) response.setHeader('connection', 'close');
      handler(request, response);
    },
    ...(limits === undefined ? {} : { hold: (request) => limits.responses.hold(limits.addressOf(request)) }),
  });
  const answer: RequestListener = (request, response) => connections.receive(request, response);
  const { server, secure, endHandshakes } = createServerFor(
    {
      maxHeaderSize: HEADER_BYTES + options.maxUrlBytes,
      headersTimeout: Math.min(options.headersTimeoutMs, options.requestTimeoutMs),
      requestTimeout: options.requestTimeoutMs,
      keepAliveTimeout: options.keepAliveTimeoutMs,
      connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS,
      // A header sent twice must be seen as such: dropping the second hides it from every check.
      joinDuplicateHeaders: true,
      // The guard checks it, and answers in our own shape.
      requireHostHeader: false,
    },
    answer,
    options.tls,
  );
  // Node drops what comes after 2,000 names and values, and says so to nobody: preconditions and second hosts among it. Bytes are bounded.
  server.maxHeadersCount = 0;
  answerExpectations(server, answer);
  answerBrokenRequests(server, connections);
  serveUpgrades(server, upgrade ?? NO_UPGRADES, connections);
  if (limits !== undefined && counted !== undefined)
    boundConnections(
      server,
      { limits, toRefusal: options.toRefusal ?? withoutBody, isReserved: counted.isReserved, exempt: counted.exempt },
      counted.enter,
    );
  await listen(server, options);
  const deadlines = limits && createWriteDeadlines(limits.settings.writeTimeoutMs, limits.report);
  const looking = deadlines && setInterval(() => connections.forEach(deadlines.look), deadlines.intervalMs).unref();
  return {
    url: toUrl(server.address(), options.tls === undefined ? 'http' : 'https'),
    ...(secure === undefined ? {} : { secure }),
    async drain(timeoutMs) {
      isDraining = true;
      connections.announceEnd();
      // By the method of the class below: that of HTTP servers closes idle connections without any grace.
      const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
      endHandshakes();
      const cut = setTimeout(() => {
        server.closeAllConnections();
        // The server does not know connections whose upgrade waits for an earlier response, or is being refused.
        connections.forEach(({ socket }) => socket.destroy());
      }, timeoutMs);
      // Also connections that never brought a byte, as browsers open them in advance: Node does not count them as idle.
      const sweep = setInterval(() => {
        if (connections.isIdle()) server.closeAllConnections();
      }, IDLE_GRACE_MS);
      await closed;
      clearTimeout(cut);
      clearInterval(sweep);
      clearInterval(looking);
      server.close(); // ends the checking of timeouts, which goes on until here
    },
  };
}

function countConnections({ settings, isProxy, report }: EdgeLimits): ConnectionCount {
  const bounds = { total: affordableConnections(settings.maxConnections), perAddress: settings.maxConnectionsPerAddress };
  return createConnectionCount({ bounds, isProxy, report });
}

const NO_UPGRADES: UpgradeHandler = { wants: () => false, take: (_request, socket) => socket.destroy() };

const withoutBody: ToRefusalReply = ({ status, headers }) => ({ status, headers, body: '' });

function boundConnections(server: Server, edge: ConnectionEdge, enter: ConnectionCount['enter']): void {
  server.on('connection', (socket) => {
    if (hasEdge(socket)) return; // it declined an upgrade and is back
    enter(socket);
    bindEdge(socket, edge);
  });
  server.on('secureConnection', (socket) => bindEdge(socket, edge));
}

function listen(server: Server, options: HttpListenerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (cause: NodeJS.ErrnoException): void => reject(describeListenFailure(cause, options));
    server.once('error', onError);
    server.listen({ host: options.host, port: options.port }, () => {
      server.off('error', onError);
      resolve();
    });
  });
}

function toUrl(address: AddressInfo | string | null, scheme: 'http' | 'https'): string {
  if (address === null || typeof address === 'string') throw new Error('A TCP listener has an address.');
  const everywhere = address.address === '0.0.0.0' || address.address === '::';
  const host = everywhere ? 'localhost' : address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `${scheme}://${host}:${address.port}`;
}

/**
 * Answers requests with an `Expect` header by the handler of all others. A client that waits to be asked for its body is asked when
 * somebody begins to read it, and not before, as Node would by itself: what is refused by its head alone is refused at once
 * (RFC 9110, section 10.1.1). Expectations that nobody knows are passed over.
 */
function answerExpectations(server: Server, handler: RequestListener): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    askWhenRead(request, response);
    handler(request, response);
  });
  server.on('checkExpectation', handler);
}

/** Whoever reads a body, in whatever way, listens for one of two events first; so no handler has to know of this. */
function askWhenRead(request: IncomingMessage, response: ServerResponse): void {
  const ask = (event: string | symbol): void => {
    if (event !== 'data' && event !== 'readable') return;
    request.off('newListener', ask);
    if (!response.headersSent) response.writeContinue(); // later it is read to be dropped
  };
  request.on('newListener', ask);
}
