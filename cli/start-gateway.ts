import { createGateway } from '../gateway/index.ts';
import { createLogger } from '../gateway/platform/logger.ts';
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
export async function startGateway({ rest, ...config }: ProductConfig): Promise<RunningGateway> {
  const logger = createLogger({ level: config.logging.level });
  const gateway = await createGateway(config, { logger });
  try {
    if (rest !== undefined) {
      // Loaded here, because a gateway without REST starts without them.
      const [{ default: express }, { createRestFacade, toExpress }] = await Promise.all([
        import('express'),
        import('../rest-facade/index.ts'),
      ]);
      const { maxBodyBytes, maxUrlBytes } = config.server;
      const facade = createRestFacade({ ...rest, gateway, maxBodyBytes, maxUrlBytes, logger });
      gateway.mount(express().disable('x-powered-by').use(toExpress(facade)));
    }
    const { url, internalUrl } = await gateway.listen();
    return { url, internalUrl, [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose]() };
  } catch (error) {
    await gateway[Symbol.asyncDispose]();
    throw error;
  }
}
