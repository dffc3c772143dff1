import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { SHORT_LIVED } from '../../support/process/short-lived.ts';

/** A process that serves until it is killed. */
export interface Child {
  readonly url: string;
  /** Kills the process at once, without a shutdown. */
  kill(): Promise<void>;
}

/**
 * Starts a file of this directory in a separate process.
 *
 * @param setup message to the process, which sends its address when it serves
 */
export async function startChild(file: string, setup: object): Promise<Child> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
    execArgv: [...SHORT_LIVED],
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', NODE_OPTIONS: '--no-warnings --disable-proto=delete' },
  });
  const exited = once(child, 'exit');
  const died = exited.then(([code]) => Promise.reject(new Error(`${file} ended with ${String(code)} before it served.`)));
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
