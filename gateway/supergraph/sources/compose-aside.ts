import { fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Composition, SubgraphSource } from '../compose-subgraphs.ts';
import { entryModule } from '../../platform/package-root.ts';
import { Unreachable } from '../../platform/start-polling.ts';

export interface CompositionLimits {
  /** Until the subgraphs must have been composed. @unit milliseconds */
  readonly timeoutMs: number;
  /** Gives up. */
  readonly signal: AbortSignal;
}

const ENTRY = entryModule('gateway/supergraph/sources/composition-process.ts');

/**
 * Composes in a process of its own: composition takes seconds for a large graph, in which this one would answer nobody,
 * and memory that it would keep.
 *
 * @throws Unreachable when that process ends without a result, or has none in time
 */
export function composeAside(subgraphs: readonly SubgraphSource[], { timeoutMs, signal }: CompositionLimits): Promise<Composition> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const child = fork(fileURLToPath(ENTRY), {
      execArgv: loaderOf(ENTRY),
      env: {}, // it needs none of the secrets
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const settle = (finish: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      child.removeAllListeners();
      child.on('error', () => undefined); // whatever else becomes of it is of no interest
      child.kill('SIGKILL');
      finish();
    };
    const fail = (reason: string): void => settle(() => reject(new Unreachable(`The subgraphs could not be composed: ${reason}.`)));
    const giveUp = (): void => settle(() => reject(signal.reason));
    const timer = setTimeout(() => fail(`there was no result within ${timeoutMs} ms`), timeoutMs);
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

/** The build starts the build; the sources need the loader that they are run with in development. */
function loaderOf({ pathname }: URL): string[] {
  return pathname.endsWith('.ts') ? ['--import', createRequire(import.meta.url).resolve('tsx')] : [];
}
