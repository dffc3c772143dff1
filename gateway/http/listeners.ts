import type { RequestListener } from 'node:http';
import type { ResolvedGatewayConfig } from '../config/resolve-gateway-config.ts';
import { type HttpListener, openHttpListener } from '../platform/http/http-listener.ts';

/** The public and the internal listener, both open. */
export interface Listeners {
  readonly url: string;
  readonly internalUrl: string;
  /** Finishes what runs, the public listener first: until then the internal one goes on answering for its health. */
  drain(timeoutMs: number): Promise<void>;
}

export interface ListenerHandlers {
  readonly public: RequestListener;
  readonly internal: RequestListener;
}

/** Opens both listeners, or none. @throws ListenFailure */
export async function openListeners(server: ResolvedGatewayConfig['server'], handlers: ListenerHandlers): Promise<Listeners> {
  const internal = await openHttpListener(
    {
      ...server,
      name: 'The internal listener',
      portSetting: 'INTERNAL_PORT (server.internalPort)',
      host: server.internalHost,
      port: server.internalPort,
    },
    handlers.internal,
  );
  const open = await openPublic(server, handlers.public, internal);
  return {
    url: open.url,
    internalUrl: internal.url,
    async drain(timeoutMs) {
      await open.drain(timeoutMs);
      await internal.drain(0);
    },
  };
}

async function openPublic(
  server: ResolvedGatewayConfig['server'],
  handler: RequestListener,
  internal: HttpListener,
): Promise<HttpListener> {
  try {
    return await openHttpListener({ ...server, name: 'The gateway', portSetting: 'PORT (server.port)' }, handler);
  } catch (error) {
    await internal.drain(0);
    throw error;
  }
}
