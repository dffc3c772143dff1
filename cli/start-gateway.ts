import type { Request, Response } from 'express';
import { createGateway } from '../gateway/index.ts';
import { createLogger } from '../gateway/platform/logger.ts';
import { requirePackages } from '../gateway/platform/require-packages.ts';
import type { ProductConfig } from './configuration.ts';

/** A running gateway. */
export interface RunningGateway extends AsyncDisposable {
  readonly url: string;
  readonly internalUrl: string;
}

/**
 * Starts the gateway and, if it is configured, the REST facade. The facade is mounted through Express and serves every path that the
 * gateway does not serve.
 */
export async function startGateway({ rest, ...config }: Omit<ProductConfig, 'engine'>): Promise<RunningGateway> {
  const logger = createLogger(config.logging);
  const gateway = await createGateway(config, { logger });
  try {
    if (rest !== undefined) {
      requirePackages(['express'], 'REST (setting rest.documents)');
      // Loaded on demand, because a gateway without REST does not need these modules.
      const [{ default: express }, { createRestFacade, toExpress }] = await Promise.all([
        import('express'),
        import('../rest-facade/index.ts'),
      ]);
      const { maxBodyBytes, maxUrlBytes, compression } = config.server;
      const facade = createRestFacade({ ...rest, gateway, maxBodyBytes, maxUrlBytes, compression, logger });
      // Only the router is used: an Express application replaces the prototypes of each request and response, which is slower than the
      // whole facade.
      const router = express.Router().use(toExpress(facade));
      const handler = (...[request, response]: Parameters<typeof facade>): void => {
        // The facade responds to every path and never calls `next`. If it does, that is a bug, and the client must not wait for a response.
        const notResponding = (err?: unknown): void => {
          logger.error({ err }, 'The REST facade did not respond to a request.');
          response.destroy();
        };
        void router(request as Request, response as Response, notResponding);
      };
      const { toErrorResponse, exposesCorrelationId, isHealthPath } = facade; // The facade is the only handler in the router.
      gateway.mount(Object.assign(handler, { toErrorResponse, exposesCorrelationId, isHealthPath }));
    }
    const { url, internalUrl } = await gateway.listen();
    return { url, internalUrl, [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose]() };
  } catch (error) {
    await gateway[Symbol.asyncDispose]();
    throw error;
  }
}
