import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A process of the benchmark that communicates by messages. */
export interface Worker<Command, Report> extends Disposable {
  report(command: Command): void;
  /** Returns the next message. Reports arrive in the order of the commands that request them. */
  hear(): Promise<Report>;
}

/** Starts a TypeScript file of this folder as a process. */
export function startWorker<Command, Report>(file: URL): Worker<Command, Report> {
  const child: ChildProcess = fork(file, { execArgv: ['--import', 'tsx'], env: { ...process.env, NODE_ENV: 'production' } });
  return {
    report: (command) => {
      child.send(command as never);
    },
    async hear() {
      const stopped = new AbortController();
      const ended = once(child, 'exit', { signal: stopped.signal }).then(() => {
        throw new Error(`${file.pathname} has ended.`);
      });
      ended.catch(() => undefined);
      const [report] = (await Promise.race([once(child, 'message'), ended])) as [Report];
      stopped.abort();
      return report;
    },
    [Symbol.dispose]: () => {
      if (child.connected) child.disconnect();
    },
  };
}
