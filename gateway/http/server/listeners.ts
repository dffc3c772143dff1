import type { RequestListener } from 'node:http';
import { isLoopback } from '../../config/reach-of-host.ts';
import type { ResolvedGatewayConfig } from '../../config/resolve-gateway-config.ts';
import type { TlsMaterial } from '../../platform/http/server/either-server.ts';
import { type HttpListener, openHttpListener } from '../../platform/http/server/http-listener.ts';
import type { EdgeLimits, ToErrorHttpResponse } from '../../platform/http/limits/edge-limits.ts';
import type { PlainHandler } from '../../platform/http/plain/plain-connections.ts';
import type { UpgradeHandler } from '../../platform/http/server/upgrades.ts';
import type { Logger } from '../../platform/logger.ts';
import { type FollowedCertificate, followCertificate } from './follow-certificate.ts';

/** The open public and internal listeners. */
export interface Listeners {
  readonly url: string;
  readonly internalUrl: string;
  /** Sends `Connection: close` with all further responses of the public listener, which still accepts connections. */
  announceEnd(): void;
  /**
   * Finishes the requests in progress. The public listener is drained first; until then the internal listener still serves health checks.
   */
  drain(timeoutMs: number): Promise<void>;
}

/** Handles requests, and formats the errors of its listener's limits. */
export type ListenerHandler = RequestListener & {
  readonly toErrorResponse: ToErrorHttpResponse;
  /** Handler of plain requests. @defaultValue Node.js reads all requests */
  readonly plain?: PlainHandler | undefined;
};

export interface ListenerHandlers {
  readonly public: ListenerHandler;
  readonly internal: ListenerHandler;
  /** Handler of upgrades on the public listener. */
  readonly upgrade?: UpgradeHandler | undefined;
  /** Limits that both listeners share. Connections are counted per listener. */
  readonly limits: EdgeLimits;
}

/**
 * Opens both listeners or neither. The internal listener opens first, so that probes see a process that is live and not ready while
 * `prepare` runs. It also uses TLS when other machines can reach it.
 *
 * @param prepare what the public listener needs, such as the first supergraph
 * @throws ListenFailure when a port cannot be opened, and ConfigurationInvalid when the files of `server.tls` cannot be used
 */
export async function openListeners(
  server: ResolvedGatewayConfig['server'],
  handlers: ListenerHandlers,
  logger: Logger,
  prepare: () => Promise<void> = async () => undefined,
): Promise<Listeners> {
  const certificate = server.tls === undefined ? undefined : followCertificate(server.tls, logger);
  try {
    return await openBoth(server, handlers, certificate, prepare);
  } catch (error) {
    await certificate?.[Symbol.asyncDispose]();
    throw error;
  }
}

async function openBoth(
  server: ResolvedGatewayConfig['server'],
  handlers: ListenerHandlers,
  certificate: FollowedCertificate | undefined,
  prepare: () => Promise<void>,
): Promise<Listeners> {
  const internal = await openHttpListener(
    {
      ...server,
      tls: isLoopback(server.internalHost) ? undefined : certificate?.material,
      name: 'The internal listener',
      portSetting: 'INTERNAL_PORT (server.internalPort)',
      hostSetting: 'INTERNAL_HOST (server.internalHost)',
      host: server.internalHost,
      port: server.internalPort,
      isOfThisProcess: true,
      limits: handlers.limits,
      toErrorResponse: handlers.internal.toErrorResponse,
    },
    handlers.internal,
  );
  const { upgrade, limits } = handlers;
  const open = await openAfterwards(internal, async () => {
    await prepare();
    return openPublic({ ...server, tls: certificate?.material, upgrade, limits }, handlers.public);
  });
  certificate?.onChange((material) => {
    open.secure?.(material);
    internal.secure?.(material);
  });
  return {
    url: open.url,
    internalUrl: internal.url,
    announceEnd: () => open.announceEnd(),
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

async function openPublic(server: PublicSettings, handler: ListenerHandler): Promise<HttpListener> {
  const { toErrorResponse, plain } = handler;
  const names = { name: 'The gateway', portSetting: 'PORT (server.port)', hostSetting: 'HOST (server.host)' };
  return openHttpListener({ ...server, ...names, toErrorResponse, plain }, handler);
}

/** Opens the public listener, and closes the internal one if that fails. */
async function openAfterwards(internal: HttpListener, open: () => Promise<HttpListener>): Promise<HttpListener> {
  try {
    return await open();
  } catch (error) {
    await internal.drain(0);
    throw error;
  }
}
