import { existsSync } from 'node:fs';
import { watchFile } from '../gateway/platform/follow-file.ts';
import type { ProductConfig, ServeOptions } from './configuration.ts';
import { CONFIGURATION_FILE } from '../gateway/config/read-configuration.ts';
import type { RunningGateway } from './start-gateway.ts';
import type { Terminal } from './terminal.ts';

/** Polling interval for file systems that report no changes. @unit milliseconds */
const INTERVAL_MS = 1_000;
const MAX_BYTES = 16_777_216;

export interface FollowReloadOptions {
  readonly gateway: Pick<RunningGateway, 'reload'>;
  readonly config: ProductConfig;
  readonly options: Pick<ServeOptions, 'config'>;
  /** Reads the configuration again. @throws ConfigurationInvalid */
  readonly read: () => Promise<ProductConfig>;
  readonly terminal: Pick<Terminal, 'onHangUp'>;
}

/** Reloads the configuration at each SIGHUP and, with `reload.watch`, when its file changes. */
export function followReload({ gateway, config, options, read, terminal }: FollowReloadOptions): AsyncDisposable {
  const reload = (): void => void gateway.reload(read);
  terminal.onHangUp?.(reload);
  const file = options.config ?? CONFIGURATION_FILE;
  if (!config.reload.watch || !existsSync(file)) return { async [Symbol.asyncDispose]() {} };
  // The first text is that of the configuration in use.
  let isFirst = true;
  const onState = (): void => {
    if (!isFirst) reload();
    isFirst = false;
  };
  return watchFile({
    path: file,
    subject: 'The file',
    intervalMs: INTERVAL_MS,
    maxBytes: MAX_BYTES,
    onText: onState,
    onFailure: onState,
  });
}
