import { readFile } from 'node:fs/promises';
import { startStockServer } from '../../gateway/apollo-server/create-stock-server.ts';
import { type StockListeners, createStockListeners } from '../../gateway/apollo-server/open-stock-listeners.ts';
import { createAuthentication } from '../../gateway/auth/authenticator.ts';
import { challengesOf } from '../../gateway/auth/authentication-errors.ts';
import { systemClock } from '../../gateway/platform/clock.ts';
import { systemErrorCode } from '../../gateway/platform/file-errors.ts';
import { compileNetworks } from '../../gateway/platform/http/request/client-address.ts';
import { createLogger } from '../../gateway/platform/logger.ts';
import { loadSupergraph } from '../../gateway/supergraph/load-supergraph.ts';
import type { RestFacade } from '../../rest-facade/index.ts';
import { CommandFailed } from '../command-failed.ts';
import type { ProductConfig } from '../configuration.ts';
import type { RunningGateway, StartDependencies } from '../start-gateway.ts';
import { createApplication } from './create-application.ts';
import { createStockFacade } from './create-stock-facade.ts';
import { reportGaps } from './report-gaps.ts';
import { findUnsupported } from './unsupported-settings.ts';

/**
 * Serves the configuration with the stock `ApolloGateway` in `ApolloServer` behind an Express application, with the REST facade.
 *
 * @throws CommandFailed with everything this engine does not support, and the setting to change
 * @throws SupergraphInvalid, MappingInvalid, ListenFailure and ConfigurationInvalid; everything opened by then is closed
 */
export async function startApolloEngine(
  config: ProductConfig,
  dependencies: Pick<StartDependencies, 'logger' | 'environment'> = {},
): Promise<RunningGateway> {
  const { logger = createLogger(config.logging), environment } = dependencies;
  const sdl = await readSupergraph(config.supergraph);
  const loaded = loadSupergraph(sdl, config.supergraph.file);
  const unsupported = findUnsupported(config, loaded);
  if (unsupported.length > 0) {
    throw new CommandFailed(['The engine "apollo" cannot serve this configuration:', ...unsupported].join('\n  '), { exitCode: 2 });
  }
  reportGaps(config, loaded, logger);
  const opened: AsyncDisposable[] = [];
  const open = <StartedComponent extends AsyncDisposable>(part: StartedComponent): StartedComponent => {
    opened.push(part);
    return part;
  };
  /** Closes the listeners first, because requests in progress need all other resources. */
  const close = async (): Promise<void> => {
    for (const part of opened.splice(0).toReversed()) await part[Symbol.asyncDispose]();
  };
  try {
    const isProxy = compileNetworks(config.server.trustedProxies);
    const { authenticate } = open(
      createAuthentication(config.auth, { clock: systemClock, logger, isProxy, explainsRejections: config.profile === 'dev' }),
    );
    const stock = open(await startStockServer(loaded, config, { logger, environment }));
    const listeners = open(createStockListeners(config, loaded.schema, logger));
    const parts = { stock, authenticate, challenges: challengesOf(config.auth), health: listeners.health, logger };
    const facade = createStockFacade(config, parts);
    const application = createApplication(config, { ...parts, facade });
    const respond: ReceivedResponse = (request, response) => void application(request, response);
    const urls = await listeners.listen(respond, facade && mountedBy(facade, respond));
    const reload = async (): Promise<void> => {
      logger.warn({}, 'The configuration was not reloaded, because the engine "apollo" reads it only at the start. Restart the gateway.');
    };
    return { url: urls.url, internalUrl: urls.internalUrl, reload, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Serves one request of a listener. */
type ReceivedResponse = Parameters<StockListeners['listen']>[0];

/** Combines the application with the interface of the facade, so that the listener formats its own errors like the facade. */
function mountedBy({ toErrorResponse, exposesCorrelationId, isHealthPath }: RestFacade, respond: ReceivedResponse) {
  return Object.assign<ReceivedResponse, Pick<RestFacade, 'toErrorResponse' | 'exposesCorrelationId' | 'isHealthPath'>>(
    (request, response) => respond(request, response),
    { toErrorResponse, exposesCorrelationId, isHealthPath },
  );
}

async function readSupergraph({ file, sdl, maxBytes }: ProductConfig['supergraph']): Promise<string> {
  if (sdl !== undefined) return sdl;
  if (file === undefined) {
    throw new CommandFailed('The engine "apollo" requires a supergraph file. Write one with `gatefold compose` and set supergraph.file.', {
      exitCode: 2,
    });
  }
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw new CommandFailed(
      `The supergraph file ${file} cannot be read (${systemErrorCode(cause) ?? 'unknown reason'}). Check the path, or run \`gatefold compose\` to write one.`,
      { cause },
    );
  });
  if (bytes.byteLength > maxBytes)
    throw new CommandFailed(`The supergraph file ${file} is larger than ${maxBytes} bytes. Increase supergraph.maxBytes to load it.`);
  return bytes.toString('utf8');
}
