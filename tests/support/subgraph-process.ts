import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { packageRoot } from '../../gateway/platform/package-root.ts';

export interface SubgraphProcess extends AsyncDisposable {
  /** Address of each subgraph, by name. */
  readonly urls: Readonly<Record<string, string>>;
}

export interface SubgraphProcessOptions {
  readonly identitySecret: string;
  /** Settings on top of those of a clean environment: `DATABASE_URL`, the directory of the embedded database. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts the reference subgraphs from their sources, on free ports, in a process of their own. */
export async function startSubgraphProcess({ identitySecret, environment = {} }: SubgraphProcessOptions): Promise<SubgraphProcess> {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, ['--import', 'tsx', 'subgraphs/main.ts'], {
    cwd: packageRoot,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { PATH, HOME, APOLLO_TELEMETRY_DISABLED: '1', GATEFOLD_IDENTITY_SECRET: identitySecret, ...environment },
  });
  const said: string[] = [];
  const keep = (chunk: Buffer) => {
    said.push(chunk.toString());
    if (said.length > 200) said.shift();
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const ended = once(child, 'exit');
  const urls = await new Promise<Readonly<Record<string, string>>>((resolve, reject) => {
    child.on('message', (message: { readonly ready?: Readonly<Record<string, string>> }) => {
      if (message.ready !== undefined) resolve(message.ready);
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`The subgraphs ended with ${String(code)} before they were ready:\n${said.join('')}`)));
  });
  return {
    urls,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      const impatient = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await ended;
      clearTimeout(impatient);
    },
  };
}
