import type { RequestListener } from 'node:http';
import { type HttpListener, type HttpListenerOptions, openHttpListener } from '../../../gateway/platform/http/server/http-listener.ts';

/** Longer than any test waits. @unit milliseconds */
export const FOREVER_MS = 60_000;

/** Opens a listener on a free port, without time limits. */
export function openTestListener(handler: RequestListener, options: Partial<HttpListenerOptions> = {}): Promise<HttpListener> {
  return openHttpListener(
    {
      name: 'The listener',
      portSetting: 'none',
      hostSetting: 'none',
      host: '127.0.0.1',
      port: 0,
      headersTimeoutMs: FOREVER_MS,
      requestTimeoutMs: FOREVER_MS,
      keepAliveTimeoutMs: FOREVER_MS,
      maxUrlBytes: 1_000,
      ...options,
    },
    handler,
  );
}
