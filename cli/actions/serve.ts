import { once } from 'node:events';
import { join } from 'node:path';
import { createLogger } from '../../gateway/platform/logger.ts';
import { CommandFailed } from '../command-failed.ts';
import { type ProductConfig, type ServeOptions, readProductConfig } from '../configuration.ts';
import { followReload, type FollowReloadOptions } from '../follow-reload.ts';
import { requireFreePort } from '../require-free-port.ts';
import { servingReport } from '../serving-report.ts';
import { startEngine } from '../start-engine.ts';
import type { Terminal } from '../terminal.ts';
import { countWorkers } from '../workers/count-workers.ts';
import { joinPrimary, type PrimaryConnection } from '../workers/join-primary.ts';

/**
 * Serves until the process receives a stop signal.
 *
 * @throws ConfigurationInvalid, and any error of the start
 * @throws CommandFailed after a shutdown because of an unhandled error
 */
export async function serve(options: ServeOptions, terminal: Terminal): Promise<void> {
  using connection = await joinPrimary(terminal);
  const stop = connection?.stop ?? terminal.stopSignal();
  const read = async () => withIndexDirectory(await readProductConfig(options, { profile: 'production' }, terminal), terminal);
  const config = await read();
  const failed = abortOnUnhandledError(config, terminal);
  const end = AbortSignal.any([stop, failed]);
  if (connection !== undefined) await serveAsWorker(connection, config, { terminal, end });
  else {
    const { host, port, workers } = config.server;
    await requireFreePort(host, port, '--port, PORT or the setting server.port');
    const count = countWorkers(workers);
    if (count === 1) await serveInThisProcess({ config, options, read, terminal }, end);
    else {
      const { serveWithWorkers } = await import('../workers/serve-with-workers.ts');
      await serveWithWorkers({ config, options, count, stop: end, read, terminal });
    }
  }
  if (failed.aborted) throw new CommandFailed('The gateway has stopped because of an unhandled error, which the log contains.');
}

/** Stores the indexes of supergraphs with the other data of the command, unless the configuration names a directory. */
function withIndexDirectory(config: ProductConfig, { cacheDirectory }: Terminal): ProductConfig {
  // The original gateway reads the supergraph itself.
  const isStock = config.engine.name === 'apollo';
  if (cacheDirectory === undefined || isStock || config.supergraph.indexDirectory !== undefined) return config;
  return { ...config, supergraph: { ...config.supergraph, indexDirectory: join(cacheDirectory, 'supergraphs') } };
}

async function serveInThisProcess(
  reload: Omit<FollowReloadOptions, 'gateway'> & { readonly terminal: Terminal },
  end: AbortSignal,
): Promise<void> {
  const { config, terminal } = reload;
  await using gateway = await startEngine(config, { environment: terminal.env });
  terminal.onServing?.();
  void gateway.warmUp?.();
  await using _reload = followReload({ ...reload, gateway });
  terminal.print(servingReport(gateway, config).join('\n'));
  if (!end.aborted) await once(end, 'abort');
}

async function serveAsWorker(
  connection: PrimaryConnection,
  config: ProductConfig,
  { terminal, end }: { readonly terminal: Terminal; readonly end: AbortSignal },
): Promise<void> {
  const dependencies = { ...connection.dependencies(config), environment: terminal.env };
  await using gateway = await startEngine(connection.configure(config), dependencies);
  terminal.onServing?.();
  void gateway.warmUp?.();
  connection.reportReady(gateway);
  if (!end.aborted) await once(end, 'abort');
}

/** Time after the last deadline of a shutdown, for its remaining steps. @unit milliseconds */
const MARGIN_MS = 10_000;

/** Maximum number of unhandled errors that are logged, because further ones can be frequent while requests finish. */
const MAX_LOGGED_ERRORS = 10;

/** Logs unhandled errors, and aborts at the first one: the process may be in an undefined state, so it finishes its requests and ends. */
function abortOnUnhandledError({ logging, server }: ProductConfig, terminal: Terminal): AbortSignal {
  const controller = new AbortController();
  const logger = createLogger(logging);
  let count = 0;
  terminal.onUnhandledError?.(
    (err) => {
      count += 1;
      if (count <= MAX_LOGGED_ERRORS) logger.error({ err }, 'An error was not handled. The gateway finishes its requests and stops.');
      controller.abort();
    },
    server.shutdown.lameDuckMs + server.drainTimeoutMs + MARGIN_MS,
  );
  return controller.signal;
}
