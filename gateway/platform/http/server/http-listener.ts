import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { setImmediate as nextImmediate } from 'node:timers/promises';
import { type ConnectionCount, createConnectionCount } from '../limits/connection-count.ts';
import { bindEdge, type ConnectionEdge, type EdgeLimits, hasEdge, type ToErrorHttpResponse } from '../limits/edge-limits.ts';
import { affordableConnections } from '../limits/open-files.ts';
import { createWriteDeadlines, type WriteDeadlines } from '../limits/write-deadlines.ts';
import { type PlainConnections, type PlainHandler, readPlainConnections } from '../plain/plain-connections.ts';
import { respondToBrokenRequests } from './broken-requests.ts';
import { createConnections } from './connections.ts';
import { createServerFor, type TlsMaterial } from './either-server.ts';
import { describeListenFailure } from './listen-failure.ts';
import { serveUpgrades, type UpgradeHandler } from './upgrades.ts';

export interface HttpListenerOptions {
  /** Name of the listener for messages, such as `The gateway`. */
  readonly name: string;
  /** Setting of the port, which is named if the port is in use. */
  readonly portSetting: string;
  /** Setting of the address, which is named if the machine does not have the address. */
  readonly hostSetting: string;
  /** Address to bind to. */
  readonly host: string;
  /** Port; 0 selects a free one. @unit port */
  readonly port: number;
  /** Timeout for receiving the headers of a request. @unit milliseconds */
  readonly headersTimeoutMs: number;
  /** Timeout for receiving a complete request. @unit milliseconds */
  readonly requestTimeoutMs: number;
  /** How long an idle connection remains open. @unit milliseconds */
  readonly keepAliveTimeoutMs: number;
  /** Whether a worker process opens a port of its process only, instead of one that all workers share. @defaultValue false */
  readonly isOfThisProcess?: boolean | undefined;
  /** TLS certificate and settings. @defaultValue plain HTTP */
  readonly tls?: TlsMaterial | undefined;
  /** Handler for upgrade requests. @defaultValue upgrade offers are ignored */
  readonly upgrade?: UpgradeHandler | undefined;
  /** Maximum length of the request target. The headers have the 16 KiB of Node.js in addition. @unit bytes */
  readonly maxUrlBytes: number;
  /** Limits on connections and on bytes that are pending for clients. @defaultValue no limits */
  readonly limits?: EdgeLimits | undefined;
  /** Renders errors of the limits. @defaultValue a response without a body */
  readonly toErrorResponse?: ToErrorHttpResponse | undefined;
  /** Handler of plain requests that the gateway reads itself. @defaultValue Node.js reads all requests */
  readonly plain?: PlainHandler | undefined;
}

/** Listening socket. */
export interface HttpListener {
  /** URL with the actual port: `http://host:port` or `https://host:port`. */
  readonly url: string;
  /** Replaces the certificate for new connections; open connections continue. Present only with TLS. */
  readonly secure?: (material: TlsMaterial) => void;
  /** Sends `Connection: close` with all further responses. New connections are still accepted. */
  announceEnd(): void;
  /**
   * Stops accepting connections, lets running requests finish, and sends `Connection: close` to their clients. Open idle connections may
   * send one more request before they are closed. Requests that still run after `timeoutMs` are aborted. Resolves when the last connection
   * is closed.
   */
  drain(timeoutMs: number): Promise<void>;
}

const HEADER_BYTES = 16_384;
const TIMEOUT_CHECK_INTERVAL_MS = 1_000;

/**
 * Time for which an idle connection remains open after draining begins. A request may be in transit, and closing immediately would lose it.
 *
 * @unit milliseconds
 */
const IDLE_GRACE_MS = 200;

