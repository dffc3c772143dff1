import type { ReceivedRequest } from '../../platform/http/plain/plain-request.ts';
import type { ServeRequest } from '../../platform/http/response/outgoing-response.ts';
import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { isLoopback } from '../../config/reach-of-host.ts';
import type { ResolvedGatewayConfig } from '../../config/resolve-gateway-config.ts';
import { CORRELATION_ID_HEADER, readCorrelationId } from '../../platform/request-headers.ts';
import { GatewayError } from '../../platform/errors.ts';
import { type InNetworks, networkOf } from '../../platform/http/request/client-address.ts';
import { sendResponse } from '../../platform/http/response/send-response.ts';
import { toHttpErrorResponse } from '../graphql/http-response.ts';
import { isHealth } from '../internal/health.ts';
import { toPlainErrorResponse } from '../plain-response.ts';

/** Whether a request came over TLS, either to the gateway or to a trusted proxy that reports it. */
export type IsSecure = (request: Pick<ReceivedRequest, 'socket' | 'headers'>) => boolean;

/** Settings that this module reads from the section `server`. */
export type TransportSettings = Pick<ResolvedGatewayConfig['server'], 'tls' | 'requireTls' | 'hstsMaxAgeSeconds'>;

/** @param isProxy whether an address is a trusted proxy; absent when none is configured */
export function createIsSecure(isProxy: InNetworks | undefined): IsSecure {
  return ({ socket, headers }) => {
    if ((socket as Partial<TLSSocket>).encrypted === true) return true;
    if (isProxy === undefined || !isProxy(socket.remoteAddress ?? '')) return false;
    return lastOf(headers['x-forwarded-proto']).toLowerCase() === 'https';
  };
}

/**
 * Creates a check that accepts keys only from this machine or over TLS, to the listener or to a trusted proxy. Without TLS, a key can be
 * read on the network. A forwarded request counts as local only when every address that the proxy lists is an address of this machine.
 *
 * @throws GatewayError `TLS_REQUIRED`
 */
export function createTrustedPathCheck(isProxy: InNetworks | undefined): (request: Pick<ReceivedRequest, 'socket' | 'headers'>) => void {
  const isSecure = createIsSecure(isProxy);
  return (request) => {
    if (!isSecure(request) && !isFromThisMachine(request)) throw tlsRequired();
  };
}

/**
 * Creates a check for tokens of services. It accepts direct connections to the internal listener, and requires TLS through a proxy.
 * Services may run on other machines of the internal network, and their tokens expire after one minute.
 *
 * @throws GatewayError `TLS_REQUIRED`
 */
export function createServicePathCheck(isProxy: InNetworks | undefined): (request: Pick<ReceivedRequest, 'socket' | 'headers'>) => void {
  const isSecure = createIsSecure(isProxy);
  return (request) => {
    if (hasForwardingHeader(request.headers) && !isSecure(request) && !isFromThisMachine(request)) throw tlsRequired();
  };
}

/** Headers that proxies add to requests that they forward. */
const FORWARDING_HEADERS = [
  'cf-connecting-ip',
  'fastly-client-ip',
  'forwarded',
  'true-client-ip',
  'via',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-envoy-external-address',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-original-host',
  'x-real-ip',
];

/** Whether a proxy has added a header about the client. */
export function hasForwardingHeader(headers: ReceivedRequest['headers']): boolean {
  return FORWARDING_HEADERS.some((name) => headers[name] !== undefined);
}

/** Whether a request comes from this machine. A forwarded request does only when a header that is read here lists the client. */
function isFromThisMachine({ socket, headers }: Pick<ReceivedRequest, 'socket' | 'headers'>): boolean {
  if (!isOfThisMachine(socket.remoteAddress ?? '')) return false;
  if (!hasForwardingHeader(headers)) return true;
  const named = [headers['x-forwarded-for'], headers['x-real-ip']].filter((value) => value !== undefined);
  if (headers['forwarded'] !== undefined || named.length === 0) return false;
  return named.every((value) =>
    String(value)
      .split(',')
      .every((address) => isOfThisMachine(address.trim())),
  );
}

/** Whether the address of a client is a loopback address. */
export function isOfThisMachine(address: string): boolean {
  return isIP(address) !== 0 && (address === '::1' || isLoopback(networkOf(address)));
}

/** Returns the value that the nearest proxy added. Earlier values come from other proxies or from the client. */
function lastOf(header: string | readonly string[] | undefined): string {
  const text = String(header ?? '');
  return text.slice(text.lastIndexOf(',') + 1).trim();
}

/**
 * Rejects requests without TLS when `requireTls` is set, and sends `Strict-Transport-Security` over TLS (RFC 6797). A request without TLS
 * is not redirected: its credentials are already exposed, and the client would not notice. Health paths are exempt, because probes use no
 * proxy and send no credentials.
 *
 * @param isMountedHealth whether a mounted handler declares a path as a health path
 * @returns the handler itself when no check is necessary
 */
export function withTransportSecurity(
  handler: ServeRequest,
  { tls, requireTls, hstsMaxAgeSeconds }: TransportSettings,
  isProxy: InNetworks | undefined,
  isMountedHealth: (path: string) => boolean = () => false,
): ServeRequest {
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
      const httpResponse = isGraphql
        ? toHttpErrorResponse(error, 'application/json', correlationId)
        : toPlainErrorResponse(error, correlationId);
      sendResponse(request, response, httpResponse);
      return;
    }
    handler(request, response);
  };
}

/** Makes the error for a request without TLS to a listener that requires it. */
export function tlsRequired(): GatewayError {
  return new GatewayError(
    'TLS_REQUIRED',
    'HTTPS is required, either to this listener or to a trusted proxy that sends X-Forwarded-Proto. Replace credentials that were sent without TLS.',
  );
}
