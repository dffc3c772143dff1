import type { RequestListener } from 'node:http';
import { isLoopback } from '../config/reach-of-host.ts';
import type { ResolvedGatewayConfig } from '../config/resolve-gateway-config.ts';
import type { TlsMaterial } from '../platform/http/server/either-server.ts';
import { type HttpListener, openHttpListener } from '../platform/http/server/http-listener.ts';
import type { EdgeLimits, ToRefusalReply } from '../platform/http/limits/edge-limits.ts';
import type { UpgradeHandler } from '../platform/http/server/upgrades.ts';
import type { Logger } from '../platform/logger.ts';
import { type FollowedCertificate, followCertificate } from './follow-certificate.ts';

/** The public and the internal listener, both open. */
export interface Listeners {
  readonly url: string;
  readonly internalUrl: string;
  /** Finishes what runs, the public listener first: until then the internal one goes on answering for its health. */
  drain(timeoutMs: number): Promise<void>;
}

/** Answers requests; writes what the bounds of its listener refuse. */
export type ListenerHandler = RequestListener & { readonly toRefusal: ToRefusalReply };

export interface ListenerHandlers {
  readonly public: ListenerHandler;
  readonly internal: ListenerHandler;
  /** Of the public listener. */
  readonly upgrade?: UpgradeHandler | undefined;
  /** Bounds that both listeners share; connections are counted by listener. */
  readonly limits: EdgeLimits;
}

/**
 * Opens both listeners, or none. The internal one speaks TLS as well where other machines can reach it.
 *
 * @throws ListenFailure, and ConfigurationInvalid when the files of `server.tls` cannot be used
 */
export async function openListeners(
  server: ResolvedGatewayConfig['server'],
  handlers: ListenerHandlers,
  logger: Logger,
): Promise<Listeners> {
  const certificate = server.tls === undefined ? undefined : followCertificate(server.tls, logger);
  try {
    return await openBoth(server, handlers, certificate);
  } catch (error) {
    await certificate?.[Symbol.asyncDispose]();
    throw error;
  }
}

async function openBoth(
  server: ResolvedGatewayConfig['server'],
  handlers: ListenerHandlers,
  certificate: FollowedCertificate | undefined,
): Promise<Listeners> {
  const internal = await openHttpListener(
    {
      ...server,
      tls: isLoopback(server.internalHost) ? undefined : certificate?.material,
      name: 'The internal listener',
      portSetting: 'INTERNAL_PORT (server.internalPort)',
      host: server.internalHost,
      port: server.internalPort,
      limits: handlers.limits,
      toRefusal: handlers.internal.toRefusal,
    },
    handlers.internal,
  );
  const { upgrade, limits } = handlers;
  const open = await openPublic({ ...server, tls: certificate?.material, upgrade, limits }, handlers.public, internal);
  certificate?.onChange((material) => {
    open.secure?.(material);
    internal.secure?.(material);
  });
  return {
    url: open.url,
    internalUrl: internal.url,
    async drain(timeoutMs) {
      await open.drain(timeoutMs);
      await internal.drain(0);
      await certificate?.[Symbol.asyncDispose]();
    },
  };
}

type PublicSettings = Omit<ResolvedGatewayConfig['server'], 'tls'> & {
  readonly tls: TlsMaterial | undefined;
  readonly upgrade: UpgradeHandler | undefined;
  readonly limits: EdgeLimits;
};

async function openPublic(server: PublicSettings, handler: ListenerHandler, internal: HttpListener): Promise<HttpListener> {
  const { toRefusal } = handler;
  try {
    return await openHttpListener({ ...server, toRefusal, name: 'The gateway', portSetting: 'PORT (server.port)' }, handler);
  } catch (error) {
    await internal.drain(0);
    throw error;
  }
}
