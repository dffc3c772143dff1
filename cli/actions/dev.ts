import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProductConfig } from '../configuration.ts';
import type { LastSupergraph } from '../dev/create-dev-source.ts';
import { createDevReport, type DevReport } from '../dev/dev-report.ts';
import { followConfiguration } from '../dev/follow-configuration.ts';
import { type DevOptions, type DevSettings, readDevSettings } from '../dev/read-dev-settings.ts';
import { startReferenceGraph } from '../dev/reference-graph.ts';
import { serveGraph, type ServedGraph } from '../dev/serve-graph.ts';
import { requireFreePort } from '../require-free-port.ts';
import type { Terminal } from '../terminal.ts';
import { welcome } from '../welcome.ts';

/** Interval of attempts to start a gateway that could not be restarted. @unit milliseconds */
const RETRY_MS = 500;

/** Starts the gateway with settings. */
type Start = (settings: DevSettings) => Promise<ServedGraph>;

/** Serves until the process receives a stop signal. @throws CommandFailed, and any error of the start */
export async function dev(options: DevOptions, terminal: Terminal): Promise<void> {
  const stop = terminal.stopSignal();
  const settings = await readDevSettings(options, terminal);
  const { host, port } = settings.config.server;
  try {
    await requireFreePort(host, port, settings.isReference ? 'PORT=5000 npm start, or --port' : '--port 5000, or the setting server.port');
    await (settings.isReference ? serveReference : serveOwn)(settings, { options, terminal, stop });
  } catch (error) {
    // If the operator stops the command during the start, the resulting error is not reported.
    if (!stop.aborted) throw error;
  }
}

interface DevContext {
  readonly options: DevOptions;
  readonly terminal: Terminal;
  readonly stop: AbortSignal;
  /** Database of the reference graph, to print. */
  readonly database?: string;
}

async function serveOwn(settings: DevSettings, context: DevContext): Promise<void> {
  const { options, terminal } = context;
  const report = createDevReport(terminal);
  const last: LastSupergraph = {};
  const start: Start = ({ config }) =>
    serveGraph(config, { mock: options.mock, mocksDirectory: options.mocks, report, environment: terminal.env, last });
  await serveWithRestarts(settings, start, { ...context, report });
}

async function serveReference(settings: DevSettings, context: DevContext): Promise<void> {
  const { options, terminal, stop } = context;
  const report = createDevReport(terminal);
  await using graph = await startReferenceGraph(settings.config, stop, terminal);
  const start: Start = async ({ config }) => {
    const served = await serveGraph(graph.configure(config), {
      mock: undefined,
      mocksDirectory: options.mocks,
      report,
      environment: terminal.env,
    });
    // Webhooks require the events of the Gatefold engine.
    if (config.engine.name === 'gatefold') graph.notifyGateway(served.internalUrl);
    return served;
  };
  const ended = new AbortController();
  const serving = serveWithRestarts(settings, start, {
    ...context,
    report,
    database: graph.database,
    stop: AbortSignal.any([stop, ended.signal]),
  });
  try {
    await Promise.race([serving, graph.died]);
  } finally {
    ended.abort();
    await serving;
  }
}

/** Serves, and restarts the gateway on the same port when the configuration changes, until the stop signal. */
async function serveWithRestarts(
  first: DevSettings,
  start: Start,
  { options, terminal, stop, report, database }: DevContext & { readonly report: DevReport },
): Promise<void> {
  await using configuration = followConfiguration({ first, report, read: () => readDevSettings(options, terminal) });
  const stopped = untilAborted(stop);
  let settings = first;
  let served = await start(settings);
  terminal.onServing?.();
  let isWelcomed = false;
  try {
    for (;;) {
      const round = new AbortController();
      const changed = configuration.next();
      const welcomed = printWelcome(served, settings, { terminal, database, isWelcomed, signal: AbortSignal.any([stop, round.signal]) });
      const next = await Promise.race([changed, stopped]);
      round.abort();
      isWelcomed = await welcomed;
      if (next === undefined) return;
      await served[Symbol.asyncDispose]();
      const samePort = withPortsOf(next, settings, served);
      const restarted = await startOr(samePort, settings, { start, report, stop });
      if (restarted === undefined) return;
      ({ served, settings } = restarted);
    }
  } finally {
    await served[Symbol.asyncDispose]();
  }
}

const CONTINUES = 'The gateway cannot start with the changed configuration. It continues with the previous one.';
const STOPPED =
  'The gateway can start neither with the changed configuration nor with the previous one. It is stopped until one of them can be used.';

interface RestartOptions {
  readonly start: Start;
  readonly report: DevReport;
  readonly stop: AbortSignal;
}

/**
 * Starts with new settings, or with the previous ones if that fails. If neither starts, for example while a supergraph file is invalid,
 * both are tried until one does. Undefined when the operator stops the command.
 */
async function startOr(next: DevSettings, previous: DevSettings, { start, report, stop }: RestartOptions) {
  let reported = '';
  const reportOnce = (text: string): void => {
    if (text !== reported) report.problem(text);
    reported = text;
  };
  for (;;) {
    const first = await attempt(start, next);
    if (typeof first !== 'string') return { served: first, settings: next };
    const second = await attempt(start, previous);
    reportOnce(`${first}\n${typeof second === 'string' ? STOPPED : CONTINUES}`);
    if (typeof second !== 'string') return { served: second, settings: next };
    await delay(RETRY_MS, undefined, { signal: stop }).catch(() => undefined);
    if (stop.aborted) return undefined;
  }
}

/** Starts a gateway, or returns why it cannot start. */
async function attempt(start: Start, settings: DevSettings): Promise<ServedGraph | string> {
  try {
    return await start(settings);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Retains the ports that were selected at the first start if the configuration selects free ones. */
function withPortsOf(next: DevSettings, previous: DevSettings, { url, internalUrl }: ServedGraph): DevSettings {
  const { port, internalPort } = next.config.server;
  const server: ProductConfig['server'] = {
    ...next.config.server,
    port: port === 0 && previous.config.server.port === 0 ? Number(new URL(url).port) : port,
    internalPort: internalPort === 0 && previous.config.server.internalPort === 0 ? Number(new URL(internalUrl).port) : internalPort,
  };
  return { ...next, config: { ...next.config, server } };
}

interface WelcomeOptions {
  readonly terminal: Terminal;
  readonly database: string | undefined;
  /** Whether they were printed before. */
  readonly isWelcomed: boolean;
  readonly signal: AbortSignal;
}

/** Prints the URLs and the credentials when a supergraph is served, or one line after a restart. Returns whether they were printed. */
async function printWelcome(
  served: ServedGraph,
  settings: DevSettings,
  { terminal, database, isWelcomed, signal }: WelcomeOptions,
): Promise<boolean> {
  const query = await served.untilServed(signal);
  if (query === undefined) return isWelcomed;
  const { isReference, config, credentials } = settings;
  const facts = { isReference, database, isDescribed: isReference ? (config.rest?.docs ?? true) : config.rest?.docs === true };
  terminal.print(
    isWelcomed
      ? `Gatefold is ready again: ${served.url}/graphql`
      : welcome(served, credentials, { ...facts, query, subgraphs: served.subgraphs }),
  );
  return true;
}

async function untilAborted(signal: AbortSignal): Promise<undefined> {
  if (!signal.aborted) await once(signal, 'abort');
}
