import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../gateway/config/read-environment-layer.ts';
import { entryModule } from '../gateway/platform/package-root.ts';
import { CommandFailed } from './command-failed.ts';

/** The reference subgraphs, running in a process of their own. */
export interface ReferenceSubgraphs extends AsyncDisposable {
  /** Address of each subgraph, by name. */
  readonly urls: Readonly<Record<string, string>>;
  /** Tells them where the gateway's internal listener is: webhooks read events there. */
  readonly tellGateway: (internalUrl: string) => void;
  /** Rejects with a CommandFailed when the process ends before it was told to. Never resolves. */
  readonly died: Promise<never>;
}

export interface ReferenceSubgraphsOptions {
  readonly env: Environment;
  /** Key of the identity header that they are to trust, or the JWK Set with the public halves of such keys. */
  readonly identitySecret: string | { readonly keys: readonly object[] };
  /** Key of the tokens by which they ask the gateway in the name of others. */
  readonly serviceSecret: string;
  readonly profile: string;
  /** Gets everything that the process writes. */
  readonly onOutput: (text: string) => void;
  /** Gives up starting. */
  readonly signal: AbortSignal;
}

/** How long the process may take to end before it is killed. @unit milliseconds */
const PATIENCE_MS = 10_000;
const LAST_LINES = 15;

/** Tells if the reference subgraphs are installed: a checkout has them, the published package does not. */
export function hasReferenceSubgraphs(): boolean {
  return existsSync(entryModule('subgraphs/main.ts'));
}

/**
 * Starts the reference subgraphs on free ports and waits until they say where.
 *
 * @throws CommandFailed with their last words when they end instead
 */
export async function startReferenceSubgraphs(options: ReferenceSubgraphsOptions): Promise<ReferenceSubgraphs> {
  const child = launch(options);
  const lastWords = keepLastWords(child, options.onOutput);
  const exited = once(child, 'exit');
  let isStopping = false;
  const died = exited.then(() => {
    if (isStopping) return new Promise<never>(() => {});
    const how = child.signalCode ?? `exit code ${child.exitCode}`;
    throw new CommandFailed(`The subgraphs ended (${how}).${lastWords()}`);
  });
  died.catch(() => {}); // whoever waits for it sees it; nobody has to
  const stop = async () => {
    isStopping = true;
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    const impatience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    await exited;
    clearTimeout(impatience);
  };
  try {
    const urls = await Promise.race([readiness(child), died, aborted(options.signal)]);
    const tellGateway = (gateway: string): void => void (child.connected && child.send({ gateway }));
    return { urls, tellGateway, died, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function launch({ env, identitySecret, serviceSecret, profile }: ReferenceSubgraphsOptions): ChildProcess {
  // The sources start the sources, the build starts the build.
  const main = fileURLToPath(entryModule('subgraphs/main.ts'));
  return fork(main, {
    // A group of its own: Ctrl-C reaches the gateway alone, which answers what is under way before it ends the subgraphs.
    // They end by themselves when the channel to a gateway that was killed breaks.
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

/** Hands the output on, and keeps the end of it for a report. */
function keepLastWords(child: ChildProcess, onOutput: (text: string) => void): () => string {
  let kept = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      kept = (kept + text).slice(-8_192);
      onOutput(text);
    });
  }
  return () => {
    const lines = kept.trimEnd().split('\n').slice(-LAST_LINES);
    return lines.join('').trim() === '' ? ' They said nothing.' : `\nTheir last words:\n${lines.map((line) => `  ${line}`).join('\n')}`;
  };
}

async function readiness(child: ChildProcess): Promise<Readonly<Record<string, string>>> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: { readonly ready?: Readonly<Record<string, string>> }) => {
      if (message.ready) resolve(message.ready);
    });
    child.once('error', (cause) => reject(new CommandFailed('The process of the subgraphs cannot be started.', { cause })));
  });
}

async function aborted(signal: AbortSignal): Promise<never> {
  signal.throwIfAborted();
  await once(signal, 'abort');
  throw signal.reason;
}
