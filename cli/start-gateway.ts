import type { Request, Response } from 'express';
import { createGateway } from '../gateway/index.ts';
import { createLogger } from '../gateway/platform/logger.ts';
import { requirePackages } from '../gateway/platform/require-packages.ts';
import type { ProductConfig } from './configuration.ts';

/** A gateway that answers. */
export interface RunningGateway extends AsyncDisposable {
  readonly url: string;
  readonly internalUrl: string;
}

/**
 * Gateway and, where there are documents for it, REST facade; the facade is mounted through Express and owns every path
 * that is not the gateway's.
 */
export async function startGateway({ rest, ...config }: Omit<ProductConfig, 'engine'>): Promise<RunningGateway> {
  const logger = createLogger({ level: config.logging.level });
  const gateway = await createGateway(config, { logger });
  try {
    if (rest !== undefined) {
      requirePackages(['express'], 'REST (setting rest.documents)');
      // Loaded here, because a gateway without REST starts without them.
      const [{ default: express }, { createRestFacade, toExpress }] = await Promise.all([
        import('express'),
        import('../rest-facade/index.ts'),
      ]);
      const { maxBodyBytes, maxUrlBytes, compression } = config.server;
      const facade = createRestFacade({ ...rest, gateway, maxBodyBytes, maxUrlBytes, compression, logger });
      // Its router alone: an application gives each request and answer other prototypes, which costs more than all that the facade does.
      const router = express.Router().use(toExpress(facade));
      const handler = (...[request, response]: Parameters<typeof facade>): void => {
        // The facade owns every path and hands nothing on: who comes here has found a defect, and must not wait for an answer.
        const notAnswered = (err?: unknown): void => {
          logger.error({ err }, 'A REST request was not answered.');
          response.destroy();
        };
        void router(request as Request, response as Response, notAnswered);
      };
      const { toRefusal, tellsCorrelationId, isHealthPath } = facade; // nothing in the router answers but the facade
      gateway.mount(Object.assign(handler, { toRefusal, tellsCorrelationId, isHealthPath }));
    }
    const { url, internalUrl } = await gateway.listen();
    return { url, internalUrl, [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose]() };
  } catch (error) {
    await gateway[Symbol.asyncDispose]();
    throw error;
  }
}
