import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../gateway/config/read-environment-layer.ts';
import { entryModule } from '../gateway/platform/package-root.ts';
import { CommandFailed } from './command-failed.ts';

/** The reference subgraphs, running in a separate process. */
export interface ReferenceSubgraphs extends AsyncDisposable {
  /** URL of each subgraph, by name. */
  readonly urls: Readonly<Record<string, string>>;
  /** URL of each source of the subgraphs with connectors, by subgraph and by source. */
  readonly backEnds: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Describes the location of the data, without a password. */
  readonly database: string;
  /** Sends the URL of the internal listener of the gateway, where webhooks read events. */
  readonly notifyGateway: (internalUrl: string) => void;
  /** Rejects with a CommandFailed if the process ends unexpectedly. Never resolves. */
  readonly died: Promise<never>;
}

export interface ReferenceSubgraphsOptions {
  readonly env: Environment;
  /** Key of the identity header, or the JWK Set with the public keys. */
  readonly identitySecret: string | { readonly keys: readonly object[] };
  /** Key of the tokens with which the subgraphs send requests on behalf of users. */
  readonly serviceSecret: string;
  readonly profile: string;
  /** Receives the output of the process. */
  readonly onOutput: (text: string) => void;
  /** Aborts the start. */
  readonly signal: AbortSignal;
}

/** Time for a graceful shutdown before the process is killed. @unit milliseconds */
const PATIENCE_MS = 10_000;

/** Whether the reference subgraphs are installed. The published package does not contain them. */
export function hasReferenceSubgraphs(): boolean {
  return existsSync(entryModule('subgraphs/main.ts'));
}

/**
 * Starts the reference subgraphs on free ports and waits for their URLs.
 *
 * @throws CommandFailed if the process ends instead
 */
export async function startReferenceSubgraphs(options: ReferenceSubgraphsOptions): Promise<ReferenceSubgraphs> {
  const child = launch(options);
  const hasOutput = forwardOutput(child, options.onOutput);
  const exited = once(child, 'exit');
  let isStopping = false;
  const died = exited.then(() => {
    if (isStopping) return new Promise<never>(() => {});
    const how = child.signalCode ?? `exit code ${child.exitCode}`;
    // Its output has been printed already.
    throw new CommandFailed(`The process of the subgraphs ended unexpectedly (${how}).${hasOutput() ? '' : ' It produced no output.'}`);
  });
  died.catch(() => {}); // A caller need not handle the rejection.
  const stop = async () => {
    isStopping = true;
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    const impatience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    await exited;
    clearTimeout(impatience);
  };
  try {
    const { ready: urls, backEnds, database } = await Promise.race([readiness(child), died, aborted(options.signal)]);
    const notifyGateway = (gateway: string): void => void (child.connected && child.send({ gateway }));
    return { urls, backEnds, database, notifyGateway, died, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function launch({ env, identitySecret, serviceSecret, profile }: ReferenceSubgraphsOptions): ChildProcess {
  // The sources start the sources, and the build starts the build.
  const main = fileURLToPath(entryModule('subgraphs/main.ts'));
  return fork(main, {
    // In a separate process group, Ctrl-C reaches only the gateway, which completes requests in progress before it stops the subgraphs. If
    // the gateway is killed, the IPC channel closes and the subgraphs stop.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...env,
      APOLLO_TELEMETRY_DISABLED: '1',
      ...trustOf(identitySecret),
      GATEFOLD_SERVICE_SECRET: serviceSecret,
      GATEFOLD_PROFILE: profile,
    },
  });
}

function trustOf(identity: ReferenceSubgraphsOptions['identitySecret']): Environment {
  return typeof identity === 'string'
    ? { GATEFOLD_IDENTITY_SECRET: identity, GATEFOLD_IDENTITY_KEYS: undefined }
    : { GATEFOLD_IDENTITY_SECRET: undefined, GATEFOLD_IDENTITY_KEYS: JSON.stringify(identity) };
}

/** Forwards the output. Returns a function that reports whether there was any. */
function forwardOutput(child: ChildProcess, onOutput: (text: string) => void): () => boolean {
  let hasOutput = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      hasOutput ||= text.trim() !== '';
      onOutput(text);
    });
  }
  return () => hasOutput;
}

/** The message with which the process reports that it is ready. */
interface ReadyMessage {
  readonly ready: ReferenceSubgraphs['urls'];
  readonly backEnds: ReferenceSubgraphs['backEnds'];
  readonly database: string;
}

async function readiness(child: ChildProcess): Promise<ReadyMessage> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: Partial<ReadyMessage>) => {
      const { ready, backEnds, database } = message;
      if (ready !== undefined && backEnds !== undefined && database !== undefined) resolve({ ready, backEnds, database });
    });
    child.once('error', (cause) => reject(new CommandFailed('The process of the subgraphs could not be started.', { cause })));
  });
}

async function aborted(signal: AbortSignal): Promise<never> {
  signal.throwIfAborted();
  await once(signal, 'abort');
  throw signal.reason;
}
