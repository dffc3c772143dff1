import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { request as startRequest } from '../../platform/http/node-http.ts';
import { GatewayError } from '../../platform/errors.ts';
import { workerAddress, type WorkerEndpoint } from './request-worker.ts';

/** Headers of one connection, which are not forwarded (RFC 9110, section 7.6.1). */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Headers about the path of a request. The primary has checked them, and the worker must not interpret them again. */
const ABOUT_THE_PATH = /^(?:forwarded|via|x-forwarded-.*|x-real-ip)$/;

/** Returns the headers that are sent to a worker. */
export function forwardedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const forwarded: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && !HOP_BY_HOP.has(name) && !ABOUT_THE_PATH.test(name)) forwarded[name] = value;
  }
  return forwarded;
}

/**
 * Forwards a request with its body to a worker and streams the response, which can be endless. When the client disconnects, so does the
 * connection to the worker.
 *
 * @throws GatewayError `OVERLOADED` when the worker does not respond; nothing has been written then
 */
export async function forwardRequest(request: IncomingMessage, response: ServerResponse, worker: WorkerEndpoint): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  const headers: Record<string, string> = forwardedHeaders(request.headers);
  const upstream = startRequest({ ...workerAddress(worker.internalUrl), path: url, method, headers, agent: false });
  response.once('close', () => upstream.destroy());
  const sending = pipeline(request, upstream);
  const received = new Promise<IncomingMessage>((resolve, reject) => {
    upstream.once('response', resolve).once('error', reject);
  });
  // The worker may respond before it has read the body, and then closes the connection.
  sending.catch(() => {});
  const from = await received.catch((cause: unknown) => {
    throw new GatewayError('OVERLOADED', 'The worker process that received this request has ended. Send the request again.', {
      cause,
      headers: { 'retry-after': '1' },
    });
  });
  response.writeHead(from.statusCode ?? 502, withoutHops(from.headers));
  response.flushHeaders();
  // An incomplete response must not look complete, so the connection is closed.
  await pipeline(from, response).catch(() => void response.destroy());
}

function withoutHops(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));
}
