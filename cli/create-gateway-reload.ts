import { changedSettings } from '../gateway/config/changed-settings.ts';
import type { Gateway } from '../gateway/index.ts';
import type { Logger } from '../gateway/platform/logger.ts';
import type { ProductConfig } from './configuration.ts';

/** Reads the configuration again and applies it. Writes the result to the log. Never rejects. */
export type ReloadGateway = (read: () => Promise<ProductConfig>) => Promise<void>;

/**
 * Creates the function that reloads the configuration of a running gateway.
 *
 * @param first configuration of the start
 */
export function createGatewayReload(
  gateway: Pick<Gateway, 'reload'>,
  first: Omit<ProductConfig, 'engine'> & Partial<Pick<ProductConfig, 'engine'>>,
  logger: Logger,
): ReloadGateway {
  const atStart = { rest: first.rest, ...(first.engine === undefined ? {} : { engine: first.engine }) };
  return async (read) => {
    try {
      const { rest, engine, ...config } = await read();
      const others = changedSettings(atStart, { rest, ...(first.engine === undefined ? {} : { engine }) });
      const { applied, needRestart } = await gateway.reload(config);
      const restart = [...needRestart, ...others];
      if (applied.length > 0) logger.info({ settings: applied }, 'The configuration was reloaded.');
      if (restart.length > 0) logger.warn({ settings: restart }, `Not applied, because a restart is needed: ${restart.join(', ')}.`);
      if (applied.length === 0 && restart.length === 0) logger.info({}, 'The configuration was read again. No setting has changed.');
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      logger.error({ reason }, 'The configuration was not reloaded. The previous configuration remains in use.');
    }
  };
}
