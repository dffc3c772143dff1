import { connect, type Socket } from 'node:net';
import type { ServeRequest } from '../../../../../../gateway/platform/http/response/outgoing-response.ts';
import type { HttpListener, HttpListenerOptions } from '../../../../../../gateway/platform/http/server/http-listener.ts';
import { openTestListener } from '../../../../../support/http/test-listener.ts';

/** Opens a listener that is closed at once when it is disposed. */
export type OpenListener = (serve: ServeRequest, options?: Partial<HttpListenerOptions>) => Promise<HttpListener & AsyncDisposable>;

/** Opens listeners that read requests in one of two ways: themselves as long as requests are plain, or always through Node.js. */
export const BOTH_WAYS: readonly (readonly [way: string, OpenListener])[] = [
  ['the gateway', (serve, options) => open(serve, { plain: { serve, isServed: () => true }, ...options })],
  ['Node.js', open],
];

async function open(serve: ServeRequest, options: Partial<HttpListenerOptions> = {}): Promise<HttpListener & AsyncDisposable> {
  const listener = await openTestListener(serve, options);
  return Object.assign(listener, { [Symbol.asyncDispose]: () => listener.drain(0) });
}

/** Connects to a listener. */
export function dial({ url }: Pick<HttpListener, 'url'>): Socket {
  return connect({ host: '127.0.0.1', port: Number(new URL(url).port), noDelay: true });
}
