import type { IncomingMessage, RequestListener } from 'node:http';
import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { isLoopback } from '../../config/reach-of-host.ts';
import type { ResolvedGatewayConfig } from '../../config/resolve-gateway-config.ts';
import { CORRELATION_ID_HEADER, readCorrelationId } from '../../platform/request-headers.ts';
import { GatewayError } from '../../platform/errors.ts';
import { type InNetworks, networkOf } from '../../platform/http/request/client-address.ts';
import { sendReply } from '../../platform/http/response/send-response.ts';
import { toRefusalReply } from '../graphql/http-response.ts';
import { isHealth } from '../internal/health.ts';
import { toPlainRefusal } from '../plain-response.ts';

/** Whether a request came by TLS to us, or to a proxy of ours that says so. */
export type IsSecure = (request: Pick<IncomingMessage, 'socket' | 'headers'>) => boolean;

/** What is read of the section `server`. */
export type TransportSettings = Pick<ResolvedGatewayConfig['server'], 'tls' | 'requireTls' | 'hstsMaxAgeSeconds'>;

/** @param isProxy whether an address is a proxy of ours; absent where there is none */
export function createIsSecure(isProxy: InNetworks | undefined): IsSecure {
  return ({ socket, headers }) => {
    if ((socket as Partial<TLSSocket>).encrypted === true) return true;
    if (isProxy === undefined || !isProxy(socket.remoteAddress ?? '')) return false;
    return lastOf(headers['x-forwarded-proto']).toLowerCase() === 'https';
  };
}

/**
 * Takes keys from this machine and by TLS only, to the listener or to a trusted proxy: who can read a key on the network can use it. A request
 * that a proxy on this machine passes on counts as one from this machine only where each address that the proxy names is one of this machine.
 *
 * @throws GatewayError `TLS_REQUIRED`
 */
export function createTrustedPathCheck(isProxy: InNetworks | undefined): (request: Pick<IncomingMessage, 'socket' | 'headers'>) => void {
  const isSecure = createIsSecure(isProxy);
  return (request) => {
    if (!isSecure(request) && !isFromThisMachine(request)) throw tlsRequired();
  };
}

/**
 * Takes tokens of services from whoever connects to the internal listener directly, and through a proxy by TLS only: services may run on other
 * machines of the internal network, and their tokens end after a minute.
 *
 * @throws GatewayError `TLS_REQUIRED`
 */
export function createServicePathCheck(isProxy: InNetworks | undefined): (request: Pick<IncomingMessage, 'socket' | 'headers'>) => void {
  const isSecure = createIsSecure(isProxy);
  return (request) => {
    if (isForwarded(request.headers) && !isSecure(request) && !isFromThisMachine(request)) throw tlsRequired();
  };
}

/** Headers by which proxies tell of the request that they pass on. */
const FORWARDING_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
];

function isForwarded(headers: IncomingMessage['headers']): boolean {
  return FORWARDING_HEADERS.some((name) => headers[name] !== undefined);
}

/** Whether a request comes from this machine. One that was passed on does only where a client is named, in a header that is read here. */
function isFromThisMachine({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
  if (!isOfThisMachine(socket.remoteAddress ?? '')) return false;
  if (!isForwarded(headers)) return true;
  const named = [headers['x-forwarded-for'], headers['x-real-ip']].filter((value) => value !== undefined);
  if (headers['forwarded'] !== undefined || named.length === 0) return false;
  return named.every((value) =>
    String(value)
      .split(',')
      .every((address) => isOfThisMachine(address.trim())),
  );
}

function isOfThisMachine(address: string): boolean {
  return isIP(address) !== 0 && (address === '::1' || isLoopback(networkOf(address)));
}

/** What the proxy next to us wrote; whatever stands before it is older, or a client's own word. */
function lastOf(header: string | readonly string[] | undefined): string {
  const text = String(header ?? '');
  return text.slice(text.lastIndexOf(',') + 1).trim();
}

/**
 * Refuses what came in the clear where that is asked for, and tells browsers that came by TLS to come by nothing else
 * (RFC 6797). A request in the clear is not redirected: its credentials have been seen by then, and a client that is sent on
 * would never learn. Whoever asks for health is answered: probes come without a proxy, and bring nothing.
 *
 * @param isMountedHealth whether a mounted handler names a path as one of health
 * @returns the handler itself where there is nothing to do
 */
export function withTransportSecurity(
  handler: RequestListener,
  { tls, requireTls, hstsMaxAgeSeconds }: TransportSettings,
  isProxy: InNetworks | undefined,
  isMountedHealth: (path: string) => boolean = () => false,
): RequestListener {
  if (tls === undefined && isProxy === undefined && !requireTls) return handler;
  const isSecure = createIsSecure(isProxy);
  const hsts = hstsMaxAgeSeconds === 0 ? undefined : `max-age=${hstsMaxAgeSeconds}`;
  return (request, response) => {
    if (isSecure(request)) {
      if (hsts !== undefined) response.setHeader('strict-transport-security', hsts);
    } else if (requireTls && !isHealth(request.url ?? '') && !isMountedHealth(request.url ?? '')) {
      const correlationId = readCorrelationId(request.headers);
      response.setHeader(CORRELATION_ID_HEADER, correlationId);
      const error = tlsRequired();
      const isGraphql = /^\/graphql(?:[/?]|$)/.test(request.url ?? '');
      const reply = isGraphql ? toRefusalReply(error, 'application/json', correlationId) : toPlainRefusal(error, correlationId);
      sendReply(request, response, reply);
      return;
    }
    handler(request, response);
  };
}

/** Of a request that came in the clear to a listener that takes none. */
export function tlsRequired(): GatewayError {
  return new GatewayError(
    'TLS_REQUIRED',
    'Only HTTPS is answered here, by the listener or by a proxy that says so in X-Forwarded-Proto. Credentials that were sent in the clear should be replaced.',
  );
}