/** Opens a listener. @throws ListenFailure with the `code` of Node.js (`EADDRINUSE`, `EACCES`, …) and a message for the operator */
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
  const headersTimeoutMs = Math.min(options.headersTimeoutMs, options.requestTimeoutMs);
  const respond: RequestListener = (request, response) => connections.receive(request, response);
  const { server, secure, endHandshakes } = createServerFor(
    {
      maxHeaderSize: HEADER_BYTES + options.maxUrlBytes,
      headersTimeout: headersTimeoutMs,
      requestTimeout: options.requestTimeoutMs,
      keepAliveTimeout: options.keepAliveTimeoutMs,
      connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS,
      // Duplicate headers must be detected. Node.js would otherwise drop the second one, which hides it from all checks.
      joinDuplicateHeaders: true,
      // The request guard checks the header, and its errors have the format of the gateway.
      requireHostHeader: false,
    },
    respond,
    options.tls,
  );
  // By default, Node.js silently drops headers after 2,000 names and values, including preconditions and duplicate `Host` headers. The size
  // of the headers is limited instead.
  server.maxHeadersCount = 0;
  respondToExpectations(server, respond);
  respondToBrokenRequests(server, connections);
  serveUpgrades(server, upgrade ?? NO_UPGRADES, connections);
  if (limits !== undefined && counted !== undefined)
    boundConnections(
      server,
      { limits, toErrorResponse: options.toErrorResponse ?? withoutBody, isReserved: counted.isReserved, exempt: counted.exempt },
      counted.enter,
    );
  const plain =
    options.plain === undefined
      ? NO_PLAIN_CONNECTIONS
      : readPlainConnections(server, options.tls === undefined ? 'connection' : 'secureConnection', {
          ...options.plain,
          isReserved: (socket) => counted?.isReserved(socket) === true,
          hold: (request) => (limits === undefined ? releaseNothing : limits.responses.hold(limits.addressOf(request))),
          headersTimeoutMs,
          keepAliveTimeoutMs: options.keepAliveTimeoutMs,
        });
  await listen(server, options);
  const announceEnd = (): void => {
    isDraining = true;
    connections.announceEnd();
    plain.announceEnd();
  };
  const deadlines = limits && createWriteDeadlines(limits.settings.writeTimeoutMs, limits.report);
  const look = ({ look: lookAt }: WriteDeadlines): void => {
    connections.forEach(lookAt);
    plain.forEach(lookAt);
  };
  const looking = deadlines && setInterval(look, deadlines.intervalMs, deadlines).unref();
  return {
    url: toUrl(server.address(), options.tls === undefined ? 'http' : 'https'),
    ...(secure === undefined ? {} : { secure }),
    announceEnd,
    async drain(timeoutMs) {
      announceEnd();
      // Established connections wait in the queue of the system until the event loop polls, and closing the listener would reset them.
      // The first turn may end without a poll. Without time for running requests, the connections are aborted anyway.
      if (timeoutMs > 0) for (let turn = 0; turn < 2; turn += 1) await nextImmediate();
      // The method of the base class is used, because the method of HTTP servers closes idle connections without a grace period.
      const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
      endHandshakes();
      const cut = setTimeout(() => {
        server.closeAllConnections();
        plain.closeAll();
        // The server does not track connections whose upgrade waits for an earlier response or is being rejected.
        connections.forEach(({ socket }) => socket.destroy());
      }, timeoutMs);
      // This includes connections without any data, which browsers open in advance. Node.js does not count them as idle.
      const sweep = setInterval(() => {
        if (!connections.isIdle() || !plain.isIdle()) return;
        server.closeAllConnections();
        plain.closeAll();
      }, IDLE_GRACE_MS);
      await closed;
      clearTimeout(cut);
      clearInterval(sweep);
      clearInterval(looking);
      plain.stop();
      server.close(); // Stops the timeout checks, which run until here.
    },
  };
}

function countConnections({ settings, isProxy, report }: EdgeLimits): ConnectionCount {
  const bounds = { total: affordableConnections(settings.maxConnections), perAddress: settings.maxConnectionsPerAddress };
  return createConnectionCount({ bounds, isProxy, report });
}

/** Connections of a listener whose requests are all read by Node.js. */
const NO_PLAIN_CONNECTIONS: PlainConnections = {
  announceEnd() {},
  isIdle: () => true,
  forEach() {},
  closeAll() {},
  stop() {},
};

function releaseNothing(): void {
  // The requests are not counted.
}

const NO_UPGRADES: UpgradeHandler = { wants: () => false, take: (_request, socket) => socket.destroy() };

const withoutBody: ToErrorHttpResponse = ({ status, headers }) => ({ status, headers, body: '' });

function boundConnections(server: Server, edge: ConnectionEdge, enter: ConnectionCount['enter']): void {
  server.on('connection', (socket) => {
    if (hasEdge(socket)) return; // The connection was returned after a declined upgrade.
    enter(socket);
    bindEdge(socket, edge);
  });
  server.on('secureConnection', (socket) => bindEdge(socket, edge));
}

/**
 * Maximum number of connections that wait until they are accepted; the kernel can have a lower limit (`net.core.somaxconn`). With the 511 of
 * Node.js, a burst of new connections fills the queue during one iteration of the event loop. The clients then try again after 1, 3 and
 * 7 seconds, and wait that long for a response or a rejection.
 */
const BACKLOG = 65_535;

function listen(server: Server, options: HttpListenerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (cause: NodeJS.ErrnoException): void => reject(describeListenFailure(cause, options));
    server.once('error', onError);
    server.listen({ host: options.host, port: options.port, backlog: BACKLOG, exclusive: options.isOfThisProcess === true }, () => {
      server.off('error', onError);
      resolve();
    });
  });
}

function toUrl(address: AddressInfo | string | null, scheme: 'http' | 'https'): string {
  if (address === null || typeof address === 'string') throw new Error('The TCP listener has no address.');
  const everywhere = address.address === '0.0.0.0' || address.address === '::';
  const host = everywhere ? 'localhost' : address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `${scheme}://${host}:${address.port}`;
}

/**
 * Handles requests with an `Expect` header like all others. `100 Continue` is sent only when a handler begins to read the body, unlike in
 * Node.js. A request that is rejected by its headers receives its response immediately (RFC 9110, section 10.1.1). Unknown expectations are
 * ignored.
 */
function respondToExpectations(server: Server, handler: RequestListener): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    subscribeWhenRead(request, response);
    handler(request, response);
  });
  server.on('checkExpectation', handler);
}

/**
 * Sends `100 Continue` when the body is read. All readers add a listener for one of two events first, so handlers do not need to know about
 * it.
 */
function subscribeWhenRead(request: IncomingMessage, response: ServerResponse): void {
  const query = (event: string | symbol): void => {
    if (event !== 'data' && event !== 'readable') return;
    request.off('newListener', query);
    if (!response.headersSent) response.writeContinue(); // After the headers are sent, the body is read only to be discarded.
  };
  request.on('newListener', query);
}
