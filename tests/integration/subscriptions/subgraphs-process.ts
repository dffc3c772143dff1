import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { SUBGRAPH_NAMES } from '../../../subgraphs/start-subgraphs.ts';
import { freePort } from '../../support/http/free-port.ts';
import { processOf } from '../../support/process/process-of.ts';

/** The reference subgraphs in a process that can be killed and restarted at the same addresses. */
export interface SubgraphsProcess extends AsyncDisposable {
  readonly urls: Readonly<Record<string, string>>;
  start(): Promise<void>;
  /** Stops immediately without a graceful shutdown. */
  kill(): Promise<void>;
}

export interface SubgraphsProcessOptions {
  readonly databaseUrl: string;
  /** Redis for events. When undefined, events are delivered only inside the process. */
  readonly redisUrl: string | undefined;
  readonly identitySecret: string;
}

export async function startSubgraphsProcess({ databaseUrl, redisUrl, identitySecret }: SubgraphsProcessOptions): Promise<SubgraphsProcess> {
  let child: ChildProcess | undefined;
  const ports: Record<string, string> = {};
  for (const name of SUBGRAPH_NAMES) ports[`SUBGRAPH_${name.toUpperCase()}_PORT`] = String(await freePort());
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    NODE_ENV: 'production',
    GATEFOLD_PROFILE: 'dev',
    GATEFOLD_IDENTITY_SECRET: identitySecret,
    GATEFOLD_DATA_DIR: 'memory',
    GATEFOLD_REFERENCE_DATABASE_URL: databaseUrl,
    ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
    ...ports,
  };

  async function start(): Promise<Readonly<Record<string, string>>> {
    const { file, execArgv } = processOf('subgraphs/main.ts');
    child = fork(file, {
      execArgv: [...execArgv],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env,
    });
    let complaint = '';
    child.stderr?.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
    const died = once(child, 'close').then(([code]) =>
      Promise.reject(new Error(`The subgraphs exited with ${String(code)}: ${complaint}`)),
    );
    died.catch(() => undefined);
    const [message] = (await Promise.race([once(child, 'message'), died])) as [{ readonly ready: Readonly<Record<string, string>> }];
    return message.ready;
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child === undefined || child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
    child = undefined;
  }

  return {
    urls: await start(),
    start: async () => void (await start()),
    kill: () => end('SIGKILL'),
    [Symbol.asyncDispose]: () => end('SIGTERM'),
  };
}
