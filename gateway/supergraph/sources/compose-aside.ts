import { fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Composition, SubgraphSource } from '../compose-subgraphs.ts';
import { entryModule } from '../../platform/package-root.ts';
import { requirePackages } from '../../platform/require-packages.ts';
import { Unreachable } from '../../platform/start-polling.ts';

export interface CompositionLimits {
  /** Timeout for composition. @unit milliseconds */
  readonly timeoutMs: number;
  /** Cancels composition. */
  readonly signal: AbortSignal;
}

const ENTRY = entryModule('gateway/supergraph/sources/composition-process.ts');

/**
 * Composes subgraphs in a child process. Composition takes seconds for a large graph, during which this process could not serve requests,
 * and needs memory that the process would not release.
 *
 * @throws Unreachable when the child process ends without a result or exceeds the timeout
 * @throws PackagesMissing when `@apollo/composition` is not installed
 */
export function composeAside(subgraphs: readonly SubgraphSource[], { timeoutMs, signal }: CompositionLimits): Promise<Composition> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    requirePackages(['@apollo/composition'], 'the composition of subgraphs'); // The output of the child process is not visible.
    const child = fork(fileURLToPath(ENTRY), {
      execArgv: loaderOf(ENTRY),
      env: {}, // The child process needs no secrets.
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const settle = (finish: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      child.removeAllListeners();
      child.on('error', () => undefined); // Further errors of the child process are irrelevant.
      child.kill('SIGKILL');
      finish();
    };
    const fail = (reason: string): void => settle(() => reject(new Unreachable(`The subgraphs could not be composed: ${reason}.`)));
    const giveUp = (): void => settle(() => reject(signal.reason));
    const timer = setTimeout(() => fail(`composition exceeded ${timeoutMs} ms`), timeoutMs);
    signal.addEventListener('abort', giveUp, { once: true });
    child
      .once('message', (composition) => settle(() => resolve(composition as Composition)))
      .once('error', (error) => fail(error.message))
      .once('exit', (code, killedBy) => fail(`the process ended with ${killedBy ?? `exit code ${code}`}`))
      .send([...subgraphs], (error) => {
        if (error !== null) fail(error.message);
      });
  });
}

/** Returns the options to load the entry module. A build runs the built file; sources need the loader that is used in development. */
function loaderOf({ pathname }: URL): string[] {
  return pathname.endsWith('.ts') ? ['--import', createRequire(import.meta.url).resolve('tsx')] : [];
}
