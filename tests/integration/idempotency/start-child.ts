import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { SHORT_LIVED } from '../../support/process/short-lived.ts';

/** A process that serves something, until it is killed. */
export interface Child {
  readonly url: string;
  /** Ends it at once: nothing of it is done to its end. */
  kill(): Promise<void>;
}

/**
 * Starts a file of this directory in a process of its own.
 *
 * @param setup sent to it; it answers with its address
 */
export async function startChild(file: string, setup: object): Promise<Child> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
    execArgv: [...SHORT_LIVED],
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', NODE_OPTIONS: '--no-warnings --disable-proto=delete' },
  });
  const exited = once(child, 'exit');
  const died = exited.then(([code]) => Promise.reject(new Error(`${file} ended with ${String(code)} before it answered.`)));
  died.catch(() => undefined);
  child.send(setup);
  const [{ url }] = (await Promise.race([once(child, 'message'), died])) as [{ readonly url: string }];
  return {
    url,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
