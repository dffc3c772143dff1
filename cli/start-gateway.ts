import type { Request, Response } from 'express';
import { createGateway, type Gateway, type GatewayDependencies } from '../gateway/index.ts';
import { createLogger } from '../gateway/platform/logger.ts';
import { requirePackages } from '../gateway/platform/require-packages.ts';
import type { RestFacade } from '../rest-facade/index.ts';
import type { ProductConfig } from './configuration.ts';
import { createGatewayReload, type ReloadGateway } from './create-gateway-reload.ts';

/** A running gateway. */
export interface RunningGateway extends AsyncDisposable {
  readonly url: string;
  readonly internalUrl: string;
  readonly reload: ReloadGateway;
  /** Prepares generated operations after the start. @defaultValue the engine has no such preparation */
  readonly warmUp?: () => Promise<void>;
}

/** A running gateway in this process. */
export interface StartedGateway extends RunningGateway {
  readonly gateway: Gateway;
  /** REST facade. Undefined if none is configured. */
  readonly rest: RestFacade | undefined;
}

/** Dependencies of the gateway that a command replaces. */
export type StartDependencies = Pick<GatewayDependencies, 'supergraphSource' | 'primary' | 'logger' | 'environment'>;

/**
 * Starts the gateway and, if it is configured, the REST facade. The facade is mounted through Express and serves every path that the
 * gateway does not serve.
 */
export async function startGateway(
  { rest, ...config }: Omit<ProductConfig, 'engine'>,
  dependencies: StartDependencies = {},
): Promise<StartedGateway> {
  const logger = dependencies.logger ?? createLogger(config.logging);
  const gateway = await createGateway(config, { ...dependencies, logger });
  let facade: RestFacade | undefined;
  try {
    if (rest !== undefined) {
      requirePackages(['express'], 'REST (setting rest.documents)');
      // Loaded on demand, because a gateway without REST does not need these modules.
      const [{ default: express }, { createRestFacade, toExpress }] = await Promise.all([
        import('express'),
        import('../rest-facade/index.ts'),
      ]);
      const { maxBodyBytes, maxUrlBytes, compression } = config.server;
      const served = createRestFacade({ ...rest, gateway, maxBodyBytes, maxUrlBytes, compression, logger });
      // Only the router is used: an Express application replaces the prototypes of each request and response, which is slower than the
      // whole facade.
      const router = express.Router().use(toExpress(served));
      const handler = (...[request, response]: Parameters<RestFacade>): void => {
        // The facade responds to every path and never calls `next`. If it does, that is a bug, and the client must not wait for a response.
        const notResponding = (err?: unknown): void => {
          logger.error({ err }, 'The REST facade did not respond to a request.');
          response.destroy();
        };
        void router(request as Request, response as Response, notResponding);
      };
      // The facade is the only handler in the router. Plain requests need no router.
      const { toErrorResponse, exposesCorrelationId, isHealthPath, servesRoot, plain } = served;
      gateway.mount(Object.assign(handler, { toErrorResponse, exposesCorrelationId, isHealthPath, servesRoot, plain }));
      facade = served;
    }
    const { url, internalUrl } = await gateway.listen();
    const reload = createGatewayReload(gateway, { rest, ...config }, logger);
    return {
      url,
      internalUrl,
      gateway,
      rest: facade,
      reload,
      warmUp: () => gateway.warmUp(),
      [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
    };
  } catch (error) {
    await gateway[Symbol.asyncDispose]();
    throw error;
  }
}
